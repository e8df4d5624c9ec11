"""Loops over tables that stand in the source, one round after the other."""

from __future__ import annotations

import ast

from ingest.web.constants import elements, entries
from ingest.web.imported_names import listed_modules, with_imports
from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.symbol_table import Loop
from ingest.web.targets import Target

_MOST = 200


def rounds(program: Program, call: ast.Call, scope: Scope) -> list[Scope]:
    """The scope as each round of the loops around a call sees it; the scope alone where they cannot be followed."""
    found = [scope]
    for loop in scope.loops(call):
        unrolled: list[Scope] = []
        for outer in found:
            table = _table(program, loop, outer)
            if table is None or len(unrolled) + len(table) > _MOST:
                return [scope]
            unrolled += [with_imports(outer.round(given), loop) for given in table]
        found = unrolled
    return found


def _table(program: Program, loop: Loop, scope: Scope) -> list[dict[str, Target]] | None:
    """What the names of a loop stand for, round by round."""
    modules = listed_modules(program, loop, scope)
    if modules is not None:
        return modules
    table, target = _itemised(loop.iter), loop.target
    if table is not None and isinstance(target, ast.Tuple) and len(target.elts) == 2:
        pairs = entries(program, table, scope)
        if pairs is None:
            return None
        rows = [
            _joined(
                _given(program, target.elts[0], key, place), _given(program, target.elts[1], value, place)
            )
            for key, value, place in pairs
        ]
    else:
        listed = elements(program, loop.iter, scope)
        if listed is None:
            return None
        rows = [_given(program, target, element, place) for element, place in listed]
    known = [row for row in rows if row is not None]
    return known if len(known) == len(rows) else None


def _itemised(node: ast.expr) -> ast.expr | None:
    """The dictionary of `dictionary.items()`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "items":
        return node.func.value
    return None


def _given(program: Program, target: ast.expr, node: ast.expr, scope: Scope) -> dict[str, Target] | None:
    """What the names of a target stand for where an expression is assigned to it."""
    if isinstance(target, ast.Name):
        found = program.resolve(node, scope)
        return None if found is None else {target.id: found}
    if not isinstance(target, ast.Tuple | ast.List):
        return None
    parts = elements(program, node, scope)
    if parts is None or len(parts) != len(target.elts):
        return None
    given: dict[str, Target] | None = {}
    for name, (part, place) in zip(target.elts, parts, strict=True):
        given = _joined(given, _given(program, name, part, place))
    return given


def _joined(first: dict[str, Target] | None, second: dict[str, Target] | None) -> dict[str, Target] | None:
    return None if first is None or second is None else {**first, **second}
