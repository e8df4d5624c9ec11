"""The fields of Flask-RESTX models: one call such as `fields.Integer(required=True)` as a property."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

import msgspec

from graph.facts import Json, Location
from graph.schema_algebra import Schema, implied, unknown
from graph.schemas import is_unknown, normalise, nullable
from ingest.web.constants.constants import Missing, constant
from ingest.web.marshmallow.validators import choices
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, Target, ValueTarget
from ingest.web.schemas.own_fields import works_out
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

ROOTS: Final = frozenset({"flask_restx", "flask_restplus", "flask_restful"})
_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "number"}
_PLAIN: Final[dict[str, Schema]] = {
    "String": _TEXT,
    "FormattedString": _TEXT,
    "ClassName": _TEXT,
    "Url": _TEXT,
    "Integer": {"type": "integer"},
    "Float": _NUMBER,
    "Arbitrary": _NUMBER,
    "Fixed": _NUMBER,
    "Boolean": {"type": "boolean"},
    "DateTime": {"type": "string", "format": "date-time"},
    "Date": {"type": "string", "format": "date"},
}
_NAMES = frozenset({*_PLAIN, "Nested", "List", "Raw", "Wildcard", "Polymorph"})
_LIMITS = {
    "min_length": "minLength",
    "max_length": "maxLength",
    "pattern": "pattern",
    "multiple": "multipleOf",
    "min_items": "minItems",
    "max_items": "maxItems",
    "unique": "uniqueItems",
}
_BOUNDS = {"min": ("minimum", "exclusiveMin"), "max": ("maximum", "exclusiveMax")}
Model = Callable[[ast.expr | None, Scope], Schema]
"""Gives the schema of a model that a field nests."""


class ModelField(msgspec.Struct, frozen=True):
    """One field of a model: its name in JSON, its schema, and whether a request must have it.

    `unread` tells that the last cannot be known.
    """

    name: str
    schema: Schema
    required: bool
    place: Location
    unread: bool = False


class _Made(msgspec.Struct, frozen=True):
    """What makes a field: `own` tells that a class of the project says its form by code, `said` what as text, `bare`
    that its library documents nothing, so that nothing is said of values that are not there."""

    kind: str
    call: ast.Call | None
    scope: Scope
    own: bool
    said: Schema = msgspec.field(default_factory=dict)
    bare: bool = False


class FieldReader:
    """Reads fields of one program; `model` reads the models that they nest."""

    def __init__(self, program: Program, instances: Instances, model: Model) -> None:
        self.program = program
        self.instances = instances
        self.model = model

    def read(self, name: str, node: ast.expr, scope: Scope) -> ModelField:
        """The field that an expression makes under a name; unknown where it makes none that is known."""
        place = self.program.place(node, scope)
        made = self._made(node, scope)
        if made is None:
            return ModelField(name, unknown("the field is not known"), False, place, unread=True)
        schema = {**self._schema(made), "x-always": True}
        schema = implied(schema, "null") if made.bare else schema
        if made.call is None:
            return ModelField(name, schema, False, place)
        if self._flag(made, "readonly"):
            schema["readOnly"] = True
        needed = argument(made.call, None, "required")
        required = constant(self.program, needed, made.scope) if needed is not None else False
        unread = has_stars(made.call) or not isinstance(required, bool)
        required = required is True or self._flag(made, "discriminator")
        return ModelField(name, schema, required, place, unread)

    def schema(self, node: ast.expr, scope: Scope) -> Schema | None:
        """The schema of the values of a field, or None where an expression makes none."""
        made = self._made(node, scope)
        return None if made is None else self._schema(made)

    def _made(self, node: ast.expr, scope: Scope) -> _Made | None:
        target = self._resolved(node, scope)
        call: ast.Call | None = None
        if isinstance(target, ValueTarget) and isinstance(target.node, ast.Call):
            call, scope = target.node, target.scope
            target = self._resolved(call.func, scope)
        if isinstance(target, External):
            known = target.root in ROOTS and target.name in _NAMES and "fields" in target.dotted
            bare = target.root == "flask_restful"
            return _Made(target.name, call, scope, False, bare=bare) if known else None
        if not isinstance(target, ClassTarget):
            return None
        ancestry = self.program.ancestry(target)
        own = any(
            isinstance(base, ClassTarget) and ("schema" in base.body.bindings or works_out(base, "schema"))
            for base in ancestry
        )
        for base in ancestry:
            if isinstance(base, External) and base.root in ROOTS and base.name in _NAMES:
                said = self._said(target)
                return _Made(base.name, call, scope, own or said is None, said or {})
        return None

    def _said(self, target: ClassTarget) -> Schema | None:
        """The type and format that a field class of the project states; None where one is not constant."""
        said: dict[str, Json] = {}
        for name, key in (("__schema_type__", "type"), ("__schema_format__", "format")):
            member = self.program.class_member(target, name)
            if not isinstance(member, ValueTarget):
                continue
            value = constant(self.program, member.node, member.scope)
            if not isinstance(value, str):
                return None
            said[key] = value
        return said

    def _resolved(self, node: ast.expr, scope: Scope) -> Target | None:
        found = self.program.resolve(node, scope)
        return found if found is not None else self.instances.callee(node, scope)

    def _schema(self, made: _Made) -> Schema:
        if made.own or made.kind in ("Raw", "Polymorph"):
            return unknown("the field's values may have any form")
        if made.call is not None and has_stars(made.call):
            return unknown("the field's options are computed")
        schema = self._plain(made)
        if made.call is None or is_unknown(schema):
            return schema
        limited = self._limited(schema, made, made.call)
        if limited is None:
            return unknown("a limit of the field is not constant")
        return nullable(limited) if self._flag(made, "nullable") else limited

    def _plain(self, made: _Made) -> Schema:
        if made.kind in _PLAIN:
            return normalise({**_PLAIN[made.kind], **made.said})
        node = argument(made.call, 0, "cls_or_instance" if made.kind != "Nested" else "model")
        if made.kind == "Nested":
            inner = self.model(node, made.scope)
            listed = self._flag(made, "as_list")
            return normalise({"type": "array", "items": inner}) if listed else inner
        found = self.schema(node, made.scope) if node is not None else None
        inner = found if found is not None else unknown("what the field holds is not known")
        if made.kind == "List":
            return normalise({"type": "array", "items": inner})
        return normalise({"type": "object", "additionalProperties": inner})

    def _limited(self, schema: Schema, made: _Made, call: ast.Call) -> Schema | None:
        """The schema with what the keywords say; None where one of them is not constant."""
        found: dict[str, Json] = dict(schema)
        timed = schema.get("format") in ("date", "date-time")
        for keyword in call.keywords:
            name = keyword.arg or ""
            if name == "enum":
                values = choices(self.program, keyword.value, made.scope)
                if values is None:
                    return None
                found["enum"] = values
            elif name in _LIMITS or name in _BOUNDS or name == "default":
                value = constant(self.program, keyword.value, made.scope)
                if isinstance(value, Missing):
                    if name == "default":
                        continue
                    return None
                if value is None or (timed and name in _BOUNDS):
                    continue
                if name in _BOUNDS:
                    plain, exclusive = _BOUNDS[name]
                    shut = constant(self.program, argument(call, None, exclusive), made.scope) is True
                    found[plain.replace("m", "exclusiveM", 1) if shut else plain] = value
                else:
                    found[_LIMITS.get(name, name)] = value
        return normalise(found)

    def _flag(self, made: _Made, name: str) -> bool:
        return constant(self.program, argument(made.call, None, name), made.scope) is True
