"""What a Litestar application serves: its own OpenAPI document and its routes."""

from __future__ import annotations

import importlib

from litestar.routes import HTTPRoute


def export(module, options):
    """The contract and the routes of the application that a module makes."""
    application = getattr(importlib.import_module(module), options.get("variable", "app"))
    contract = application.openapi_schema.to_schema()
    routes = [
        [str(method), route.path_format]
        for route in application.routes
        if isinstance(route, HTTPRoute) and not route.path.startswith("/schema")
        for method in sorted(route.methods)
        if method != "OPTIONS"
    ]
    return {"contract": contract, "routes": routes}
