"""The addresses that applications of FastAPI have for their own contract and its pages: `app.docs_url`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from graph.facts import ROUTES_ENDING, Unknown
from ingest.web.constants.constants import setting_of
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.program import Program
from ingest.web.routing.sites import Event, Site, Sites
from ingest.web.syntax.scopes import Scope

METHODS = ("get", "post", "put", "patch", "delete", "options", "head", "trace")
_LEFT_OUT = "the router is included nowhere that can be seen"
_PARAMETER = re.compile(r"\{[^}]*\}")
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


def left_out(
    program: Program, sites: Sites, site: Site, prefix: str | None, events: Iterable[Event]
) -> list[Unknown]:
    """What is unknown of a router that nobody includes: how its routes end, or where one of them does not tell, that
    there are some."""
    endings: list[str] | None = []
    for event in events:
        path = path_of(program, sites, argument(event.call, 0, "path"), event.scope)
        if endings is not None and prefix is not None and path is not None and event.method in METHODS:
            endings.append(f"{ROUTES_ENDING}{event.method.upper()} {_PARAMETER.sub('{}', prefix + path)}")
        else:
            endings = None
    place = program.place(site.node, site.scope)
    subjects = [f"{site.kind} {place.path}"] if endings is None else dict.fromkeys(endings)
    return [Unknown(subject, "routes", place.path, place.line, _LEFT_OUT) for subject in subjects]
