"""What an assertion says of an expression."""

from __future__ import annotations

import ast

from graph.literals import is_literal


def asserted(node: ast.Assert) -> list[str]:
    """An assertion as an expression and its value."""
    match node.test:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]) if is_literal(
            ast.unparse(right)
        ):
            return [ast.unparse(left), ast.unparse(right)]
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return [ast.unparse(node.test), "True"]
    return [f"bool({ast.unparse(node.test)})", "True"]


def asserted_line(source: str) -> list[str] | None:
    """A line of a console as an expression and its value, where it is an assertion; None for all others."""
    if not source.startswith("assert "):
        return None
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    match tree.body:
        case [ast.Assert() as node]:
            return asserted(node)
    return None
