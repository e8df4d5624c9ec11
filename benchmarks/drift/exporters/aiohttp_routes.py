"""What an aiohttp application serves: its table of routes, with those of its parts."""

from __future__ import annotations

import importlib


def export(module, options):
    """The routes of the application that a module makes; aiohttp exports no contract."""
    application = getattr(importlib.import_module(module), options.get("variable", "app"))
    found = set()
    for route in application.router.routes():
        path = route.resource.canonical if route.resource is not None else ""
        verbs = [route.method]
        if route.method == "*":
            verbs = [
                name
                for name in ("GET", "POST", "PUT", "PATCH", "DELETE")
                if hasattr(route.handler, name.lower())
            ]
        found.update((verb, path) for verb in verbs if verb != "HEAD")
    return {"contract": None, "routes": sorted(map(list, found))}
