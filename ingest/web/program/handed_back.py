"""Decorators that are called as the functions that they are: `X = extend_schema(…)(X)`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from ingest.web.program.targets import External, Target

_ROOT: Final = "drf_spectacular"
_NOTING: Final = frozenset(
    {"extend_schema", "extend_schema_view", "extend_schema_serializer", "extend_schema_field"}
)


def handed_back(value: ast.expr | None, resolve: Callable[[ast.expr], Target | None]) -> ast.expr | None:
    """What a call gives back after it only noted something on it; None where a call does not do so."""
    match value:
        case ast.Call(func=ast.Call(func=made), args=[ast.Name() | ast.Attribute() as taken], keywords=[]):
            found = resolve(made)
            known = isinstance(found, External) and found.root == _ROOT and found.name in _NOTING
            return taken if known else None
    return None
