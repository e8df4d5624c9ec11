"""Reads the fixtures that a project's own conftests offer to the tests in a folder."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from graph.files import read_plain

Function = ast.FunctionDef | ast.AsyncFunctionDef
_SETTINGS = ("pyproject.toml", "pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg")
_AUTOMATIC = re.compile(r"^\s*asyncio_mode\s*=\s*[\"']?auto", re.MULTILINE)
_LIMIT = 1 << 20
_DEPTH = 4
_OF_ANYIO = "anyio_backend"


class Module:
    """The text of one file of tests, and what its names stand for."""

    def __init__(self, tree: ast.Module, package: str) -> None:
        self.tree, self.package = tree, package
        self.imports: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                source = self.source(node)
                self.imports.update(
                    {each.asname or each.name: f"{source}.{each.name}" for each in node.names}
                )
            elif isinstance(node, ast.Import):
                names = [(each.asname or each.name.partition(".")[0], each) for each in node.names]
                self.imports.update({name: each.name if each.asname else name for name, each in names})

    def source(self, node: ast.ImportFrom) -> str:
        """The module that a statement imports from."""
        above = self.package.split(".")[: -(node.level - 1) or None] if node.level else []
        return ".".join([*filter(None, above), *([node.module] if node.module else [])])

    def absolute(self, name: str) -> str:
        """A dotted name with the import that it begins with written out."""
        first, dot, rest = name.partition(".")
        return f"{self.imports.get(first, first)}{dot}{rest}"


class Fixture(NamedTuple):
    """A fixture: the name that tests ask for, its function, and the file that it stands in."""

    name: str
    function: Function
    decorator: ast.expr
    module: Module

    @property
    def asked(self) -> list[str]:
        """The fixtures that it asks for itself."""
        arguments = self.function.args
        return [each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


class Fixtures:
    """The fixtures which conftests offer to tests of a folder: the root's, those between, and what they import."""

    def __init__(self, root: Path, folder: str) -> None:
        self._root = root
        self.named: dict[str, Fixture] = {}
        parts = Path(folder).parts
        for number in range(len(parts)):
            module = self._read(root.joinpath(*parts[:number], "conftest.py"))
            if module is not None:
                self._add(module)

    def around(self, fixture: Fixture, depth: int = _DEPTH) -> Iterator[Fixture]:
        """A fixture, and the ones that it asks for."""
        yield fixture
        for name in fixture.asked if depth else ():
            other = self.named.get(name)
            if other is not None and other is not fixture:
                yield from self.around(other, depth - 1)

    def given(self, fixture: Fixture, depth: int = _DEPTH) -> ast.expr | None:
        """The expression that makes what a fixture gives, where it gives one thing; also by another fixture."""
        values = [
            node.value
            for node in _own_nodes(fixture.function)
            if isinstance(node, ast.Return | ast.Yield) and node.value is not None
        ]
        value = values[0] if len(values) == 1 else None
        while isinstance(value, ast.Name) and depth:
            depth -= 1
            value, fixture = self.behind(value, fixture)
        return value

    def behind(self, name: ast.expr, fixture: Fixture) -> tuple[ast.expr | None, Fixture]:
        """What a name in a fixture stands for, and the fixture which that stands in; None for what is imported."""
        if not isinstance(name, ast.Name):
            return None, fixture
        bound = _bound(name.id, _own_nodes(fixture.function))
        if bound is not None:
            return bound, fixture
        other = self.named.get(name.id)
        if name.id in fixture.asked:
            return (
                (self.given(other), other) if other is not None and other is not fixture else (None, fixture)
            )
        return _bound(name.id, iter(fixture.module.tree.body)), fixture

    def waiting(self, fixture: Fixture) -> tuple[str, tuple[str, ...]] | None:
        """The decorator by which a fixture can wait as this one does, and what else it has to ask for."""
        if dotted(_callee(fixture.decorator)).startswith("pytest_asyncio."):
            return f"pytest_asyncio.fixture{_on_loop(fixture.decorator)}", ()
        backend = self.named.get(_OF_ANYIO)
        if backend is not None:
            return None if "trio" in ast.unparse(backend.function) else ("pytest.fixture", (_OF_ANYIO,))
        if any(_AUTOMATIC.search(_text(self._root / name) or "") for name in _SETTINGS):
            return f"pytest_asyncio.fixture{_on_loop(fixture.decorator)}", ()
        return None

    def _add(self, module: Module, depth: int = 2) -> None:
        for node in module.tree.body:
            if isinstance(node, ast.ImportFrom) and depth:
                self._import(module.source(node), {each.name for each in node.names}, depth - 1)
            elif isinstance(node, ast.Assign) and depth and _is_named(node.targets[0], "pytest_plugins"):
                for told in (each for each in ast.walk(node.value) if isinstance(each, ast.Constant)):
                    self._import(str(told.value), {"*"}, depth - 1)
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for decorator in node.decorator_list:
                    if dotted(_callee(decorator)).rpartition(".")[2] == "fixture":
                        name = keyword(decorator, "name") or node.name
                        self.named[name] = Fixture(name, node, decorator, module)

    def _import(self, name: str, wanted: set[str], depth: int) -> None:
        """Add what a module of the project's own tests offers under these names."""
        place = self._root.joinpath(*name.split("."))
        module = self._read(place.with_suffix(".py")) or self._read(place / "__init__.py") if name else None
        if module is None:
            return
        before = dict(self.named)
        self._add(module, depth)
        if "*" not in wanted:
            self.named = before | {key: each for key, each in self.named.items() if key in wanted}

    def _read(self, file: Path) -> Module | None:
        text = _text(file)
        try:
            tree = ast.parse(text) if text is not None else None
        except (SyntaxError, ValueError, RecursionError):
            return None
        package = ".".join(file.parent.relative_to(self._root).parts)
        return Module(tree, package) if tree is not None else None


def dotted(node: ast.expr) -> str:
    """`a.b.c` of a name or an attribute; what is neither has no words."""
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def keyword(decorator: ast.expr, name: str) -> str:
    """The text that a decorator is given by this name."""
    given = decorator.keywords if isinstance(decorator, ast.Call) else []
    values = [each.value for each in given if each.arg == name]
    return str(values[0].value) if values and isinstance(values[0], ast.Constant) else ""


def _callee(decorator: ast.expr) -> ast.expr:
    return decorator.func if isinstance(decorator, ast.Call) else decorator


def _on_loop(decorator: ast.expr) -> str:
    """The argument that puts another fixture on the loop of this one."""
    scope = keyword(decorator, "loop_scope") or keyword(decorator, "scope")
    return f'(loop_scope="{scope}")' if scope.isidentifier() else ""


def _own_nodes(function: Function) -> Iterator[ast.AST]:
    """What stands in a function, without what stands in functions within it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop(0)
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting[:0] = ast.iter_child_nodes(node)


def _bound(name: str, nodes: Iterator[ast.AST]) -> ast.expr | None:
    """What a name is bound to by an assignment or a `with`; None where that is nothing or more than one thing."""
    found: list[ast.expr] = []
    for node in nodes:
        if isinstance(node, ast.Assign):
            found += [node.value for each in node.targets if _is_named(each, name)]
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            found += [node.value] if _is_named(node.target, name) else []
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            found += [node.context_expr] if _is_named(node.optional_vars, name) else []
    return found[0] if len(found) == 1 else None


def _is_named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _text(file: Path) -> str | None:
    try:
        content = read_plain(file, _LIMIT)
    except (OSError, ValueError):
        return None
    return None if content is None else content.decode("utf-8", "replace")
