"""Schemas of serializers of the REST framework, with what drf-spectacular's decorators say about them."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from graph.facts import Kind, Tag, fact_id
from graph.schema_algebra import Schema, implied, unknown
from ingest.web.constants.constants import MISSING, Missing, constant
from ingest.web.django.columns import unlimited, with_null
from ingest.web.django.models import DjangoModels
from ingest.web.django.ninja_schemas import declared_names, is_ninja_schema, model_fields
from ingest.web.django.relations import Relations
from ingest.web.django.settings import Given, Settings
from ingest.web.django.tables import NAMING, Column, ModelClass, is_given
from ingest.web.django.yasg_exports import is_exporter, written
from ingest.web.program.calls import argument
from ingest.web.program.known_sources import KNOWN
from ingest.web.program.program import Program
from ingest.web.program.shapes import Shape
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ValueTarget
from ingest.web.schemas.camel_case import camelised, in_camel_case
from ingest.web.schemas.configs import Config, config_of
from ingest.web.schemas.model_fields import Family, ModelField, named_in_answers, object_of
from ingest.web.serializers.fields import FieldReader
from ingest.web.serializers.hints import hinted
from ingest.web.serializers.members import MemberReader
from ingest.web.serializers.method_results import given_by
from ingest.web.serializers.named import NamedSerializers
from ingest.web.serializers.properties import declared
from ingest.web.serializers.reading import FieldReading
from ingest.web.serializers.stated import TypeReader
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

LEFT_OUT: Final[Schema] = {
    **unknown("it is declared to be left out"),
    "x-hidden": True,
    "x-implied": ["required"],
}


class SerializerModels(NamedSerializers):
    """Gives the schemas of serializers beside those of all other classes of data; `camel` puts them in camel case."""

    def __init__(
        self, program: Program, instances: Instances, settings: Settings, tables: DjangoModels
    ) -> None:
        super().__init__(program)
        self.instances = instances
        self.settings = settings
        self.tables = tables
        self.relations = Relations(tables)
        self.reader: FieldReading = FieldReader(self)
        self.types = TypeReader(program, self)
        self.members = MemberReader(self)
        self.camel = False
        self.loose = is_exporter(program)

    def family(self, target: ClassTarget) -> Family | None:
        """See `Models.family`; serializers and Ninja's schemas are read as data classes too."""
        if self.is_serializer(target):
            return Family.DATACLASS
        return Family.PYDANTIC if is_ninja_schema(self.program, target) else super().family(target)

    def whole(self, target: ClassTarget) -> Schema:
        """See `Models.whole`."""
        if self.is_serializer(target):
            whole = self.program.remember(("serializer", target.node), lambda: self._serializer(target))
            whole = written(whole) if self.loose else whole
        else:
            whole = super().whole(target)
        return in_camel_case(whole) if self.camel else whole

    def fields(
        self, target: ClassTarget, variables: Mapping[str, Shape] | None = None
    ) -> list[ModelField] | None:
        """See `Models.fields`."""
        found = self._members(target) if self.is_serializer(target) else super().fields(target, variables)
        if not self.camel or found is None:
            return found
        return [replace(each, name=camelised(each.name)) for each in found]

    def _members(self, target: ClassTarget) -> list[ModelField] | None:
        return self.program.remember(("serialized", target.node), lambda: self.members.fields(target))

    def _fields(
        self,
        target: ClassTarget,
        variables: Mapping[str, Shape],
        depth: int,
        heir: ClassTarget | None = None,
    ) -> list[ModelField] | None:
        own = super()._fields(target, variables, depth, heir)
        if own is None or self.family(target) is not Family.PYDANTIC:
            return own
        # Ninja takes values by their aliases, and answers by the names of the fields.
        own = named_in_answers(own)
        spelled = config_of(self.program, heir if heir is not None else target).spelling is not None
        if spelled or any(f.unnamed for f in own):
            # A class that is asked for by a generator's names and answered by its own has one form in the contract.
            return None
        # Versions of Ninja differ in whether they export fields that are computed for answers.
        own = [replace(f, schema={**f.schema, "x-hidden": True}) if f.computed else f for f in own]
        taken = model_fields(self.program, self.tables, target)
        if taken is None:
            return None
        # A column stands over a field of that name that a class above declares, and below one of the class itself.
        above = {f.attribute for f in taken} - declared_names(target.node)
        kept = [f for f in own if f.attribute not in above]
        return list({f.attribute: f for f in (*taken, *kept)}.values())

    def reference(self, target: ClassTarget) -> Schema:
        """The reference to a class's schema, which thereby becomes a fact."""
        override = self.override(target)
        if override is not None:
            return override
        self.classes.setdefault(target.qualified, target)
        return {"$ref": fact_id(Tag.CODE, Kind.SCHEMA, target.qualified)}

    def is_known(self, schema: Schema) -> bool:
        """Whether this is a serializer of another package that is known as if the project had it."""
        target = self.classes.get(str(schema.get("$ref", "")).removeprefix("code:schema:"))
        return target is not None and target.scope.module in KNOWN

    def listed(self, schema: Schema, call: ast.Call, scope: Scope) -> Schema:
        """The schema of many, where a call says so."""
        many = argument(call, None, "many")
        value = constant(self.program, many, scope) if many is not None else False
        if isinstance(value, Missing):
            return unknown("whether there are many is not constant")
        return {"type": "array", "items": schema} if value is True else schema

    def of_value(self, node: ast.expr | None, scope: Scope, depth: int = 0) -> Schema | None:
        """See `TypeReader.of_value`."""
        return self.types.of_value(node, scope, depth)

    def override(self, target: ClassTarget) -> Schema | None:
        """What is declared in place of the class itself, by `extend_schema_field` or by an extension."""
        if self.tables.is_extended(target):
            return unknown("an extension of drf-spectacular describes the class")
        for owner in self.program.ancestry(target):
            if isinstance(owner, ClassTarget):
                for call, place in self.decorators(owner.node, owner.scope, "extend_schema_field"):
                    if self.is_serializer(target):
                        return unknown("the class is described otherwise where it is a field")
                    return self._as_field(argument(call, 0, "field"), place)
        return None

    def result(self, function: FunctionTarget, serializer: ClassTarget | None = None) -> Schema:
        """The schema of what a method gives: what is declared for it, else its annotation, else what its statements
        tell, where it is one of a serializer."""
        if not isinstance(function.node, Function):
            return unknown("the value is computed")
        for call, place in self.decorators(function.node, function.scope, "extend_schema_field"):
            return self._as_field(argument(call, 0, "field"), place)
        if function.node.returns is None:
            return given_by(self, function, serializer)
        return hinted(self, function.node.returns, function.scope)

    def _as_field(self, node: ast.expr | None, scope: Scope) -> Schema:
        """The schema of what is declared to stand in the place of a field."""
        found = self.of_value(node, scope)
        if found is None:
            return dict(LEFT_OUT)
        may = argument(node, None, "allow_null") if isinstance(node, ast.Call) else None
        return with_null(found) if may is not None and constant(self.program, may, scope) is True else found

    def attribute(self, serializer: ClassTarget | None, name: str) -> Schema:
        """The schema of an attribute of a serializer's model: a column, or what a property or method gives."""
        model = self.model_of(serializer) if serializer is not None else None
        if model is None:
            return unknown("the model is not known")
        found = self.relations.follow(model, name.split("."))
        if isinstance(found, Column):
            value = unlimited(self.tables.value(found))
            if found.kind == "DecimalField" and self.decimals_as_text() is not True:
                value = unknown("whether decimals are written as text is not known")
            if not self.tables.flag(found, "null"):
                return value
            # Of a column that others lead to, contracts tell null or not.
            return with_null(value) if "." not in name else implied(value, "null")
        if isinstance(found, FunctionTarget):
            return self.result(found)
        if found is None and name in NAMING and is_given(self.program, model, name):
            return {"type": "string"}
        return {"type": "string"} if isinstance(found, str) else unknown("the attribute is not known")

    def model_of(self, serializer: ClassTarget) -> ModelClass | None:
        """The model of a `ModelSerializer`."""
        found = self.meta(serializer, "model")
        if isinstance(found, ValueTarget):
            return self.tables.model(found.node, found.scope)
        if isinstance(found, External) and found.root == "django":
            return found
        return found if isinstance(found, ClassTarget) else None

    def decimals_as_text(self) -> bool | Missing:
        """Whether decimals are written as text where a field does not say."""
        given = self.settings.rest("COERCE_DECIMAL_TO_STRING")
        if not isinstance(given, Given):
            return True
        value = constant(self.program, given.node, given.scope)
        return value if isinstance(value, bool) else MISSING

    def limited(self, schema: Schema, options: dict[str, tuple[ast.expr, Scope]]) -> Schema:
        """The schema with the limits that keywords of a field put on it."""
        return self.reader.limited(schema, options)

    def inline(self, entries: list[tuple[str, ast.expr, Scope]], owner: ClassTarget | None = None) -> Schema:
        """The schema of fields that are given by name."""
        found = [
            f
            for name, node, scope in entries
            if isinstance(node, ast.Call) and (f := declared(self, name, node, scope, owner))
        ]
        path = entries[0][2].path if entries else ""
        return object_of(found, Config(), path)

    def _serializer(self, target: ClassTarget) -> Schema:
        fields = self._members(target)
        if fields is None:
            part = self.members.part(target)
            if part is None:
                return unknown(f"the fields of {target.node.name} cannot all be known")
            whole = {**object_of(part[0], Config(), target.scope.path), "x-partial": True}
            return {**whole, "x-open": part[1]} if part[1] else whole
        whole = object_of(fields, Config(), target.scope.path)
        opened = self.members.opened(target)
        return {**whole, "x-open": opened} if opened else whole
