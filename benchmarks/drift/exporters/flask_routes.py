"""What a plain Flask application serves: its table of routes."""

from __future__ import annotations

import importlib
import re

_METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}


def export(module, options):
    """The routes of the application that a module makes; Flask exports no contract."""
    names = vars(importlib.import_module(module))
    application = names["create_app"]() if "create_app" in names else names[options.get("variable", "app")]
    found = set()
    for rule in application.url_map.iter_rules():
        if rule.endpoint != "static":
            path = re.sub(r"<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", rule.rule)
            found.update((verb, path) for verb in rule.methods & _METHODS)
    return {"contract": None, "routes": sorted(map(list, found))}
