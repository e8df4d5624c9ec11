"""Cerberus's rules for documents, as JSON Schema."""

from __future__ import annotations

import ast

from graph.facts import Json
from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise, nullable
from ingest.web.constants.constants import Missing, constant, entries
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.schemas.held_schemas import held
from ingest.web.syntax.scopes import Scope

_DEPTH = 8
_TYPES: dict[str, Schema] = {
    "string": {"type": "string"},
    "integer": {"type": "integer"},
    "float": {"type": "number"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
    "dict": {"type": "object"},
    "list": {"type": "array"},
}
_SIZES = {"string": ("minLength", "maxLength"), "array": ("minItems", "maxItems")}
_UNREAD = frozenset(
    {"anyof", "allof", "oneof", "noneof", "check_with", "validator", "coerce", "items", "keysrules"}
)
Table = dict[str, tuple[ast.expr, Scope]]


def cerberus_schema(program: Program, written: ast.expr, scope: Scope, made: ast.Call | None) -> Schema:
    """What a validator of these rules accepts; `made` is the call that makes it, which may require all fields."""
    fields = _table(program, written, scope)
    if fields is None:
        return unknown("the rules that the body is held against are not constant")
    needed = constant(program, argument(made, None, "require_all"), scope) is True
    return _object(program, fields, needed, 0)


def _object(program: Program, fields: Table, needed: bool, depth: int) -> Schema:
    properties: dict[str, Json] = {}
    required = []
    for name, (written, scope) in fields.items():
        rules = _table(program, written, scope)
        found: Schema = unknown("the rules of the field are not constant")
        must: Json | Missing = None
        if rules is not None and depth < _DEPTH:
            found = _value(program, rules, needed, depth)
            must = constant(program, *rules["required"]) if "required" in rules else needed
        if must is True:
            required.append(name)
        properties[name] = held(found, must if isinstance(must, bool) else None)
    whole: Schema = {"type": "object", "properties": properties, "required": sorted(required)}
    # That it refuses other fields by itself, few contracts by hand care to say.
    return normalise({**whole, "x-complete": True})


def _value(program: Program, rules: Table, needed: bool, depth: int) -> Schema:
    known = {name: constant(program, *held) for name, held in rules.items()}
    kind = known.get("type")
    if rules.keys() & _UNREAD or not isinstance(kind, str) or kind not in _TYPES:
        only = _chosen(known.get("allowed")) if "type" not in rules and not rules.keys() & _UNREAD else None
        return only or unknown("the rules of the field tell no JSON type")
    found = dict(_TYPES[kind])
    inner = rules.get("schema")
    if inner is not None and kind == "dict":
        fields = _table(program, *inner)
        found = _object(program, fields, needed, depth + 1) if fields is not None else found
    elif inner is not None and kind == "list":
        item = _table(program, *inner)
        found["items"] = held(_value(program, item, needed, depth + 1), None) if item is not None else {}
    allowed = known.get("allowed")
    if isinstance(allowed, list):
        if kind == "list":
            found["items"] = {"type": "string", "enum": allowed}
        else:
            found = {"enum": allowed}
    low, high = _SIZES.get(str(found.get("type")), ("", ""))
    limits = {"minlength": low, "maxlength": high}
    if kind in ("integer", "float", "number"):
        limits |= {"min": "minimum", "max": "maximum"}
    for rule, keyword in limits.items():
        value = known.get(rule)
        if keyword and isinstance(value, int | float) and not isinstance(value, bool):
            found[keyword] = value
    if known.get("empty") is False and low and low not in found:
        found[low] = 1
    pattern = known.get("regex")
    if isinstance(pattern, str) and kind == "string":
        found["pattern"] = "^" + pattern.removeprefix("^").removesuffix("$") + "$"
    if "default" in known and not isinstance(known["default"], Missing):
        found["default"] = known["default"]
    found = normalise(found)
    return nullable(found) if known.get("nullable") is True else found


def _chosen(allowed: object) -> Schema | None:
    return {"enum": allowed} if isinstance(allowed, list) and allowed else None


def _table(program: Program, node: ast.expr, scope: Scope) -> Table | None:
    """The values of a dictionary that stands in the source, by their names."""
    pairs = entries(program, node, scope)
    if pairs is None:
        return None
    names = [constant(program, key, place) for key, _, place in pairs]
    if not all(isinstance(name, str) for name in names):
        return None
    return {str(name): (value, place) for name, (_, value, place) in zip(names, pairs, strict=True)}
