"""Whether the statement that asks for a value may refuse the request for what it finds."""

from __future__ import annotations

import ast

from ingest.web.program.nulls import is_none
from ingest.web.syntax.flow_words import CONTAINER_METHODS


def may_refuse(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether the statement that a test stands in may end the function, or call what refuses, for want of the value."""
    outer: ast.AST | None = node
    while outer is not None and not isinstance(outer, ast.stmt):
        if isinstance(outer, ast.comprehension) or (
            isinstance(outer, ast.IfExp) and _is_filled(node, outer, parents)
        ):
            return False
        outer = parents.get(outer)
    if isinstance(outer, ast.Assign | ast.AnnAssign | ast.AugAssign):
        return False
    if not isinstance(outer, ast.If):
        return True
    holds = _without_value(node, outer, parents)
    reached = {None: [*outer.body, *outer.orelse], True: outer.body, False: outer.orelse}[holds]
    return any(
        isinstance(part, ast.Raise | ast.Return | ast.Assert | ast.Await)
        or (isinstance(part, ast.Subscript) and not isinstance(part.slice, ast.Slice))
        or (isinstance(part, ast.Expr) and not _is_put(part.value))
        for statement in reached
        for part in ast.walk(statement)
    )


def _is_filled(node: ast.AST, choice: ast.IfExp, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether a choice only puts something plain in the place of a value that is not there: `x if x else None`."""
    inside: ast.AST | None = node
    while inside is not None and inside is not choice.test:
        inside = parents.get(inside) if inside is not choice else None
    if inside is None:
        return False
    holds = _without_value(node, choice, parents)
    reached = {None: [choice.body, choice.orelse], True: [choice.body], False: [choice.orelse]}[holds]
    return all(is_none(each) or isinstance(each, ast.Name) or _is_text(each) for each in reached)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _without_value(
    node: ast.AST, statement: ast.If | ast.IfExp, parents: dict[ast.AST, ast.AST]
) -> bool | None:
    """Whether the test of a statement holds where the value that is tested is not there; None where that is open."""
    holds = isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.Eq)
    if isinstance(node, ast.Compare) and not (len(node.ops) == 1 and _is_held_against_none(node)):
        return None
    while node is not statement.test:
        outer = parents.get(node)
        if isinstance(outer, ast.UnaryOp) and isinstance(outer.op, ast.Not):
            holds = not holds
        elif not isinstance(outer, ast.BoolOp) or isinstance(outer.op, ast.Or) is not holds:
            return None
        node = outer
    return holds


def _is_held_against_none(node: ast.Compare) -> bool:
    """Whether something is held against None, by `is` or by equality."""
    plain = isinstance(node.ops[0], ast.Is | ast.IsNot | ast.Eq | ast.NotEq)
    return plain and any(is_none(e) for e in (node.left, *node.comparators))


def _is_put(node: ast.expr) -> bool:
    called = node.func if isinstance(node, ast.Call) else None
    return isinstance(called, ast.Attribute) and called.attr in CONTAINER_METHODS


def always_ends(body: list[ast.stmt]) -> bool:
    """Whether what follows a block is never reached through it."""
    last = body[-1]
    if isinstance(last, ast.Try):
        return always_ends(last.orelse or last.body) and all(always_ends(each.body) for each in last.handlers)
    if isinstance(last, ast.If):
        return bool(last.orelse) and always_ends(last.body) and always_ends(last.orelse)
    return isinstance(last, ast.Return | ast.Raise) or (isinstance(last, ast.With) and always_ends(last.body))
