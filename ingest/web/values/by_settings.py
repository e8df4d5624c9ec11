"""Classes that a setting may name, with the one that stands where none does: `SETTINGS.get("BOOK", BookForm)`."""

from __future__ import annotations

import ast

from ingest.web.constants.constants import entries, text_of
from ingest.web.constants.outside_values import SETTINGS, setting
from ingest.web.program.program import Program
from ingest.web.program.targets import ValueTarget
from ingest.web.syntax.scopes import Scope

_DEPTH = 6


def named_by_setting(
    program: Program, node: ast.expr, scope: Scope, depth: int = 0
) -> tuple[ast.expr, Scope] | None:
    """What the settings give for an expression that asks them with a default; None for any other expression, and where
    the settings are not known."""
    if depth > _DEPTH:
        return None
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Constant(value=str(name)), default]) if (
            program.resolve(owner, scope) == SETTINGS
        ):
            said = setting(program, name)
            return said if isinstance(said, tuple) else (default, scope) if said is False else None
        case ast.Call(func=ast.Attribute(attr="get", value=owner), args=[key, default]):
            table = _table(program, owner, scope, depth)
            wanted = text_of(program, key, scope)
            if table is None or wanted is None:
                return None
            given = [
                (value, place) for each, value, place in table if text_of(program, each, place) == wanted
            ]
            return given[-1] if given else (default, scope)
    target = program.resolve(node, scope) if isinstance(node, ast.Name) else None
    if isinstance(target, ValueTarget) and isinstance(target.node, ast.Call) and target.node is not node:
        return named_by_setting(program, target.node, target.scope, depth + 1)
    return None


def _table(
    program: Program, owner: ast.expr, scope: Scope, depth: int
) -> list[tuple[ast.expr, ast.expr, Scope]] | None:
    """The entries of a dictionary out of the settings."""
    found = named_by_setting(program, owner, scope, depth + 1)
    return entries(program, *found) if found is not None else None
