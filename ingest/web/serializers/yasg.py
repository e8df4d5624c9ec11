"""What drf-yasg's `swagger_auto_schema` declares, in the words of drf-spectacular's `extend_schema`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from graph.facts import Json
from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.constants.constants import Missing, constant, entries, text_of
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.program import Program
from ingest.web.program.targets import External, Target, ValueTarget
from ingest.web.records.operations import Parameter
from ingest.web.syntax.scopes import Scope

PACKAGE: Final = "drf_yasg"
DECORATOR: Final = "swagger_auto_schema"
_NAMES: Final = (
    ("request_body", "request"),
    ("responses", "responses"),
    ("operation_id", "operation_id"),
    ("operation_summary", "summary"),
    ("operation_description", "description"),
    ("deprecated", "deprecated"),
    ("security", "auth"),
)
_LOCATIONS: Final = frozenset({"query", "path", "header"})
_FORMATS: Final = {"DATETIME": "date-time", "INT_32": "int32", "INT_64": "int64", "SLUG": "slug"}
_KEYWORDS: Final = ("format", "enum", "pattern", "default")
_Typed = Callable[[ast.expr, Scope], Schema | None]


def is_yasg(target: Target | None, name: str) -> bool:
    """Whether something is of this name in drf-yasg."""
    return isinstance(target, External) and target.root == PACKAGE and target.name == name


def declared_by(call: ast.Call) -> dict[str, ast.expr]:
    """The arguments of `swagger_auto_schema` by the names that `extend_schema` has for them."""
    found = {name: node for own, name in _NAMES if (node := argument(call, None, own)) is not None}
    stated = argument(call, None, "manual_parameters")
    queried = argument(call, None, "query_serializer")
    if queried is not None:
        listed = ast.copy_location(ast.List([queried], ast.Load()), queried)
        both = ast.BinOp(stated, ast.Add(), listed) if stated is not None else listed
        stated = ast.copy_location(both, queried)
    if stated is not None:
        found["parameters"] = stated
    hidden = argument(call, None, "auto_schema")
    if isinstance(hidden, ast.Constant) and hidden.value is None:
        found["exclude"] = ast.copy_location(ast.Constant(True), hidden)
    return found


def methods_of(program: Program, call: ast.Call, scope: Scope) -> list[str] | None:
    """The methods that a decorator speaks of, in capitals; None where it speaks of all."""
    one = text_of(program, argument(call, 0, "method"), scope)
    several = constant(program, argument(call, 1, "methods"), scope)
    listed = [one] if one else [str(each) for each in several] if isinstance(several, list) else []
    return [each.upper() for each in listed] or None


def stated_parameter(program: Program, node: ast.Call, scope: Scope, typed: _Typed) -> Parameter | None:
    """The parameter that `openapi.Parameter(…)` states; None where it cannot be read, or is a part of the body."""
    name = text_of(program, argument(node, 0, "name"), scope)
    place = _word(program, argument(node, 1, "in_"), scope, "IN_")
    if name is None or place not in _LOCATIONS or has_stars(node):
        return None
    inner = argument(node, 4, "schema")
    schema = typed(inner, scope) if inner is not None else _written(program, node, scope, typed)
    needed = argument(node, 3, "required")
    required = place == "path" or (needed is not None and constant(program, needed, scope) is True)
    return Parameter(place, name, required, normalise(schema or {}), program.place(node, scope))


def written_schema(program: Program, node: ast.expr, scope: Scope, typed: _Typed) -> Schema | None:
    """The schema of `openapi.Schema(…)` or `openapi.Items(…)`; None of anything else.

    `typed` gives the schemas of serializers and fields that stand within.
    """
    target = program.resolve(node, scope)
    if isinstance(target, ValueTarget) and target.node is not None:
        node, scope = target.node, target.scope
    made = program.resolve(node.func, scope) if isinstance(node, ast.Call) else None
    if not isinstance(node, ast.Call) or not isinstance(made, External) or made.root != PACKAGE:
        return None
    if made.name in ("Schema", "Items"):
        return _written(program, node, scope, typed)
    return unknown("this is not read")


def _written(program: Program, node: ast.Call, scope: Scope, typed: _Typed) -> Schema:
    kind = _word(program, argument(node, None, "type"), scope, "TYPE_")
    if kind is None or has_stars(node):
        return unknown("the type is not constant")
    schema: Schema = {} if kind == "file" else {"type": kind}
    for name in _KEYWORDS:
        written = argument(node, None, name)
        if written is None:
            continue
        value: Json | Missing = constant(program, written, scope)
        if name == "format":
            value = _word(program, written, scope, "FORMAT_") or value
        if isinstance(value, Missing):
            return unknown("a part of the schema is not constant")
        schema[name] = value
    items = argument(node, None, "items")
    if items is not None:
        schema["items"] = typed(items, scope) or {}
    fields = argument(node, None, "properties")
    if fields is not None:
        table = entries(program, fields, scope)
        named = [(text_of(program, key, place), value, place) for key, value, place in table or []]
        if table is None or any(name is None for name, _, _ in named):
            return unknown("not all fields are known")
        schema["properties"] = {name: typed(value, place) or {} for name, value, place in named if name}
        needed = argument(node, None, "required")
        required = constant(program, needed, scope) if needed is not None else []
        schema["required"] = sorted(map(str, required)) if isinstance(required, list) else []
    return schema


def _word(program: Program, node: ast.expr | None, scope: Scope, begun: str) -> str | None:
    """What a constant of `drf_yasg.openapi` stands for, or the text in its place."""
    target = program.resolve(node, scope) if node is not None else None
    if isinstance(target, External) and target.root == PACKAGE and target.name.startswith(begun):
        word = target.name.removeprefix(begun)
        return _FORMATS.get(word, word.lower().replace("_", "-"))
    return text_of(program, node, scope)
