"""Managers that Django makes of a class of query sets: what they are called for, that class has."""

from __future__ import annotations

import ast


def made_from(node: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """The manager's class and that of its query sets where one is made of both: `Manager.from_queryset(Orders)`."""
    match node:
        case ast.Call(func=ast.Attribute(attr="from_queryset", value=manager), args=[rows, *_]):
            return manager, rows
    return None


def manages(node: ast.Call) -> ast.expr | None:
    """The class of query sets of which a call makes a manager: `Orders.as_manager()`."""
    match node:
        case ast.Call(func=ast.Attribute(attr="as_manager", value=rows), args=[], keywords=[]):
            return rows
        case ast.Call(func=ast.Call() as made):
            both = made_from(made)
            return both[1] if both is not None else None
    return None
