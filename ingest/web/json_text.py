"""Texts that hold JSON: which value was turned into one (`json.dumps(book)`, `book.model_dump_json()`)."""

from __future__ import annotations

import ast
import json

from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.targets import External, ValueTarget

_DUMPS = frozenset(
    {"json.dumps", "flask.json.dumps", "orjson.dumps", "ujson.dumps", "simplejson.dumps", "rapidjson.dumps"}
    | {"msgspec.json.encode"}
)
_ENCODER = External("msgspec.json.Encoder")
_TEXTS = frozenset({"encode", "decode"})


def is_json(media_type: str | None) -> bool:
    """Whether a media type is JSON, be it of a special kind (`application/problem+json`)."""
    plain = (media_type or "").split(";")[0].strip()
    return plain == "application/json" or plain.endswith("+json")


def data_of_text(program: Program, node: ast.expr | None, scope: Scope) -> ast.expr | None:
    """The expression whose value a text tells as JSON; None where that cannot be known."""
    if isinstance(node, ast.Name):
        named = program.resolve(node, scope)
        here = isinstance(named, ValueTarget) and named.scope is scope and isinstance(named.node, ast.Call)
        return data_of_text(program, named.node, scope) if here and isinstance(named, ValueTarget) else None
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return program.remember(("written as JSON", node), lambda: _written(node, str(node.value)))
    if not isinstance(node, ast.Call):
        return None
    function = node.func
    target = program.resolve(function, scope)
    if isinstance(function, ast.Attribute) and function.attr == "encode" and len(node.args) == 1:
        made = program.resolve(function.value, scope)
        call = made.node if isinstance(made, ValueTarget) else None
        inner = (
            program.resolve(call.func, made.scope)
            if isinstance(made, ValueTarget) and isinstance(call, ast.Call)
            else None
        )
        if inner == _ENCODER:
            return node.args[0]
    known = isinstance(target, External) and target.dotted in _DUMPS
    if isinstance(function, ast.Attribute) and function.attr in _TEXTS and not known:
        return data_of_text(program, function.value, scope)
    if isinstance(function, ast.Attribute) and function.attr == "model_dump_json":
        dump = ast.copy_location(ast.Attribute(function.value, "model_dump", ast.Load()), function)
        return ast.copy_location(ast.Call(dump, [], node.keywords), node)
    # What else a call is told (`default=str`, `option=…`) is about values that JSON has no form for.
    return node.args[0] if known and node.args else None


def _written(node: ast.Constant, text: str) -> ast.expr | None:
    """What a text that stands in the source tells as JSON (`'{"error": "no token"}'`)."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    if not isinstance(value, dict | list):
        return None
    made = ast.parse(repr(value), mode="eval").body
    for part in ast.walk(made):
        ast.copy_location(part, node)
    return made
