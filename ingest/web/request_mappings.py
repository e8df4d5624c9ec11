"""Calls of a request's own mappings, which are Python's dictionaries and run none of the project's functions."""

from __future__ import annotations

import ast

from ingest.web.bindings import Bound
from ingest.web.scopes import Scope

_MAPPINGS = frozenset(
    {
        "headers",
        "query",
        "query_params",
        "path_params",
        "match_info",
        "cookies",
        "args",
        "form",
        "files",
        "values",
    }
)
_BODIES = frozenset({"json", "post", "form", "get_json"})
_METHODS = frozenset(
    {"get", "getall", "getone", "getlist", "items", "keys", "values", "pop", "setdefault", "copy"}
)


def is_of_mapping(node: ast.expr, scope: Scope) -> bool:
    """Whether this is a method of what `request.headers` or `await request.json()` gives, be it behind a name."""
    if not (isinstance(node, ast.Attribute) and node.attr in _METHODS):
        return False
    owner = node.value
    if isinstance(owner, ast.Attribute):
        return owner.attr in _MAPPINGS
    if isinstance(owner, ast.Name):
        bindings = scope.bindings.get(owner.id, [])
        if owner.id == "body" and len(bindings) == 1 and bindings[0].how is Bound.PARAMETER:
            # So Connexion gives it; of a class of the project it would be known what is called.
            return True
        return bool(bindings) and all(
            binding.value is not None and _is_of_request(binding.value) for binding in bindings
        )
    return _is_body(owner)


def _is_of_request(node: ast.expr) -> bool:
    return (isinstance(node, ast.Attribute) and node.attr in _MAPPINGS) or _is_body(node)


def _is_body(node: ast.expr) -> bool:
    if isinstance(node, ast.Await):
        node = node.value
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _BODIES
