"""Whether the statement that asks for a value may refuse the request for what it finds."""

from __future__ import annotations

import ast

from ingest.web.flow_words import CONTAINER_METHODS


def may_refuse(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether the statement that a test stands in may end the function, or call what refuses."""
    outer: ast.AST | None = node
    while outer is not None and not isinstance(outer, ast.stmt):
        if isinstance(outer, ast.comprehension):
            return False
        outer = parents.get(outer)
    if isinstance(outer, ast.Assign | ast.AnnAssign | ast.AugAssign):
        return False
    if not isinstance(outer, ast.If):
        return True
    return any(
        isinstance(part, ast.Raise | ast.Return | ast.Assert | ast.Await)
        or (isinstance(part, ast.Subscript) and not isinstance(part.slice, ast.Slice))
        or (isinstance(part, ast.Expr) and not _is_put(part.value))
        for statement in [*outer.body, *outer.orelse]
        for part in ast.walk(statement)
    )


def _is_put(node: ast.expr) -> bool:
    called = node.func if isinstance(node, ast.Call) else None
    return isinstance(called, ast.Attribute) and called.attr in CONTAINER_METHODS
