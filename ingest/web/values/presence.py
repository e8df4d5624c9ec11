"""Whether a value is only looked at where the code has seen that it is there."""

from __future__ import annotations

import ast
from collections.abc import Mapping


def is_guarded(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether what is done with a variable here is done only where it is neither None nor empty."""
    if not isinstance(node, ast.Name):
        return False
    name = node.id
    child: ast.AST = node
    outer = parents.get(node)
    while outer is not None:
        if isinstance(outer, ast.BoolOp) and child in outer.values:
            before = outer.values[: outer.values.index(child)]
            seen = _is_present if isinstance(outer.op, ast.And) else _is_absent
            if any(seen(each, name) for each in before):
                return True
        elif isinstance(outer, ast.If | ast.IfExp):
            body = outer.body if isinstance(outer.body, list) else [outer.body]
            orelse = outer.orelse if isinstance(outer.orelse, list) else [outer.orelse]
            if (child in body and _is_present(outer.test, name)) or (
                child in orelse and _is_absent(outer.test, name)
            ):
                return True
        child, outer = outer, parents.get(outer)
    return False


def left_before(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str, line: int) -> bool:
    """Whether a function has ended before this line where a variable is None: `if name is None: return`."""
    return any(
        isinstance(each, ast.If)
        and _is_absent(each.test, name)
        and isinstance(each.body[-1], ast.Return | ast.Raise)
        and (each.end_lineno or line) < line
        for each in function.body
    )


def _is_present(test: ast.expr, name: str) -> bool:
    """Whether a test that holds tells that the variable has a value."""
    match test:
        case ast.Name(id=found):
            return found == name
        case ast.NamedExpr(target=ast.Name(id=found)):
            return found == name
        case ast.Compare(
            left=ast.Name(id=found), ops=[ast.IsNot() | ast.NotEq()], comparators=[ast.Constant(value=None)]
        ):
            return found == name
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _is_absent(inner, name)
        case ast.BoolOp(op=ast.And(), values=values):
            return any(_is_present(each, name) for each in values)
    return False


def _is_absent(test: ast.expr, name: str) -> bool:
    """Whether a test that does not hold tells that the variable has a value."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _is_present(inner, name)
        case ast.Compare(
            left=ast.Name(id=found), ops=[ast.Is() | ast.Eq()], comparators=[ast.Constant(value=None)]
        ):
            return found == name
        case ast.BoolOp(op=ast.Or(), values=values):
            return any(_is_absent(each, name) for each in values)
    return False
