"""Models and tables of fields that functions of the project make of what a call gives them: `paged(book)`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget, ValueTarget
from ingest.web.routing.made_views import as_called
from ingest.web.syntax.bindings import Bound
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances, returned

Table: TypeAlias = list[tuple[ast.expr, ast.expr, Scope]]
Read: TypeAlias = Callable[[ast.expr, Scope], Table | None]
"""Gives the keys and values of a table that stands in the source."""


def made_of(
    program: Program, instances: Instances, call: ast.Call, scope: Scope
) -> tuple[ast.expr, Scope] | None:
    """What a function of the project gives where it is called so; None where that may be several things."""
    called = program.resolve(call.func, scope) or instances.callee(call.func, scope)
    if not isinstance(called, FunctionTarget):
        return None
    results = returned(as_called(program, called, call, scope))
    return results[0] if len(results) == 1 else None


def made_table(
    program: Program, instances: Instances, node: ast.expr, scope: Scope, read: Read
) -> Table | None:
    """The entries of a table that a function makes of another: a copy of what it is given, and what it puts in."""
    target = program.resolve(node, scope)
    if isinstance(target, ValueTarget) and target.node is not None:
        node, scope = target.node, target.scope
    made = made_of(program, instances, node, scope) if isinstance(node, ast.Call) else None
    if made is None:
        return None
    value, inner = made
    if not isinstance(value, ast.Name):
        return read(value, inner)
    bindings = inner.bindings.get(value.id, [])
    if len(bindings) != 1 or bindings[0].how is not Bound.VALUE or bindings[0].value is None:
        return None
    found = read(_copied(bindings[0].value), inner)
    body = getattr(inner.node, "body", None)
    for statement in body if isinstance(body, list) else ():
        more = _put_in(statement, value.id)
        if more is not None and found is not None:
            added = read(more, inner)
            found = None if added is None else [*found, *added]
        elif more is None and _changes(statement, value.id):
            return None
    return found


def _copied(node: ast.expr) -> ast.expr:
    """What an expression copies: `dict(table)`, `table.copy()`; any other expression as it is."""
    match node:
        case ast.Call(func=ast.Name(id="dict"), args=[table], keywords=[]):
            return table
        case ast.Call(func=ast.Attribute(value=table, attr="copy"), args=[]):
            return table
    return node


def _put_in(statement: ast.stmt, name: str) -> ast.expr | None:
    """The table that a statement puts into the one of this name."""
    match statement:
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=ast.Name(id=owner), attr="update"), args=[more], keywords=[]
            )
        ) if owner == name:
            return more
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=owner), slice=key)], value=value) if (
            owner == name
        ):
            return ast.copy_location(ast.Dict([key], [value]), statement)
    return None


def _changes(statement: ast.stmt, name: str) -> bool:
    """Whether a statement may do something with the table of this name other than making or giving it."""
    if isinstance(statement, ast.Assign | ast.AnnAssign | ast.Return):
        return False
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(statement))
