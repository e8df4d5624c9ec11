"""Which names a stub's texts need: the module's own definitions, its imports, and what the stub adds itself."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from crossval.link.names.modules import Module
from engine.stubs.expressions import is_literal, parse, type_parameters
from graph.facts import Fact, Kind

_BUILTINS = frozenset(vars(builtins))
_WIDTH = 110


class Names:
    """The names of one module as its stub uses them; asking for one makes the stub define or import it.

    `wanted` grows by the module's own names (`Cart`, `Cart._Row`) that were asked for.
    """

    def __init__(self, module: Module) -> None:
        self._module = module
        self._imports: dict[str, list[tuple[str, str]]] = {}
        for fact in module.facts:
            for local, target, _ in fact.aspects.get("imports", []):
                if local != "*" and not target.startswith("__future__."):
                    known = self._imports.setdefault(local.partition(".")[0], [])
                    known.append((local, target))
        self.wanted: set[str] = set()
        self._used: set[str] = set()
        self._exported: set[str] = set()
        self._added: dict[str, str] = {}
        self._submodules: set[str] = set()
        self._modules: set[str] = set()
        self._parameters: set[str] = set()

    @contextmanager
    def parametrised(self, fact: Fact, holder: str) -> Iterator[str]:
        """The type parameters of a definition as the stub shows them (`[T: Cart]`), whose names stand for themselves
        meanwhile; an empty text where it has none, or where they need what cannot stand in the stub."""
        text: str = fact.aspects.get("type_parameters", "")
        names, needed = type_parameters(text)
        known = self._parameters
        self._parameters = known | names
        shown = text if self.need_all(sorted(needed - names), holder) else ""
        self._parameters = known | names if shown else known
        try:
            yield shown
        finally:
            self._parameters = known

    def need(self, name: str, holder: str = "") -> bool:
        """Whether a name can stand in the stub, within the class `holder` if given; if so, it will be there."""
        if name in self._parameters:
            return True
        while holder:
            if f"{holder}.{name}" in self._module.definitions:
                self.wanted.add(f"{holder}.{name}")
                return True
            holder = holder.rpartition(".")[0]
        if name in self._module.definitions:
            self.wanted.add(name)
        elif name in self._imports:
            self._used.add(name)
        else:
            return name in _BUILTINS or bool(self._module.stars)
        return True

    def need_module(self, name: str) -> None:
        """Make the stub import a module of the standard library that its own text names."""
        if any(local == target == name for local, target in self._imports.get(name, ())):
            self._used.add(name)
        else:
            self._modules.add(name)

    def need_all(self, names: Iterable[str], holder: str = "") -> bool:
        """Whether all these names can stand in the stub; see `need`."""
        return all(self.need(name, holder) for name in names)

    def is_builtin(self, name: str) -> bool:
        """Whether a name means the builtin one throughout the module."""
        return name in _BUILTINS and name not in self._module.definitions and name not in self._imports

    def add(self, module: str, name: str) -> str:
        """What a name that the stub imports for itself is called there: its own name, or `_` before it if taken."""
        taken = name in self._module.definitions or name in self._imports
        if taken and any(target == f"{module}.{name}" for _, target in self._imports.get(name, ())):
            self._used.add(name)
            return name
        local = f"_{name}" if taken else name
        self._added[local] = f"{module}.{name}"
        return local

    def export(self, name: str) -> bool:
        """Make an imported name part of what the stub offers; False where the module does not import it."""
        # `import nox.command` gives `nox`.
        if any(local in (name, target) for local, target in self._imports.get(name, ())):
            self._exported.add(name)
            return True
        return False

    def export_submodule(self, name: str) -> None:
        """Make a submodule part of what the stub of a package offers."""
        self._submodules.add(name)

    def imported(self) -> Iterator[tuple[str, str]]:
        """The names that the module's top level imports from elsewhere, with what they stand for."""
        return ((local, target) for pairs in self._imports.values() for local, target in pairs[:1])

    def is_of_older_python(self, local: str, facts: Iterable[Fact]) -> bool:
        """Whether the module defines a name only where the standard library, from which it has it, lacks it, or where
        a module of that lacks something else: `if not hasattr(datetime, "timezone")`."""
        guards = [str(each.aspects.get("guard", "")) for each in facts]
        lacking = [_LACKING.fullmatch(guard) for guard in guards]
        if guards and all(found and self._is_standard(found[1]) for found in lacking):
            return True
        return all(map(_NOT_FOUND.fullmatch, guards)) and self._is_standard(local)

    def _is_standard(self, local: str) -> bool:
        """Whether a name is imported from the standard library."""
        targets = [target for name, target in self._imports.get(local, ()) if name == local]
        return any(each.partition(".")[0] in sys.stdlib_module_names for each in targets)

    def lines(self, listed: frozenset[str]) -> list[str]:
        """The import statements, sorted; a name in `listed` (`__all__`) is offered without saying so again."""
        whole = {f"import {name}" for name in self._modules}
        parts: dict[str, set[str]] = {}
        for name in sorted(self._used | self._exported):
            pairs = self._imports[name]
            if all(local == target for local, target in pairs):
                whole.update(f"import {target}" for _, target in pairs)
                continue
            local, target = next(pair for pair in pairs if pair[0] != pair[1])
            self._add_line(whole, parts, local, target, name in self._exported and name not in listed)
        for local, target in self._added.items():
            self._add_line(whole, parts, local, target, offered=False)
        for name in self._submodules:
            parts.setdefault(self._module.name, set()).add(f"{name} as {name}")
        for target in self._module.stars:
            parts.setdefault(target, set()).add("*")
        froms = [line for module in sorted(parts) for line in _from(module, parts[module])]
        return [*sorted(whole), *froms]

    @staticmethod
    def _add_line(
        whole: set[str], parts: dict[str, set[str]], local: str, target: str, offered: bool
    ) -> None:
        module, _, name = target.rpartition(".")
        alias = f"{name} as {local}" if local != name or offered else name
        if module:
            parts.setdefault(module, set()).add(alias)
        else:
            whole.add(
                f"import {target}" if local == target and not offered else f"import {target} as {local}"
            )


