"""The fields that a `ModelSerializer` makes of its model's columns."""

from __future__ import annotations

import ast
from typing import Final

from graph.facts import Json, Location
from graph.schema_algebra import Schema, unknown
from ingest.web.constants import MISSING, Missing, constant, elements, entries, text_of
from ingest.web.django_columns import AUTOMATIC, BOUNDS, RELATIONS, with_null
from ingest.web.django_models import Column, ModelClass, Table
from ingest.web.drf_reading import SerializerReading
from ingest.web.models import ModelField
from ingest.web.scopes import Scope
from ingest.web.targets import ClassTarget, ValueTarget

_Options = dict[str, tuple[ast.expr, Scope]]
_CHECKED: Final = frozenset({*BOUNDS, "minLength", "maxLength"})
_BLANKABLE = frozenset({"CharField", "TextField", "SlugField", "EmailField", "URLField"})


class ColumnReader:
    """Reads the `Meta` of model serializers."""

    def __init__(self, models: SerializerReading) -> None:
        self.models = models
        self.program = models.program

    def fields(
        self, serializer: ClassTarget, declared: dict[str, tuple[ast.Call, Scope]]
    ) -> list[ModelField] | None:
        """All fields of a model serializer in order; None where they cannot all be known."""
        model = self.models.model_of(serializer)
        table = self.models.tables.table(model) if model is not None else None
        names = self._names(serializer, model, table, declared)
        extra = self._extra(serializer)
        if names is None or extra is None:
            return None
        closed = self._closed(serializer)
        if closed is None:
            return None
        demanded = self._unique(model, names) if table is not None else set()
        found: list[ModelField] = []
        for name in names:
            if name in declared:
                call, scope = declared[name]
                field = self.models.declared(name, call, scope, serializer, always=True)
            else:
                options = dict(extra.get(name, {}))
                field = self._built(serializer, model, table, name, options, name in closed, name in demanded)
            if field is not None:
                found.append(field)
        return found

    def _names(
        self,
        serializer: ClassTarget,
        model: ModelClass | None,
        table: Table | None,
        declared: dict[str, tuple[ast.Call, Scope]],
    ) -> list[str] | None:
        listed = self.models.meta(serializer, "fields")
        left_out = self.models.meta(serializer, "exclude")
        if isinstance(listed, ValueTarget):
            value = constant(self.program, listed.node, listed.scope)
            if isinstance(value, list) and all(isinstance(name, str) for name in value):
                return list(dict.fromkeys(value))
            if value != "__all__":
                return None
        if table is None or not table.complete or (listed is None and left_out is None):
            return None
        names = self._all(serializer, table, declared)
        if isinstance(left_out, ValueTarget):
            value = constant(self.program, left_out.node, left_out.scope)
            if not isinstance(value, list):
                return None
            names = [name for name in names if name not in value]
        return names

    def _all(
        self, serializer: ClassTarget, table: Table, declared: dict[str, tuple[ast.Call, Scope]]
    ) -> list[str]:
        tables = self.models.tables
        key = next((c.name for c in table.columns.values() if tables.flag(c, "primary_key")), "id")
        key = "url" if self._is_hyperlinked(serializer) else key
        plain = [c.name for c in table.columns.values() if not tables.flag(c, "primary_key")]
        plain = [name for name in plain if not tables.flag(table.columns[name], "parent_link")]
        return list(dict.fromkeys([key, *declared, *plain]))

    def _is_hyperlinked(self, serializer: ClassTarget) -> bool:
        return self.program.is_a(serializer, {"rest_framework"}, {"HyperlinkedModelSerializer"})

    def _extra(self, serializer: ClassTarget) -> dict[str, _Options] | None:
        """`extra_kwargs` by field; None where they are not constant."""
        target = self.models.meta(serializer, "extra_kwargs")
        if not isinstance(target, ValueTarget):
            return {} if target is None else None
        table = entries(self.program, target.node, target.scope)
        if table is None:
            return None
        found: dict[str, _Options] = {}
        for key, value, scope in table:
            name = text_of(self.program, key, scope)
            options = entries(self.program, value, scope)
            if name is None or options is None:
                return None
            found[name] = {
                text: (node, inner)
                for key_node, node, inner in options
                if (text := text_of(self.program, key_node, inner)) is not None
            }
        return found

    def _closed(self, serializer: ClassTarget) -> set[str] | None:
        """`read_only_fields`; None where they are not constant."""
        target = self.models.meta(serializer, "read_only_fields")
        if target is None:
            return set()
        value = (
            constant(self.program, target.node, target.scope) if isinstance(target, ValueTarget) else MISSING
        )
        return {str(name) for name in value} if isinstance(value, list) else None

    def _unique(self, model: ModelClass | None, names: list[str]) -> set[str]:
        """The columns that are demanded because they are unique only together with others."""
        meta = self.program.class_member(model, "Meta") if isinstance(model, ClassTarget) else None
        if not isinstance(meta, ClassTarget):
            return set()
        groups: list[list[Json]] = []
        together = self.program.class_member(meta, "unique_together")
        if isinstance(together, ValueTarget):
            value = constant(self.program, together.node, together.scope)
            if isinstance(value, list):
                groups += (
                    [value]
                    if value and isinstance(value[0], str)
                    else [g for g in value if isinstance(g, list)]
                )
        constraints = self.program.class_member(meta, "constraints")
        if isinstance(constraints, ValueTarget):
            for node, scope in elements(self.program, constraints.node, constraints.scope) or []:
                keywords = {k.arg: k.value for k in node.keywords} if isinstance(node, ast.Call) else {}
                value = constant(self.program, keywords.get("fields"), scope)
                if isinstance(value, list) and len(value) > 1 and "condition" not in keywords:
                    groups.append(value)
        return {str(name) for group in groups if set(group) <= set(names) for name in group}

    def _built(
        self,
        serializer: ClassTarget,
        model: ModelClass | None,
        table: Table | None,
        name: str,
        options: _Options,
        closed: bool,
        demanded: bool,
    ) -> ModelField:
        place = self.program.place(serializer.node, serializer.scope)
        meta = self.models.meta(serializer, "fields")
        if isinstance(meta, ValueTarget) and meta.node is not None:
            place = self.program.place(meta.node, meta.scope)
        if name == "url" and self._is_hyperlinked(serializer):
            schema: Schema = {"type": "string", "format": "uri"}
            return self.models.property(name, schema, place, required=False, read_only=True)
        column = table.columns.get(name) if table is not None else None
        if column is None and model is not None and table is not None and name in ("id", "pk"):
            has_own = any(self.models.tables.flag(c, "primary_key") for c in table.columns.values())
            if not has_own or name == "pk":
                return self._keyed(name, model, place, options)
        if column is None:
            return self._attribute(serializer, name, place, options, closed)
        return self._column(serializer, column, place, options, closed, demanded)

    def _keyed(self, name: str, model: ModelClass, place: Location, options: _Options) -> ModelField:
        opened = self._given(options, "read_only") is False
        return self.models.property(
            name, self.models.tables.key(model), place, required=False, read_only=not opened
        )

    def _attribute(
        self, serializer: ClassTarget, name: str, place: Location, options: _Options, closed: bool
    ) -> ModelField:
        """The field of a name that is no column: a property, a method, or a relation from the other side."""
        model = self.models.model_of(serializer)
        schema = self.models.attribute(serializer, name)
        own = isinstance(model, ClassTarget) and name in {
            n for o in self.program.ancestry(model) if isinstance(o, ClassTarget) for n in o.body.bindings
        }
        if own:
            return self.models.property(name, schema, place, required=False, read_only=True)
        # A relation from the other side is demanded unless it is read-only; what else the name may be is not known.
        read_only = closed or self._given(options, "read_only") is True
        required = not read_only and self._given(options, "required") is not False
        return self.models.property(
            name, unknown("the attribute is not known"), place, required=required, read_only=read_only
        )

    def _column(
        self,
        serializer: ClassTarget,
        column: Column,
        place: Location,
        options: _Options,
        closed: bool,
        demanded: bool,
    ) -> ModelField:
        tables = self.models.tables
        flag = tables.flag
        schema = self._value(serializer, column)
        fixed = column.kind in AUTOMATIC or tables.constant(column, "editable") is False
        fixed = fixed or flag(column, "auto_now") or flag(column, "auto_now_add")
        fixed = fixed or (column.kind == "ManyToManyField" and tables.has(column, "through"))
        read_only = closed or (fixed and self._given(options, "read_only") is not False)
        nested = column.kind in RELATIONS and self._deep(serializer)
        read_only = read_only or nested or self._given(options, "read_only") is True
        if read_only:
            # What nobody sends is checked by nobody.
            schema = {key: value for key, value in schema.items() if key not in _CHECKED}
        optional = tables.has(column, "default") or tables.has(column, "db_default")
        optional = optional or ((flag(column, "blank") or flag(column, "null")) and not demanded)
        required = not read_only and not optional and "default" not in options
        stated = self._given(options, "required")
        required = stated if isinstance(stated, bool) and not read_only else required
        schema = self._chosen(schema, column)
        null = self._given(options, "allow_null") is True
        if (
            flag(column, "null")
            and column.kind != "ManyToManyField"
            and self._given(options, "allow_null") is not False
        ) or null:
            schema = with_null(schema)
        schema = self.models.limited(schema, options)
        default = constant(self.program, *options["default"]) if "default" in options else MISSING
        return self.models.property(
            column.name,
            schema,
            place if column.scope is None else self._seen(column, place),
            required=required,
            read_only=read_only,
            write_only=self._given(options, "write_only") is True,
            default=default,
        )

    def _deep(self, serializer: ClassTarget) -> bool:
        """Whether relations are written out, which makes them read-only."""
        depth = self.models.meta(serializer, "depth")
        if not isinstance(depth, ValueTarget):
            return depth is not None
        return constant(self.program, depth.node, depth.scope) != 0

    def _seen(self, column: Column, place: Location) -> Location:
        self.program.saw(column.place.path)
        return column.place

    def _value(self, serializer: ClassTarget, column: Column) -> Schema:
        if column.kind in RELATIONS:
            if self._deep(serializer):
                return unknown("relations are written out to some depth")
            if self._is_hyperlinked(serializer):
                link: Schema = {"type": "string", "format": "uri"}
                return {"type": "array", "items": link} if column.kind == "ManyToManyField" else link
        if column.kind == "DecimalField" and self.models.decimals_as_text() is not True:
            if isinstance(self.models.decimals_as_text(), Missing):
                return unknown("whether decimals are written as text is not known")
            return {
                "type": "number",
                "x-implied": ["maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum"],
            }
        return self.models.tables.value(column)

    def _chosen(self, schema: Schema, column: Column) -> Schema:
        """Choices may be left empty where the column may be blank."""
        values = schema.get("enum")
        if (
            isinstance(values, list)
            and column.kind in _BLANKABLE
            and self.models.tables.flag(column, "blank")
            and "" not in values
        ):
            return {**schema, "enum": [*values, ""]}
        return schema

    def _given(self, options: _Options, name: str) -> Json:
        value = constant(self.program, *options[name]) if name in options else None
        return None if isinstance(value, Missing) else value
