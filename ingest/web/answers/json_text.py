"""Texts that hold JSON: which value was turned into one (`json.dumps(book)`, `book.model_dump_json()`)."""

from __future__ import annotations

import ast
import json

from ingest.web.program.calls import argument, named_arguments
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget, ParameterTarget, ValueTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope

_DUMPS = frozenset(
    {"json.dumps", "flask.json.dumps", "orjson.dumps", "ujson.dumps", "simplejson.dumps", "rapidjson.dumps"}
    | {"msgspec.json.encode"}
)
_OF_MODELS = frozenset(
    {
        "pydantic.json.pydantic_encoder",
        "pydantic.deprecated.json.pydantic_encoder",
        "pydantic_core.to_jsonable_python",
    }
)
"""What `json.dumps` is told to call, so that models become what they dump."""
_DEPTH = 6
_ENCODER = External("msgspec.json.Encoder")
_TEXTS = frozenset({"encode", "decode"})


def is_json(media_type: str | None) -> bool:
    """Whether a media type is JSON, be it of a special kind (`application/problem+json`)."""
    plain = (media_type or "").split(";")[0].strip()
    return plain == "application/json" or plain.endswith("+json")


def data_of_text(program: Program, node: ast.expr | None, scope: Scope, depth: int = 0) -> ast.expr | None:
    """The expression whose value a text tells as JSON; None where that cannot be known."""
    if depth > _DEPTH:
        return None
    if isinstance(node, ast.Name):
        named = program.resolve(node, scope)
        if isinstance(named, ValueTarget) and named.scope is scope and isinstance(named.node, ast.Call):
            return data_of_text(program, named.node, scope, depth + 1)
        return None
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
        return data_of_text(program, function.value, scope, depth + 1)
    if isinstance(function, ast.Attribute) and function.attr == "model_dump_json":
        return _dumped(function.value, node.keywords)
    if isinstance(target, FunctionTarget):
        return _through(program, node, target, depth)
    told = argument(node, None, "default") if known and node.args else None
    encoder = program.resolve(told, scope) if told is not None else None
    if known and isinstance(encoder, External) and encoder.dotted in _OF_MODELS:
        return _dumped(node.args[0], [])
    # What else a call is told (`default=str`, `option=…`) is about values that JSON has no form for.
    return node.args[0] if known and node.args else None


def _dumped(model: ast.expr, keywords: list[ast.keyword]) -> ast.expr:
    """What a model dumps."""
    dump = ast.copy_location(ast.Attribute(model, "model_dump", ast.Load()), model)
    return ast.copy_location(ast.Call(dump, [], keywords), model)


def _through(program: Program, call: ast.Call, function: FunctionTarget, depth: int) -> ast.expr | None:
    """What is told by a text that a function of the project makes of an argument, as the call gives it."""
    body = function.node.body if isinstance(function.node, Function) else []
    last = body[-1] if body else None
    returns = [n for part in body for n in ast.walk(part) if isinstance(n, ast.Return)]
    if not isinstance(last, ast.Return) or len(returns) != 1:
        return None
    found = data_of_text(program, last.value, function.body, depth + 1)
    dumped = isinstance(found, ast.Call) and isinstance(found.func, ast.Attribute)
    inner = (
        found.func.value if isinstance(found, ast.Call) and isinstance(found.func, ast.Attribute) else found
    )
    target = program.resolve(inner, function.body) if isinstance(inner, ast.Name) else None
    if not isinstance(target, ParameterTarget) or target.scope.node is not function.node:
        return None
    if dumped and isinstance(found, ast.Call) and getattr(found.func, "attr", "") != "model_dump":
        return None
    given = next((value for name, value in named_arguments(call, function) if name == target.name), None)
    if given is None:
        return None
    return _dumped(given, found.keywords) if isinstance(found, ast.Call) else given


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