def _from(module: str, names: set[str]) -> Iterator[str]:
    if "*" in names:
        yield f"from {module} import *"
    plain = sorted(names - {"*"})
    if not plain:
        return
    line = f"from {module} import {', '.join(plain)}"
    if len(line) <= _WIDTH:
        yield line
        return
    yield f"from {module} import (\n" + "".join(f"    {name},\n" for name in plain) + ")"


def platform_test(guard: str) -> str | None:
    """A condition that type checkers can decide, as they know it: on `sys.version_info` and `sys.platform` alone.

    None for all others. A test of `os.name` becomes the one of `sys.platform` that it amounts to.
    """
    parsed = parse(guard)
    if parsed is None:
        return None
    rewritten = _OfPlatform().visit(parsed)
    return ast.unparse(rewritten) if _is_decidable(rewritten) else None


class _OfPlatform(ast.NodeTransformer):
    """Writes `os.name == "nt"` as `sys.platform == "win32"`."""

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        match node:
            case ast.Compare(
                left=ast.Attribute(value=ast.Name(id="os"), attr="name"),
                ops=[ast.Eq() | ast.NotEq() as operation],
                comparators=[ast.Constant(value="nt" | "posix" as name)],
            ):
                equal = isinstance(operation, ast.Eq) == (name == "nt")
                platform = ast.Attribute(ast.Name("sys"), "platform")
                return ast.Compare(platform, [ast.Eq() if equal else ast.NotEq()], [ast.Constant("win32")])
            case _:
                return node


_NOT_FOUND = re.compile(r"except (?:ImportError|ModuleNotFoundError|AttributeError)")
_LACKING = re.compile(r"not hasattr\((\w+), ['\"]\w+['\"]\)")
_OF_PYTHON_2 = re.compile(r"(?:\w+\.)*_?(?:is_?)?py(?:thon)?_?2", re.IGNORECASE)


def is_for_type_checkers(guard: str) -> bool:
    """Whether a condition holds for type checkers alone."""
    return guard in {"TYPE_CHECKING", "typing.TYPE_CHECKING", "t.TYPE_CHECKING"}


def is_for_scripts(guard: str) -> bool:
    """Whether a condition holds only where a module is run, `__name__ == "__main__"`, never where it is imported."""
    parsed = parse(guard)
    return parsed is not None and _is_for_scripts(parsed)


def _is_for_scripts(test: ast.expr) -> bool:
    match test:
        case ast.BoolOp(op=ast.And(), values=parts):
            return any(map(_is_for_scripts, parts))
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return {ast.unparse(left), ast.unparse(right)} == {"__name__", "'__main__'"}
        case _:
            return False


def _is_decidable(test: ast.expr) -> bool:
    match test:
        case ast.BoolOp(values=parts):
            return all(map(_is_decidable, parts))
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return _is_decidable(part)
        case ast.Compare(left=left, comparators=others):
            return _is_of_system(left) and all(map(is_literal, others))
        case ast.Call(func=ast.Attribute(value=text, attr="startswith"), args=arguments):
            return _is_of_system(text) and all(map(is_literal, arguments))
        case _:
            return False


def _is_of_system(expression: ast.expr) -> bool:
    match expression:
        case ast.Subscript(value=inner):
            return _is_of_system(inner)
        case ast.Attribute(value=ast.Name(id="sys"), attr="platform" | "version_info"):
            return True
        case _:
            return False


def variants(facts: tuple[Fact, ...]) -> list[tuple[str, list[Fact]]]:
    """The definitions of one name that a stub shows, by the platform test around them (empty for none).

    What is defined without a condition wins over what is not; of conditions that nobody can decide, the first. All
    values that an attribute may get count, whatever they depend on, where it has one without such a test. What is
    defined only where the module is run, or by Python 2, is none of it.
    """
    guards = ((fact, str(fact.aspects.get("guard", ""))) for fact in facts)
    facts = tuple(
        fact for fact, guard in guards if not (is_for_scripts(guard) or _OF_PYTHON_2.fullmatch(guard))
    )
    if not facts:
        return []
    plain = [fact for fact in facts if not fact.aspects.get("guard")]
    attributes = all(fact.kind is Kind.ATTRIBUTE for fact in facts)
    if plain:
        return [("", list(facts) if attributes else plain)]
    groups: dict[str, list[Fact]] = {}
    for fact in facts:
        groups.setdefault(fact.aspects["guard"], []).append(fact)
    tested = [(test, group) for guard, group in groups.items() if (test := platform_test(guard))]
    return tested or [("", list(facts) if attributes else next(iter(groups.values())))]
