"""What a plain Django project serves: its table of routes, with the methods of classes and of restricted functions."""

from __future__ import annotations

import importlib
import os
import re

_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def export(module, options):
    """The routes of the project's URLconf; Django exports no contract. `options` names the methods of functions."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
    importlib.import_module("django").setup()
    names = options.get("methods", {})
    found = set()
    for path, view in _views(importlib.import_module(module).urlpatterns, "/"):
        made = getattr(view, "view_class", None)
        for method in _METHODS:
            if hasattr(made, method.lower()) if made else method in names.get(view.__name__, _METHODS):
                found.add((method, path))
    return {"contract": None, "routes": sorted(map(list, found))}


def _views(patterns, prefix):
    for pattern in patterns:
        path = prefix + re.sub(r"<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", str(pattern.pattern))
        if hasattr(pattern, "url_patterns"):
            yield from _views(pattern.url_patterns, path)
        else:
            yield path, pattern.callback
