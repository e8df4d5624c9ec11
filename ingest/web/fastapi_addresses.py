"""The addresses that applications of FastAPI have for their own contract and its pages: `app.docs_url`."""

from __future__ import annotations

import ast

from ingest.web.calls import argument, has_stars
from ingest.web.constants import setting_of
from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.sites import Sites

_DEFAULTS = {
    "openapi_url": "/openapi.json",
    "docs_url": "/docs",
    "redoc_url": "/redoc",
    "swagger_ui_oauth2_redirect_url": "/docs/oauth2-redirect",
}


def path_of(program: Program, sites: Sites, node: ast.expr | None, scope: Scope) -> str | None:
    """The path that an expression stands for, also where an application says it itself; None where it is not known."""
    found = setting_of(program, node, scope)
    if found is not None or not isinstance(node, ast.Attribute) or node.attr not in _DEFAULTS:
        return found
    told = [site for site in sites.of(node.value, scope) if site.kind == "FastAPI"]
    if len(told) != 1 or has_stars(told[0].call):
        return None
    written = argument(told[0].call, None, node.attr)
    return _DEFAULTS[node.attr] if written is None else setting_of(program, written, told[0].scope)
