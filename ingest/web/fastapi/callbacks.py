"""The routers whose routes FastAPI documents as callbacks: requests that an application sends because of others."""

from __future__ import annotations

import ast

from ingest.web.program.calls import argument
from ingest.web.routing.sites import Site, Sites
from ingest.web.syntax.scopes import Scope


def called_back(sites: Sites, call: ast.Call, scope: Scope) -> list[Site]:
    """The routers that a call names in `callbacks=`, by their routes: `router.routes`, sums and lists of such."""
    found: list[Site] = []
    waiting = [argument(call, None, "callbacks")]
    while waiting:
        match waiting.pop():
            case ast.Attribute(attr="routes", value=router):
                found += sites.of(router, scope)
            case ast.BinOp(op=ast.Add(), left=left, right=right):
                waiting += [right, left]
            case ast.List(elts=elements) | ast.Tuple(elts=elements):
                waiting += [each.value for each in reversed(elements) if isinstance(each, ast.Starred)]
    return found
