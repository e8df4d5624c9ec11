"""Modules that code imports by a name which it works out, and the loops over the modules of a package."""

from __future__ import annotations

import ast

from ingest.web.constants.constants import constant, setting_of
from ingest.web.program.calls import argument
from ingest.web.program.functions import own_statements
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, ModuleTarget, Target, ValueTarget
from ingest.web.syntax.copies import copy_of
from ingest.web.syntax.naming import call_at
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.symbol_table import Loop

_BY_TEXT = External("werkzeug.utils.import_string")
_IMPORTING = (External("importlib.import_module"), External("builtins.__import__"), _BY_TEXT)
_FINDING = External("werkzeug.utils.find_modules")
_LISTING = (External("pkgutil.iter_modules"), External("pkgutil.walk_packages"), _FINDING)
_FRAMEWORKS = (
    *("fastapi", "starlette", "litestar", "aiohttp"),
    *("flask", "apiflask", "flask_smorest", "flask_restx", "flask_restful", "flask_openapi3"),
)
_MEMBERS = (External("builtins.dir"), External("builtins.vars"), External("inspect.getmembers"))
_OWN_NAMES = frozenset({"__name__", "__package__"})
_FOLLOWED = frozenset({"import_module", "import_string", "__import__", "getattr", "as_view"})
_TAKEN = (ast.Call, ast.Subscript, ast.JoinedStr, ast.BinOp)


def imported(program: Program, target: Target | None) -> ModuleTarget | None:
    """The project's module that a call such as `import_module(f"app.routers.{name}")` gives."""
    name = imported_name(program, target)
    module = program.module(name) if name else None
    return ModuleTarget(module) if module is not None else None


def imported_name(program: Program, target: Target | None) -> str | None:
    """The name of the module that such a call gives; None for anything else, and where it is not known."""
    node = target.node if isinstance(target, ValueTarget) else None
    if not isinstance(target, ValueTarget) or not isinstance(node, ast.Call):
        return None
    if program.resolve(node.func, target.scope) not in _IMPORTING:
        return None
    name = _named(program, argument(node, 0, "name"), target.scope)
    if name is not None and name.startswith("."):
        around = _package(program, argument(node, 1, "package"), target.scope)
        name = around + name if around and not name.startswith("..") else None
    return name


def attribute_asked(program: Program, node: ast.expr, scope: Scope) -> ast.expr:
    """`getattr(a, "b")` as `a.b`, and `import_string("a:b")` too; any other expression as it is."""
    match node:
        case ast.Call(
            func=ast.Name(id="import_string") | ast.Attribute(attr="import_string"), args=[asked, *_]
        ):
            dotted = setting_of(program, asked, scope)
            if dotted is None or program.resolve(node.func, scope) != _BY_TEXT or program.module(dotted):
                return node
            around, _, member = dotted.replace(":", ".").rpartition(".")
            owner = call_at(node.func, node, ast.Constant(around))
            return ast.copy_location(ast.Attribute(owner, member, ast.Load()), node) if around else node
        case ast.Call(func=ast.Name(id="getattr"), args=[owner, asked, *_]):
            name = setting_of(program, asked, scope)
            return node if name is None else ast.copy_location(ast.Attribute(owner, name, ast.Load()), node)
    return node


