"""The fields that a `ModelSerializer` makes of its model's columns."""

from __future__ import annotations

import ast
from typing import Final

from msgspec.structs import replace

from graph.facts import Location
from graph.schema_algebra import Schema, implied, unknown
from ingest.web.constants.constants import MISSING, Missing, constant
from ingest.web.django.columns import (
    BOUNDS,
    RELATIONS,
    decimal_bounds,
    left_empty,
    with_null,
)
from ingest.web.django.tables import Column, ModelClass, Table, is_given
from ingest.web.program.targets import ClassTarget, ValueTarget
from ingest.web.schemas.model_fields import ModelField
from ingest.web.serializers.demands import Demands
from ingest.web.serializers.mapping import is_made_otherwise, mapped
from ingest.web.serializers.meta import MetaReader, Options
from ingest.web.serializers.properties import declared, direction, property_of
from ingest.web.serializers.reading import SerializerReading
from ingest.web.syntax.scopes import Scope

_CHECKED: Final = frozenset({*BOUNDS, "minLength", "maxLength"})
_PATTERNED: Final = frozenset({"SlugField", "DecimalField"})
_BLANKABLE = frozenset({"CharField", "TextField", "SlugField", "EmailField", "URLField"})


class ColumnReader:
    """Reads the `Meta` of model serializers."""

    def __init__(self, models: SerializerReading) -> None:
        self.models = models
        self.program = models.program
        self.meta = MetaReader(models)
        self.demands = Demands(models)

    def fields(
        self, serializer: ClassTarget, written: dict[str, tuple[ast.Call, Scope]]
    ) -> list[ModelField] | None:
        """All fields of a model serializer in order; None where they cannot all be known."""
        model = self.models.model_of(serializer)
        table = self.models.tables.table(model) if model is not None else None
        names = self.meta.names(serializer, model, table, written)
        return self._named(serializer, written, names) if names is not None else None

    def part(
        self, serializer: ClassTarget, written: dict[str, tuple[ast.Call, Scope]]
    ) -> list[ModelField] | None:
        """The fields that a serializer has or not: those that it declares and those that its model makes, where it
        says in no way that can be read which of them it has."""
        model = self.models.model_of(serializer)
        table = self.models.tables.table(model) if model is not None else None
        made = (
            self._named(serializer, written, self.meta.every(serializer, table, written)) if table else None
        )
        return made if made is not None else self._named(serializer, written, list(written), plain=True)

    def _named(
        self,
        serializer: ClassTarget,
        written: dict[str, tuple[ast.Call, Scope]],
        names: list[str],
        plain: bool = False,
    ) -> list[ModelField] | None:
        """The fields of these names; None where it is not known how they are made, unless all are `plain` ones."""
        model = self.models.model_of(serializer)
        table = self.models.tables.table(model) if model is not None else None
        extra = {} if plain else self.meta.extra(serializer)
        closed = set() if plain else self.meta.closed(serializer)
        if extra is None or closed is None:
            return None
        demanded = self.meta.unique(model, names) if table is not None else set()
        found: list[ModelField] = []
        otherwise = mapped(self.program, serializer)
        for name in names:
            if name in written:
                call, scope = written[name]
                field = declared(self.models, name, call, scope, serializer, always=True)
            else:
                options = dict(extra.get(name, {}))
                field = self._built(serializer, model, table, name, options, name in closed, name in demanded)
                column = table.columns.get(name) if table is not None else None
                if otherwise and is_made_otherwise(self.program, name, column, otherwise):
                    open_ = unknown("the serializer has fields of its own for columns")
                    schema = _perhaps_required({**open_, **direction(field.schema)})
                    field = replace(field, schema=schema, required=False)
            if field is not None:
                found.append(field)
        return found

    def _built(
        self,
        serializer: ClassTarget,
        model: ModelClass | None,
        table: Table | None,
        name: str,
        options: Options,
        closed: bool,
        demanded: bool,
    ) -> ModelField:
        place = self.program.place(serializer.node, serializer.scope)
        meta = self.models.meta(serializer, "fields")
        if isinstance(meta, ValueTarget) and meta.node is not None:
            place = self.program.place(meta.node, meta.scope)
        column = table.columns.get(name) if table is not None else None
        if column is None and name == self.meta.address(serializer) and not self._has(model, name):
            known = table is None or table.complete
            schema: Schema = (
                {"type": "string", "format": "uri"} if known else unknown("the attribute is not known")
            )
            return property_of(name, schema, place, required=False, read_only=True)
        if column is None and model is not None and table is not None and name in ("id", "pk"):
            has_own = any(self.models.tables.flag(c, "primary_key") for c in table.columns.values())
            if not has_own or name == "pk":
                return self._keyed(name, model, place, options)
        if column is None:
            return self._attribute(serializer, table, name, place, options, closed)
        return self._column(serializer, column, place, options, closed, demanded, self.meta.depth(serializer))

    def _keyed(self, name: str, model: ModelClass, place: Location, options: Options) -> ModelField:
        opened = self.demands.given(options, "read_only") is False
        demanded = (
            opened and self.demands.given(options, "required") is not False and "default" not in options
        )
        key = self.models.tables.key(model)
        return property_of(name, key, place, required=demanded, read_only=not opened)

    def _attribute(
        self,
        serializer: ClassTarget,
        table: Table | None,
        name: str,
        place: Location,
        options: Options,
        closed: bool,
    ) -> ModelField:
        """The field of a name that is no column: a property, a method, or a relation from the other side."""
        model = self.models.model_of(serializer)
        schema = self.models.attribute(serializer, name)
        own = self._has(model, name)
        given = self.models.relations.follow(model, [name]) if model is not None else None
        if own or isinstance(given, str) or (model is not None and is_given(self.program, model, name)):
            return property_of(name, schema, place, required=False, read_only=True)
        link = (
            table.columns.get(name.removesuffix("_id"))
            if table is not None and name.endswith("_id")
            else None
        )
        if link is not None and link.kind in RELATIONS - {"ManyToManyField"}:
            # The key by which a row refers to another one is no field of the model, and only read.
            value = (
                with_null(self.models.tables.value(link))
                if self.models.tables.flag(link, "null")
                else self.models.tables.value(link)
            )
            return property_of(name, value, place, required=False, read_only=True)
        for base in self.program.ancestry(model) if isinstance(model, ClassTarget) else []:
            if isinstance(base, ClassTarget) and base != model and name == f"{base.node.name.lower()}_ptr":
                # What ties a row to the one that it extends is given by the database.
                return property_of(name, self.models.tables.key(base), place, required=False, read_only=True)
        # A relation from the other side is demanded unless it is read-only; what else the name may be is not known.
        deep = self._deep(serializer)
        read_only = closed or deep or self.demands.given(options, "read_only") is True
        required = not read_only and self.demands.given(options, "required") is not False
        # A column of a model or base that is not known may have a default or be read-only.
        inherited = required and (table is None or not table.complete) and name not in options
        back = self.models.relations.reverse(model, name) if model is not None else None
        schema = unknown("the attribute is not known")
        if back is not None and not deep:
            linked = self.meta.is_hyperlinked(serializer)
            one = {"type": "string", "format": "uri"} if linked else self.models.tables.key(back.model)
            schema = {"type": "array", "items": one} if back.many else one
            inherited = False
        if inherited:
            schema, required = _perhaps_required(schema), False
        return property_of(name, schema, place, required=required, read_only=read_only)

    def _has(self, model: ModelClass | None, name: str) -> bool:
        """Whether the class of a model, or a base of it that can be read, has an attribute of this name."""
        bases = self.program.ancestry(model) if isinstance(model, ClassTarget) else []
        return any(isinstance(base, ClassTarget) and name in base.body.bindings for base in bases)

    def _column(
        self,
        serializer: ClassTarget,
        column: Column,
        place: Location,
        options: Options,
        closed: bool,
        demanded: bool,
        depth: int | None,
    ) -> ModelField:
        tables = self.models.tables
        # A relation that is the key of its row is written as any key.
        depth = 0 if tables.flag(column, "primary_key") else depth
        schema = self._value(serializer, column, options, depth)
        read_only = closed or self.demands.is_only_read(
            column, options, nested=column.kind in RELATIONS and depth != 0
        )
        if read_only:
            # What nobody sends is checked by nobody, but for the pattern that is part of the kind of column.
            checked = _CHECKED if column.kind in _PATTERNED else _CHECKED | {"pattern"}
            schema = {key: value for key, value in schema.items() if key not in checked}
        if column.kind in _BLANKABLE and tables.flag(column, "blank"):
            schema = left_empty(schema)
        null = self.demands.given(options, "allow_null")
        if null is True or (
            tables.flag(column, "null") and column.kind != "ManyToManyField" and null is not False
        ):
            schema = with_null(schema)
        if tables.flag(column, "null") and column.kind == "ManyToManyField" and "items" in schema:
            # The framework lets each of the related rows be null then.
            schema = {**schema, "items": with_null(schema["items"])} if not depth else schema
        schema = self.models.limited(schema, options)
        required, perhaps = False, False
        if not read_only:
            required, perhaps = self.demands.is_required(column, options, demanded)
        if perhaps:
            schema = _perhaps_required(schema)
        if self.demands.is_chosen(column, "null"):
            schema = implied(schema, "null")
        default = constant(self.program, *options["default"]) if "default" in options else MISSING
        return property_of(
            column.name,
            schema,
            place if column.scope is None else self._seen(column, place),
            required=required,
            read_only=read_only,
            write_only=self.demands.given(options, "write_only") is True,
            default=default,
        )

    def _deep(self, serializer: ClassTarget) -> bool:
        """Whether relations are written out, which makes them read-only."""
        return self.meta.depth(serializer) != 0

    def _seen(self, column: Column, place: Location) -> Location:
        self.program.saw(column.place.path)
        return column.place

    def _written_out(self, serializer: ClassTarget, column: Column, depth: int) -> Schema:
        """A relation with all columns of the related model, as a serializer of its own writes them."""
        model = self.models.tables.related(column)
        table = self.models.tables.table(model) if model is not None else None
        if model is None or table is None or not table.complete:
            return unknown("the related model is not known")
        if len(self._led_to(serializer)) > 1:
            return unknown("the framework has one name for all relations that are written out")
        if self.models.tables.flag(column, "null") and column.kind != "ManyToManyField":
            return unknown("whether null is told of a relation that is written out is not known")
        fields = [
            self._column(serializer, each, self._seen(each, each.place), {}, False, False, depth - 1)
            for each in table.columns.values()
        ]
        if not any(self.models.tables.flag(each, "primary_key") for each in table.columns.values()):
            fields.append(self._keyed("id", model, column.place, {}))
        properties = {each.name: each.schema for each in fields}
        required = sorted(each.name for each in fields if each.required)
        whole: Schema = {"type": "object", "properties": properties, "required": required}
        return {"type": "array", "items": whole} if column.kind == "ManyToManyField" else whole

    def _led_to(self, serializer: ClassTarget) -> set[str]:
        """The models that the relations of a serializer's model lead to."""
        own = self.models.model_of(serializer)
        columns = self.models.tables.table(own).columns.values() if own is not None else []
        found = [self.models.tables.related(column) for column in columns if column.kind in RELATIONS]
        return {m.qualified if isinstance(m, ClassTarget) else m.dotted for m in found if m is not None}

    def _value(self, serializer: ClassTarget, column: Column, options: Options, depth: int | None) -> Schema:
        if column.kind in RELATIONS:
            if depth is None:
                return unknown("relations are written out to some depth")
            if depth:
                return self._written_out(serializer, column, depth)
            if self.meta.is_hyperlinked(serializer):
                link: Schema = {"type": "string", "format": "uri"}
                return {"type": "array", "items": link} if column.kind == "ManyToManyField" else link
        text, tables = self.models.decimals_as_text(), self.models.tables
        if "coerce_to_string" in options:
            stated = constant(self.program, *options["coerce_to_string"])
            text = stated if isinstance(stated, bool) else MISSING
        if column.kind == "DecimalField" and text is not True:
            if isinstance(text, Missing):
                return unknown("whether decimals are written as text is not known")
            digits = tables.constant(column, "max_digits", 2), tables.constant(column, "decimal_places", 3)
            return {"type": "number", "x-implied": list(BOUNDS), **decimal_bounds(*digits)}
        return tables.value(column)


def _perhaps_required(schema: Schema) -> Schema:
    """The schema of a field that requests must have or not as code outside of the project will have it."""
    return implied(schema, "required")
