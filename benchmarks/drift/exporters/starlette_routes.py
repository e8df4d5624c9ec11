"""What a Starlette application serves: its table of routes, with those of what is mounted."""

from __future__ import annotations

import importlib
import re

from starlette.endpoints import HTTPEndpoint
from starlette.routing import Host, Mount, Route


def export(module, options):
    """The routes of the application that a module makes; Starlette exports no contract."""
    application = getattr(importlib.import_module(module), options.get("variable", "app"))
    return {"contract": None, "routes": [list(route) for route in _routes(application.routes, "")]}


def _routes(routes, prefix):
    for route in routes:
        if isinstance(route, Mount | Host):
            yield from _routes(route.routes or [], prefix + getattr(route, "path", ""))
        elif isinstance(route, Route):
            path = re.sub(r":\w+}", "}", prefix + route.path)
            yield from ((verb, path) for verb in _methods(route) if verb != "HEAD")


def _methods(route):
    if isinstance(route.endpoint, type) and issubclass(route.endpoint, HTTPEndpoint):
        return [v for v in ("GET", "POST", "PUT", "PATCH", "DELETE") if hasattr(route.endpoint, v.lower())]
    return sorted(route.methods or ())