def listed_modules(program: Program, loop: Loop, scope: Scope) -> list[dict[str, Target]] | None:
    """What the names of a loop over `pkgutil.iter_modules(package.__path__)` stand for: the package's modules that
    import the framework, since no other has routes."""
    listing = program.resolve(loop.iter.func, scope) if isinstance(loop.iter, ast.Call) else None
    if not isinstance(loop.iter, ast.Call) or listing not in _LISTING:
        return None
    path = argument(loop.iter, 0, "path", "import_path")
    if listing == _FINDING:
        return _found(program, loop, loop.iter, _named(program, path, scope), scope)
    package = program.resolve(path.value, scope) if isinstance(path, ast.Attribute) else None
    if isinstance(path, ast.Name) and path.id == "__path__":
        here = program.module(scope.module)
        package = ModuleTarget(here) if here is not None else None
    if not isinstance(package, ModuleTarget) or getattr(path, "attr", "__path__") != "__path__":
        return None
    written = argument(loop.iter, 1, "prefix")
    prefix = _named(program, written, scope) if written is not None else ""
    names = _within(program, f"{package.module.name}.")
    if ending := _ending(loop):
        # `import_module(f"{info.name}.routes")`: each package has its routes in a module of this name.
        names = [name.removesuffix(ending) for name in names if name.endswith(ending)]
    found = [f"{prefix}{name}" for name in names if "." not in name or listing is _LISTING[1]]
    return None if prefix is None else [_row(loop.target, name, scope) for name in found]


def _found(
    program: Program, loop: Loop, call: ast.Call, package: str | None, scope: Scope
) -> list[dict[str, Target]] | None:
    """What the name of a loop over `find_modules("app.views")` stands for: the whole name of each module."""
    recursive = argument(call, 2, "recursive")
    deep = recursive is not None and constant(program, recursive, scope) is True
    if package is None or not isinstance(loop.target, ast.Name):
        return None
    names = [name for name in _within(program, f"{package}.") if deep or "." not in name]
    texts = [ast.Constant(f"{package}.{name}", lineno=loop.target.lineno) for name in names]
    return [{loop.target.id: ValueTarget(text, scope)} for text in texts]


def listed_members(program: Program, loop: Loop, scope: Scope) -> list[dict[str, Target]] | None:
    """What the names of a loop over `dir(module)`, `vars(module).items()` or `getmembers(module)` stand for: the
    members that are modules, or made by a call, since routers are."""
    match loop.iter:
        case ast.Call(
            func=ast.Attribute(value=ast.Call(func=listing, args=[owner]), attr="items" | "values")
        ):
            pass
        case ast.Call(func=listing, args=[owner, *_]):
            pass
        case _:
            return None
    named = program.resolve(listing, scope)
    of = program.resolve(owner, scope) if named in _MEMBERS else None
    module = of if isinstance(of, ModuleTarget) else imported(program, of)
    if module is None:
        return None
    found: list[dict[str, Target]] = []
    for name in module.module.scope.bindings:
        member = program.member(module.module, name)
        made = isinstance(member, ValueTarget) and isinstance(member.node, ast.Call)
        if member is None or not (made or isinstance(member, ModuleTarget)):
            continue
        text = ValueTarget(ast.Constant(name, lineno=loop.lineno), scope)
        match loop.target:
            case ast.Tuple(elts=[ast.Name(id=first), ast.Name(id=second)]):
                found.append({first: text, second: member})
            case ast.Name(id=only):
                values = isinstance(loop.iter.func, ast.Attribute) and loop.iter.func.attr == "values"
                found.append({only: member if values else text})
            case _:
                return None
    return found


def found_modules(program: Program, loop: Loop, scope: Scope) -> list[dict[str, Target]] | None:
    """What a loop over files imports one by one (`import_module(f"app.routers.{file.stem}")`): which modules of the
    package these are, only a run tells."""
    for statement in own_statements(loop.body):
        call = statement.value if isinstance(statement, ast.Assign) else None
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if not isinstance(call, ast.Call) or not isinstance(target, ast.Name):
            continue
        if program.resolve(call.func, scope) not in _IMPORTING:
            continue
        ending = ""
        match argument(call, 0, "name"):
            case ast.JoinedStr(values=[*first, ast.FormattedValue(), ast.Constant(value=str(ending))]) if (
                ending.startswith(".")
            ):
                begun: ast.expr = ast.copy_location(ast.JoinedStr(first), call)
            case ast.JoinedStr(values=[*first, ast.FormattedValue()]):
                begun = ast.copy_location(ast.JoinedStr(first), call)
            case ast.BinOp(op=ast.Add(), left=begun):
                pass
            case _:
                continue
        stem = _named(program, begun, scope)
        if stem is None or not stem.endswith(".") or program.module(stem[:-1]) is None:
            continue
        names = [name for name in _within(program, stem) if name.endswith(ending)]
        named = [name for name in names if "." not in name.removesuffix(ending)]
        modules = [program.module(stem + name) for name in named]
        return [{target.id: ModuleTarget(module)} for module in modules if module is not None]
    return None


