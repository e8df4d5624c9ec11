"""Values of a request that are answered as they were taken: `{"page": request.args.get("page", 1, type=int)}`."""

from __future__ import annotations

import ast
from typing import Final

from graph.schema_algebra import Schema, implied
from ingest.web.constants.constants import Missing
from ingest.web.requests.values import RequestValues
from ingest.web.syntax.scopes import Scope

_KINDS: Final = {"string": str, "integer": int, "number": float}
_PLACES: Final = frozenset({"query", "form", "header", "cookie", "path"})


def taken_value(values: RequestValues, node: ast.expr, scope: Scope) -> Schema | None:
    """The form of a value of the request, where an expression is one whose type is known; else None."""
    part = values.of(node, scope)
    if part is None or not part.name or part.place not in _PLACES or part.type not in _KINDS or part.filled:
        return None
    made: Schema = {"type": part.type}
    if isinstance(part.default, Missing):
        return made if part.given else implied(made, "null")
    return made if type(part.default) is _KINDS[part.type] else None
