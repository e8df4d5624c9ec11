"""Bodies that are held against a schema in the source: JSON Schema, and the rules of Cerberus and voluptuous."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from graph.facts import Json
from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.constants.constants import constant
from ingest.web.program.calls import argument
from ingest.web.program.targets import External, Target, ValueTarget
from ingest.web.schemas.cerberus import cerberus_schema
from ingest.web.schemas.held_schemas import held
from ingest.web.schemas.voluptuous import voluptuous_schema
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

_VALIDATE = frozenset({"jsonschema.validate", "jsonschema.validators.validate"})
_CHECKS = frozenset({"validate", "iter_errors", "is_valid"})
_VALIDATED = frozenset({"validate", "validated", "normalized"})
_DECORATORS = frozenset({"expects_json", "validate", "validate_json"})
DECORATING = frozenset(
    {"flask_expects_json", "flask_jsonschema", "flask_jsonschema_validator", "flask_json_schema"}
)
"""Packages whose decorators hold the body against a JSON Schema, and answer 400 where it does not fit."""
_UNCHECKED = frozenset(
    {"default", "examples", "example", "title", "description", "$schema", "$id", "$comment"}
)


class SchemaChecks:
    """Recognises such checks in one program."""

    def __init__(self, instances: Instances) -> None:
        self._instances = instances
        self._program = instances.program

    def of(self, node: ast.AST, parents: Mapping[ast.AST, ast.AST], scope: Scope) -> Schema | None:
        """The schema that a value is held against here; None where it is not."""
        outer = parents.get(node)
        call = parents.get(outer) if isinstance(outer, ast.keyword) else outer
        if not isinstance(call, ast.Call) or not (isinstance(outer, ast.keyword) or call.args[:1] == [node]):
            return None
        if isinstance(outer, ast.keyword) and outer.arg != "instance":
            return None
        if (other := self._of_rules(call, scope)) is not None:
            return other
        written, place = self._schema(call, scope)
        if written is None:
            return None
        found = constant(self._program, written, place)
        formats = argument(call, None, "format_checker") is not None
        if not isinstance(found, dict):
            return unknown("the schema that the body is held against is not constant")
        return _as_checked(found, formats)

    def of_decorator(self, node: ast.expr, scope: Scope) -> Schema | None:
        """The schema that a decorator holds the body against (`@expects_json(ORDER)`); None for any other."""
        if not isinstance(node, ast.Call):
            return None
        target = self._program.resolve(node.func, scope)
        if target is None:
            # A method of an extension's object: `@schema.validate({…})`.
            target = self._instances.callee(node.func, scope)
        if not isinstance(target, External) or target.root not in DECORATING:
            return None
        if target.name not in _DECORATORS:
            return None
        found = constant(self._program, argument(node, 0, "schema"), scope)
        if not isinstance(found, dict):
            return unknown("the schema that the body is held against is not constant")
        return _as_checked(found, argument(node, None, "check_formats") is not None)

    def _of_rules(self, call: ast.Call, scope: Scope) -> Schema | None:
        """What Cerberus or voluptuous let pass that is given the value here."""
        validator = call.func
        by_method = isinstance(validator, ast.Attribute) and validator.attr in _VALIDATED
        if isinstance(validator, ast.Attribute) and by_method:
            validator = validator.value
        target = self._program.resolve(validator, scope)
        made = target.node if isinstance(target, ValueTarget) else validator
        place = target.scope if isinstance(target, ValueTarget) else scope
        maker = self._instances.callee(made.func, place) if isinstance(made, ast.Call) else None
        if not isinstance(made, ast.Call) or not isinstance(maker, External):
            return None
        if maker.root == "voluptuous" and maker.name == "Schema" and not by_method and made.args:
            return voluptuous_schema(self._program, made.args[0], place, made)
        if maker.root != "cerberus" or maker.name != "Validator":
            return None
        own = argument(made, 0, "schema")
        written, around = (own, place) if own is not None else (argument(call, 1, "schema"), scope)
        return cerberus_schema(self._program, written, around, made) if written is not None else None

    def _schema(self, call: ast.Call, scope: Scope) -> tuple[ast.expr | None, Scope]:
        """The expression of the schema behind a call, with its scope."""
        called = self._instances.callee(call.func, scope)
        if isinstance(called, External) and called.dotted in _VALIDATE:
            return argument(call, 1, "schema"), scope
        held, check = call.func, ""
        if isinstance(held, ast.Attribute):
            check, held = held.attr, held.value
        target: Target | None = self._program.resolve(held, scope)
        made = target.node if isinstance(target, ValueTarget) else held
        place = target.scope if isinstance(target, ValueTarget) else scope
        if not isinstance(made, ast.Call):
            return None, scope
        maker = self._instances.callee(made.func, place)
        if not isinstance(maker, External):
            return None, scope
        if maker.root == "jsonschema" and maker.name.endswith("Validator") and check in _CHECKS:
            return argument(made, 0, "schema"), place
        if maker.dotted == "fastjsonschema.compile" and not check:
            return argument(made, 0, "definition"), place
        return None, scope


def _as_checked(schema: Json, formats: bool) -> Schema:
    """What a validator checks of a JSON Schema: no defaults, and formats only where it is told to."""
    if _refers(schema):
        return unknown("the schema that the body is held against refers to others")
    return normalise(_checked(schema, formats))


def _checked(schema: Json, formats: bool) -> Json:
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if key not in _UNCHECKED}
    if not formats:
        kept.pop("format", None)
    properties = kept.get("properties")
    if isinstance(properties, dict):
        needed = kept.get("required") or []
        kept["properties"] = {
            name: _held(_checked(inner, formats), name in needed) for name, inner in properties.items()
        }
        kept.setdefault("type", "object")
    for keyword in ("items", "additionalProperties"):
        if isinstance(kept.get(keyword), dict):
            kept[keyword] = _checked(kept[keyword], formats)
    for keyword in ("anyOf", "oneOf", "allOf"):
        if isinstance(kept.get(keyword), list):
            kept[keyword] = [_checked(each, formats) for each in kept[keyword]]
    return kept


def _held(schema: Json, needed: bool) -> Json:
    return held(schema, needed) if isinstance(schema, dict) else schema


def _refers(value: Json) -> bool:
    if isinstance(value, dict):
        return "$ref" in value or any(_refers(each) for each in value.values())
    return isinstance(value, list) and any(_refers(each) for each in value)
