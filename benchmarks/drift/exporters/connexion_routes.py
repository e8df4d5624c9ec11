"""What a Connexion application serves: what it builds from its contract."""

from __future__ import annotations

import importlib
import re


def export(module, options):
    """The routes of the application that a module makes; its contract is the one that it is given."""
    application = getattr(importlib.import_module(module), options.get("variable", "app"))
    application.middleware._build_middleware_stack()
    return {"contract": None, "routes": sorted(map(list, set(_served(application))))}


def _served(application):
    """Method and path of each rule of Flask, or of each operation of an asynchronous application."""
    if not hasattr(application, "app"):
        for apis in application._middleware_app.apis.values():
            for api in apis:
                for path, methods in api.specification["paths"].items():
                    yield from (
                        (verb.upper(), api.base_path + path) for verb in methods if verb != "parameters"
                    )
        return
    for rule in application.app.url_map.iter_rules():
        path = re.sub(r"<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", rule.rule)
        if "/static/" not in path:
            yield from ((verb, path) for verb in rule.methods - {"HEAD", "OPTIONS"})