def _ending(loop: Loop) -> str:
    """What the body of a loop puts behind a name to import a module: `f"{name}.routes"`."""
    for statement in own_statements(loop.body):
        for part in ast.walk(statement):
            match part:
                case ast.JoinedStr(values=[ast.FormattedValue(), ast.Constant(value=str(ending))]) if (
                    ending.startswith(".")
                ):
                    return ending
    return ""


def _within(program: Program, stem: str) -> list[str]:
    """The modules below a package that import the framework, by their names within it."""
    return [name.removeprefix(stem) for name in program.importers_named(_FRAMEWORKS) if name.startswith(stem)]


def _named(program: Program, node: ast.expr | None, scope: Scope) -> str | None:
    """The text that an expression stands for, in which modules and packages may say their own names."""
    return setting_of(program, _Names(program, scope).visit(copy_of(node)) if node else None, scope)


class _Names(ast.NodeTransformer):
    """Puts for `package.__name__` and `__name__` what it is."""

    def __init__(self, program: Program, scope: Scope) -> None:
        self.program = program
        self.scope = scope

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        owner = self.program.resolve(node.value, self.scope) if node.attr in _OWN_NAMES else None
        if not isinstance(owner, ModuleTarget):
            return node
        return ast.copy_location(ast.Constant(owner.module.name), node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in _OWN_NAMES:
            return node
        return ast.copy_location(ast.Constant(_package(self.program, node, self.scope)), node)


def with_imports(scope: Scope, loop: Loop) -> Scope:
    """A round of a loop that knows the modules which its body imports by a name, what it asks of them, and what it
    takes of the row: `view = row["view"].as_view("books")`, `path = f"/{name}"`."""
    for statement in own_statements(loop.body):
        if not isinstance(statement, ast.Assign) or not isinstance(statement.value, _TAKEN):
            continue
        target, value = statement.targets[0], statement.value
        called = value.func if isinstance(value, ast.Call) else None
        name = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
        if not isinstance(target, ast.Name) or _is_module(scope, target.id):
            continue
        if called is None or name in _FOLLOWED:
            scope = scope.round({target.id: ValueTarget(value, scope)})
    return scope


def _is_module(scope: Scope, name: str) -> bool:
    """Whether a round already knows which module a name stands for."""
    return any(isinstance(binding.given, ModuleTarget) for binding in scope.bindings.get(name, ()))


def _row(target: ast.expr, name: str, scope: Scope) -> dict[str, Target]:
    text = ValueTarget(ast.Constant(name, lineno=target.lineno), scope)
    if isinstance(target, ast.Name):
        (made,) = ast.parse(f"class ModuleInfo:\n    name = {name!r}").body
        assert isinstance(made, ast.ClassDef), "this is what was written"
        return {target.id: ClassTarget(made, scope)}
    parts = target.elts if isinstance(target, ast.Tuple) else []
    return {part.id: text for part in parts[1:2] if isinstance(part, ast.Name)}


def _package(program: Program, node: ast.expr | None, scope: Scope) -> str:
    if isinstance(node, ast.Name) and node.id in _OWN_NAMES:
        here = program.module(scope.module)
        package = here is not None and (here.package or node.id == "__name__")
        return scope.module if package else scope.module.rpartition(".")[0]
    return setting_of(program, node, scope) or "" if node is not None else ""
