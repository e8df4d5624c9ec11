"""What a FastAPI application serves: its own OpenAPI document and its routes, with those of mounted applications."""

from __future__ import annotations

import importlib

from fastapi import FastAPI
from starlette.routing import Mount


def export(module, options):
    """The contract and the routes of the application that a module makes."""
    names = vars(importlib.import_module(module))
    application = names.get(options.get("variable", "app"))
    if not isinstance(application, FastAPI):
        application = next((value for value in names.values() if isinstance(value, FastAPI)), None)
    if application is None:
        raise LookupError("the module makes no FastAPI application")
    contract = application.openapi() if application.openapi_url else FastAPI.openapi(application)
    return {"contract": contract, "routes": list(_routes(application, ""))}


def _routes(application, prefix):
    for route in application.routes:
        if isinstance(route, Mount):
            inner = getattr(route, "app", None)
            if hasattr(inner, "routes"):
                yield from _routes(inner, prefix + route.path)
            continue
        for method in sorted(getattr(route, "methods", None) or ()):
            yield [method, prefix + route.path]
