"""What a Connexion application serves: the rules of the Flask application that it builds from its contract."""

from __future__ import annotations

import importlib
import re


def export(module, options):
    """The routes of the application that a module makes; its contract is the one that it is given."""
    application = getattr(importlib.import_module(module), options.get("variable", "app"))
    application.middleware._build_middleware_stack()
    found = set()
    for rule in application.app.url_map.iter_rules():
        path = re.sub(r"<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", rule.rule)
        found.update((verb, path) for verb in rule.methods - {"HEAD", "OPTIONS"} if "/static/" not in path)
    return {"contract": None, "routes": sorted(map(list, found))}
