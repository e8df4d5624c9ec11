"""What a statement that always runs before put into an attribute that is read."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from graph.schema_algebra import Schema, implied
from graph.schemas import is_unknown
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope


def set_or_kept(
    node: ast.Attribute, scope: Scope, schema: Callable[[ast.expr], Schema], kept: Callable[[], Schema]
) -> Schema:
    """The form of an attribute's value: of what was put there before, else of what its owner keeps there.

    What was put there a moment ago may not be null, though others may leave the attribute empty.
    """
    value = _set_before(node, scope)
    put = schema(value) if value is not None else None
    if put is not None and not is_unknown(put):
        return put
    found = kept()
    return found if put is None or is_unknown(found) else implied(found, "null")


def _set_before(node: ast.Attribute, scope: Scope) -> ast.expr | None:
    """The value that the attribute of a name surely has where it is read; None where no statement in sight sets it."""
    if not isinstance(node.value, ast.Name) or not isinstance(scope.node, Function):
        return None
    found: ast.expr | None = None
    for statement in _before(scope.node.body, node):
        for part in ast.walk(statement):
            if (
                isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and part.id == node.value.id
            ) or (
                isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store) and _is_same(part, node)
            ):
                found = None
        match statement:
            case ast.Assign(targets=[ast.Attribute() as target], value=value) if _is_same(target, node):
                found = value
    return found


def _before(body: list[ast.stmt], node: ast.Attribute) -> Iterator[ast.stmt]:
    """The statements that run before the one that holds the node, those around it entered."""
    for statement in body:
        if statement.lineno > node.lineno:
            return
        if (statement.end_lineno or statement.lineno) < node.lineno:
            yield statement
            continue
        for name in ("body", "orelse", "handlers", "finalbody"):
            inner = [each for each in getattr(statement, name, ()) if isinstance(each, ast.stmt)]
            if inner and inner[0].lineno <= node.lineno <= (inner[-1].end_lineno or 0):
                yield from _before(inner, node)
        return


def _is_same(target: ast.Attribute, node: ast.Attribute) -> bool:
    return target.attr == node.attr and ast.dump(target.value).replace("Store", "Load") == ast.dump(
        node.value
    )
