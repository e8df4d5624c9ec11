"""The types that drf-spectacular's declarations name: serializers, fields, Python's types and schemas by hand."""

from __future__ import annotations

import ast

from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.constants.constants import constant, elements, entries, text_of
from ingest.web.django.columns import unlimited, with_null
from ingest.web.program.calls import argument
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, Target, ValueTarget
from ingest.web.serializers.hints import hinted
from ingest.web.serializers.named_types import OPENAPI_TYPES
from ingest.web.serializers.reading import SerializerReading
from ingest.web.syntax.scopes import Scope

_DEPTH = 10


class TypeReader:
    """Reads what stands for types in the declarations of one program."""

    def __init__(self, program: Program, models: SerializerReading) -> None:
        self.program = program
        self.models = models

    def of_value(self, node: ast.expr | None, scope: Scope, depth: int = 0) -> Schema | None:
        """The schema of what stands for a type in a declaration: serializer, field, type or schema; None for `None`."""
        if node is None or depth > _DEPTH:
            return unknown("the type is not known")
        if is_none(node):
            return None
        target = self.program.resolve(node, scope)
        if isinstance(target, ValueTarget) and target.node is not None and target.node is not node:
            return self.of_value(target.node, target.scope, depth + 1)
        if isinstance(target, ClassTarget):
            return (
                self.models.reference(target)
                if self.models.family(target)
                else unknown("the class is not known")
            )
        if isinstance(target, External):
            return self._outside(target)
        if isinstance(node, ast.Call):
            return self._made(node, scope, depth)
        if isinstance(node, ast.Dict):
            raw = constant(self.program, node, scope)
            known = isinstance(raw, dict) and "$ref" not in str(raw)
            return promised(normalise(raw)) if known else unknown("the schema is written by hand")
        if isinstance(node, ast.Subscript | ast.BinOp):
            return hinted(self.models, node, scope)
        return unknown("the type is not known")

    def _outside(self, target: External) -> Schema:
        if target.dotted.startswith("drf_spectacular") and ".OpenApiTypes." in f".{target.dotted}.":
            return OPENAPI_TYPES.get(target.name, unknown("the type is not known"))
        if target.root in ("builtins", "datetime", "uuid", "decimal", "typing"):
            call = ast.Name(id=target.name, ctx=ast.Load(), lineno=1, end_lineno=1)
            if target.root == "builtins":
                names = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}
                if call.id in names:
                    return {"type": names[call.id]}
                return {"type": "object"} if call.id == "dict" else unknown("the type is not known")
            formats = {"datetime": "date-time", "date": "date", "time": "time", "UUID": "uuid"}
            if target.name in formats:
                return {"type": "string", "format": formats[target.name]}
        return unknown(f"{target.dotted} is not known")

    def _made(self, node: ast.Call, scope: Scope, depth: int) -> Schema | None:
        made = self.program.resolve(node.func, scope)
        if isinstance(node.func, ast.Call):
            made = self._lazily(node.func, scope)
        if isinstance(made, ClassTarget) and self.models.is_serializer(made):
            schema = self.models.reference(made)
            if constant(self.program, argument(node, None, "partial"), scope) is True:
                schema = self.models.partial(schema)
            return self.models.listed(schema, node, scope)
        if isinstance(made, External) and made.name == "inline_serializer":
            return self._inline_call(node, scope)
        if isinstance(made, External) and made.name == "PolymorphicProxySerializer":
            return self._several(node, scope, depth)
        if self.models.reader.is_field(node, scope):
            # What a field checks is told of fields of serializers, and not where one stands for a type.
            schema = unlimited(self.models.reader.value(node, scope, "", None))
            return (
                with_null(schema) if self.models.reader.given(node, scope, "allow_null") is True else schema
            )
        return unknown("the type is made at run time")

    def _lazily(self, node: ast.Call, scope: Scope) -> Target | None:
        """The class that `lazy_serializer("path.to.Class")` names."""
        made = self.program.resolve(node.func, scope)
        if not isinstance(made, External) or made.name != "lazy_serializer":
            return None
        place, _, name = (text_of(self.program, argument(node, 0, "path"), scope) or "").rpartition(".")
        module = self.program.module(place)
        return self.program.member(module, name) if module is not None else None

    def _several(self, node: ast.Call, scope: Scope, depth: int) -> Schema:
        """What stands for one of several serializers."""
        listed = argument(node, 1, "serializers")
        table = entries(self.program, listed, scope) if listed is not None else None
        parts = (
            [(value, inner) for _, value, inner in table]
            if table is not None
            else elements(self.program, listed, scope)
        )
        found = [self.of_value(value, inner, depth + 1) for value, inner in parts or []]
        if not found or any(each is None or "$ref" not in each for each in found):
            return unknown("the serializer stands for several")
        return self.models.listed({"anyOf": [each for each in found if each is not None]}, node, scope)

    def _inline_call(self, node: ast.Call, scope: Scope) -> Schema:
        table = entries(self.program, argument(node, 1, "fields"), scope)
        if table is None:
            return unknown("the fields are not constant")
        named = [(text_of(self.program, key, inner), value, inner) for key, value, inner in table]
        if any(name is None for name, _, _ in named):
            return unknown("the fields are not constant")
        schema = self.models.inline([(name or "", value, inner) for name, value, inner in named])
        return self.models.listed(schema, node, scope)


def promised(schema: Schema) -> Schema:
    """A schema by hand as that of an answer: the fields that it requires are always there."""
    whole = dict(schema)
    properties = schema.get("properties")
    if isinstance(properties, dict):
        needed = schema.get("required", [])
        whole["properties"] = {
            name: {**promised(inner), "x-always": True} if name in needed else promised(inner)
            for name, inner in properties.items()
        }
    if isinstance(schema.get("items"), dict):
        whole["items"] = promised(schema["items"])
    return whole
