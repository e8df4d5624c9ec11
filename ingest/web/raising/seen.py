"""What the functions of a module call and raise, by name, so that its syntax tree need not be kept for it."""

from __future__ import annotations

import ast
from contextlib import nullcontext
from typing import TypeAlias

import msgspec

from ingest.web.program.program import Program
from ingest.web.raising.fitting import Given, Taken
from ingest.web.raising.telling import Telling, is_caught, scope_around
from ingest.web.syntax.bindings import Bound
from ingest.web.syntax.modules import Module
from ingest.web.syntax.naming import call_at
from ingest.web.syntax.scopes import Scope

Named: TypeAlias = tuple[str, bool]
"""The name of a function, and whether it is called on a value (`order.pay()`)."""
Called: TypeAlias = tuple[str, bool, Given]
"""The same of a call, with what it gives."""
_IMPORTED = (Bound.MODULE, Bound.MEMBER)


class Told(msgspec.Struct, frozen=True, eq=False):
    """One function: its name, what it takes, what it calls by which name, and what it raises in which scope."""

    own: Named
    taken: Taken
    called: frozenset[Called]
    raised: list[tuple[ast.Raise, Scope]]


class Seen(msgspec.Struct, frozen=True, eq=False):
    """A module as it was seen in passing; `names` stands for it where its tree was not kept: its imports alone."""

    name: str
    imports: list[str]
    functions: list[Told]
    names: Module | None = None

    def shows(self, program: Program, telling: Telling, told: Told) -> bool:
        """Whether something that a function raises can show in the status of an answer."""
        if not told.raised:
            return False
        with program.standing_in(self.names) if self.names is not None else nullcontext():
            return any(telling.tells(each, scope) for each, scope in told.raised)


def without_tree(seen: Seen, module: Module) -> Seen | None:
    """The same without the module's tree, or None where only that tells what is raised."""
    tree = ast.Module(_imports(module.tree.body), [])
    names = Module.of(module.name, module.path, module.package, tree)
    functions = []
    for told in seen.functions:
        raised = []
        for each, scope in told.raised:
            inner = scope_around(each, scope)
            if each.exc is None or (isinstance(each.exc, ast.Name) and is_caught(each.exc.id, inner)):
                continue
            if not _is_imported(each.exc, inner):
                return None
            raised.append((_short(each), names.scope))
        functions.append(Told(told.own, told.taken, told.called, raised))
    return Seen(seen.name, seen.imports, functions, names)


def _short(node: ast.Raise) -> ast.Raise:
    """A statement that raises, without what the exception is given."""
    made = node.exc
    if isinstance(made, ast.Call):
        made = call_at(made.func, made)
    return ast.copy_location(ast.Raise(made, None), node)


def _is_imported(node: ast.expr, scope: Scope) -> bool:
    """Whether an exception is one that the top of the module imports, or a builtin."""
    while isinstance(node, ast.Call | ast.Attribute):
        node = node.func if isinstance(node, ast.Call) else node.value
    if not isinstance(node, ast.Name):
        return False
    owner: Scope | None = scope
    while owner is not None and node.id not in owner.bindings:
        owner = owner.parent
    if owner is None:
        return True
    return owner.parent is None and all(binding.how in _IMPORTED for binding in owner.bindings[node.id])


def _imports(statements: list[ast.stmt]) -> list[ast.stmt]:
    """The statements at the top of a module that import something, within their conditions."""
    found: list[ast.stmt] = []
    for each in statements:
        if isinstance(each, ast.Import | ast.ImportFrom) or (
            isinstance(each, ast.If | ast.Try)
            and any(isinstance(part, ast.Import | ast.ImportFrom) for part in ast.walk(each))
        ):
            found.append(each)
    return found
