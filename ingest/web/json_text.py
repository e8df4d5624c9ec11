"""Texts that hold JSON: which value was turned into one (`json.dumps(book)`, `book.model_dump_json()`)."""

from __future__ import annotations

import ast

from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.targets import External, ValueTarget

_DUMPS = frozenset(
    {"json.dumps", "flask.json.dumps", "orjson.dumps", "ujson.dumps", "simplejson.dumps", "rapidjson.dumps"}
    | {"msgspec.json.encode"}
)
_ENCODER = External("msgspec.json.Encoder")
_TEXTS = frozenset({"encode", "decode"})


def data_of_text(program: Program, node: ast.expr | None, scope: Scope) -> ast.expr | None:
    """The expression whose value a text tells as JSON; None where that cannot be known."""
    if isinstance(node, ast.Name):
        named = program.resolve(node, scope)
        here = isinstance(named, ValueTarget) and named.scope is scope and isinstance(named.node, ast.Call)
        return data_of_text(program, named.node, scope) if here and isinstance(named, ValueTarget) else None
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
