"""Lists that functions and methods of a project put together: `routes=[*pages(), api("/v1")]`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ingest.web.constants.possible import Element, possible_elements
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget, LoopTarget, ValueTarget
from ingest.web.syntax.scopes import Scope
from ingest.web.values.as_told import as_told, told_by
from ingest.web.values.instances import Instances, returned

_DEPTH = 12


def table_rows(
    program: Program, instances: Instances, node: ast.expr, scope: Scope, depth: int = 0
) -> list[Element] | None:
    """The expressions of a list's elements, each made by a call or not known; None where a part of it is not known.

    What a function makes is read in a copy of it, in which its parameters are what it is given.
    """
    if depth > _DEPTH:
        return None
    match node:
        case ast.List() | ast.Tuple():
            parts = [
                table_rows(program, instances, each.value, scope, depth + 1)
                if isinstance(each, ast.Starred)
                else _rows(program, instances, each, scope, True, depth)
                for each in node.elts
            ]
            return None if None in parts else [row for part in parts for row in part or ()]
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            sides = [table_rows(program, instances, each, scope, depth + 1) for each in (left, right)]
            return None if None in sides else [row for side in sides for row in side or ()]
    known = possible_elements(program, node, scope)
    if known is not None:
        return _once(row for each in known for row in _rows(program, instances, *each, depth))
    target = program.resolve(node, scope)
    if isinstance(target, ValueTarget) and target.node is not node and target.node is not None:
        return table_rows(program, instances, target.node, target.scope, depth + 1)
    made = _made(program, instances, node, scope)
    return table_rows(program, instances, *made, depth + 1) if made is not None else None


def _once(rows: Iterator[Element]) -> list[Element]:
    """Rows without those that a condition and its other branch both give."""
    found: dict[tuple[ast.expr, Scope], bool] = {}
    for node, scope, certain in rows:
        found[node, scope] = certain or found.get((node, scope), False)
    return [(*row, certain) for row, certain in found.items()]


def _rows(
    program: Program, instances: Instances, node: ast.expr, scope: Scope, certain: bool, depth: int
) -> list[Element]:
    """An element, or all those for which the variable of a loop stands that puts it into the list."""
    looped = program.resolve(node, scope) if isinstance(node, ast.Name) and depth < _DEPTH else None
    if isinstance(looped, LoopTarget):
        rows = table_rows(program, instances, looped.iterable, looped.scope, depth + 1)
        if rows is not None:
            return [(made, inner, certain and sure) for made, inner, sure in rows]
    return [_row(program, instances, node, scope, certain, depth)]


def _row(
    program: Program, instances: Instances, node: ast.expr, scope: Scope, certain: bool, depth: int
) -> Element:
    """An element, or what a function of the project gives for it."""
    target = program.resolve(node, scope)
    if isinstance(target, ValueTarget) and target.node is not None:
        node, scope = target.node, target.scope
    made = _made(program, instances, node, scope) if depth < _DEPTH else None
    return _row(program, instances, *made, certain, depth + 1) if made is not None else (node, scope, certain)


def _made(
    program: Program, instances: Instances, node: ast.expr, scope: Scope
) -> tuple[ast.expr, Scope] | None:
    """The only expression that a function of the project returns for a call of it."""
    called = instances.callee(node.func, scope) if isinstance(node, ast.Call) else None
    if not isinstance(node, ast.Call) or not isinstance(called, FunctionTarget):
        return None
    if isinstance(called.node, ast.Lambda):
        return called.node.body, called.body
    copied = program.remember(
        ("as told", called.node, node, scope),
        lambda: as_told(program, called, told_by(program, called, node, scope)),
    )
    assert copied.parent is not None, "functions stand in modules or further in"
    results = returned(FunctionTarget(copied.node, copied.parent))  # type: ignore[arg-type]  # a copy of a function
    return results[0] if len(results) == 1 else None
