"""Calls of a request's own mappings, which are Python's dictionaries, and of texts: they run none of the project's
functions."""

from __future__ import annotations

import ast

from ingest.web.program.targets import unsubscripted
from ingest.web.syntax.bindings import Binding, Bound, Function
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope

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
        *("GET", "POST", "FILES", "META", "validated_data", "initial_data", "kwargs"),
    }
)
_GIVEN = frozenset({"body", "validated_data", "attrs"})
"""The parameters by which Connexion gives bodies, and the REST framework what its serializers have checked."""
_DICTIONARIES = frozenset(
    {"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict", "TypedDict"}
)
_BODIES = frozenset({"json", "post", "form", "get_json"})
_METHODS = frozenset(
    {"get", "getall", "getone", "getlist", "items", "keys", "values", "pop", "setdefault", "copy", "update"}
)


_OF_TEXTS = frozenset(
    {
        *(
            "split",
            "rsplit",
            "partition",
            "rpartition",
            "strip",
            "lstrip",
            "rstrip",
            "replace",
            "encode",
            "decode",
        ),
        *("startswith", "endswith", "removeprefix", "removesuffix", "ljust", "rjust", "zfill"),
    }
)


def is_of_mapping(node: ast.expr, scope: Scope) -> bool:
    """Whether this is a method of a dictionary, or of what `request.headers` or `await request.json()` gives, be it
    behind a name."""
    if not (isinstance(node, ast.Attribute) and node.attr in _METHODS):
        return False
    owner = node.value
    if isinstance(owner, ast.Attribute):
        return owner.attr in _MAPPINGS or _is_data(owner)
    if isinstance(owner, ast.Name):
        bindings = scope.bindings.get(owner.id, [])
        if owner.id in _GIVEN and len(bindings) == 1 and bindings[0].how is Bound.PARAMETER:
            # So frameworks give it; of a class of the project it would be known what is called.
            return True
        return bool(bindings) and all(_holds_mapping(binding, scope) for binding in bindings)
    return _is_body(owner) or _is_dictionary(owner)


def is_picked(node: ast.expr, scope: Scope) -> bool:
    """Whether a name stands for a function that was taken out of a table, or off an object by a name.

    Which one it is, and what that raises, its name does not tell: `handler = {"run": run}.get(tool)`.
    """
    bindings = scope.bindings.get(node.id, []) if isinstance(node, ast.Name) else []
    return any(binding.how is not Bound.PARAMETER and _picks(binding.value) for binding in bindings)


def _picks(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Subscript):
        return True
    called = value.func if isinstance(value, ast.Call) else None
    if isinstance(called, ast.Attribute):
        return called.attr in ("get", "pop")
    return isinstance(called, ast.Name) and called.id == "getattr"


def is_of_text(node: ast.Call) -> bool:
    """Whether this is a method of a text, given texts that are written down: `value.split(",")`."""
    if not (isinstance(node.func, ast.Attribute) and node.func.attr in _OF_TEXTS and node.args):
        return False
    return all(isinstance(each, ast.Constant) and isinstance(each.value, str | int) for each in node.args)


def _holds_mapping(binding: Binding, scope: Scope) -> bool:
    """Whether a name is bound to what a request gives, to a dictionary, or to what is annotated as one."""
    if isinstance(scope.node, Function) and binding.node is scope.node.args.kwarg:
        return True
    annotation = unsubscripted(binding.annotation) if binding.annotation is not None else None
    if isinstance(annotation, ast.Name | ast.Attribute):
        named = annotation.id if isinstance(annotation, ast.Name) else annotation.attr
        return named in _DICTIONARIES
    return binding.value is not None and (_is_of_request(binding.value) or _is_dictionary(binding.value))


def _is_dictionary(node: ast.expr) -> bool:
    """Whether an expression makes a dictionary, or gives one in place of something missing (`options or {}`)."""
    match node:
        case ast.Dict() | ast.DictComp() | ast.Call(func=ast.Name(id="dict")):
            return True
        case ast.BoolOp(op=ast.Or(), values=[*_, ast.Dict(keys=[])]):
            return True
        case ast.Call(func=ast.Attribute(attr="get" | "pop" | "setdefault"), args=[_, ast.Dict()]):
            return True
    return False


def _is_of_request(node: ast.expr) -> bool:
    found = isinstance(node, ast.Attribute) and (node.attr in _MAPPINGS or _is_data(node))
    return found or _is_body(node)


def _is_data(node: ast.Attribute) -> bool:
    """Whether this is the body that the REST framework has read (`self.request.data`), or what a serializer writes."""
    owner = node.value
    name = last_name(owner)
    return node.attr == "data" and name in ("request", "serializer")


def _is_body(node: ast.expr) -> bool:
    if isinstance(node, ast.Await):
        node = node.value
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _BODIES
