"""The query parameters that django-filter takes for a list, with the types that its filters give their values."""

from __future__ import annotations

import ast
from typing import Final

from graph.facts import Location
from graph.schema_algebra import Schema, unknown
from ingest.web.calls import argument
from ingest.web.constants import Constant, constant, text_of
from ingest.web.django_columns import AUTOMATIC, choice_values, enumerated
from ingest.web.django_models import DjangoModels
from ingest.web.django_tables import Column, ModelClass
from ingest.web.drf_views import Policies, View
from ingest.web.operations import Parameter
from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.targets import ClassTarget, External, Target, ValueTarget

_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "number"}
_DATE: Schema = {"type": "string", "format": "date"}
_MOMENT: Schema = {"type": "string", "format": "date-time"}
_FILTERS: Final[dict[str, Schema]] = {
    "CharFilter": _TEXT,
    "BooleanFilter": {"type": "boolean"},
    "UUIDFilter": {"type": "string", "format": "uuid"},
    "DateFilter": _DATE,
    "DateTimeFilter": _MOMENT,
    "IsoDateTimeFilter": _MOMENT,
    "TimeFilter": {"type": "string", "format": "time"},
}
"""Filters whose values have one type, whatever column they look at."""
_RANGES: Final[dict[str, tuple[tuple[str, str], Schema | None]]] = {
    "RangeFilter": (("min", "max"), None),
    "NumericRangeFilter": (("min", "max"), None),
    "DateFromToRangeFilter": (("after", "before"), _DATE),
    "DateTimeFromToRangeFilter": (("after", "before"), _MOMENT),
    "IsoDateTimeFromToRangeFilter": (("after", "before"), _MOMENT),
    "TimeRangeFilter": (("after", "before"), {"type": "string", "format": "time"}),
}
"""Filters that take two parameters: the endings of their names, and their type where it is not the column's."""
_FILTERED: Final[dict[str, Schema]] = {
    **dict.fromkeys(("CharField", "TextField", "SlugField"), _TEXT),
    **{name: {"type": "integer"} for name in ("IntegerField", "BigIntegerField", "SmallIntegerField")},
    **{name: {"type": "integer"} for name in ("PositiveIntegerField", "PositiveSmallIntegerField")},
    "BooleanField": {"type": "boolean"},
    "UUIDField": {"type": "string", "format": "uuid"},
    "DateField": _DATE,
    "DateTimeField": _MOMENT,
    "FloatField": _NUMBER,
}
_NUMBERS: Final = frozenset({"FloatField", "DecimalField"})
_SAME_TYPE: Final = frozenset({"", "exact", "gt", "gte", "lt", "lte"})
_OPEN = unknown("the filter gives its values a type")


class FilterReader:
    """Reads the filters of the views of one program."""

    def __init__(self, program: Program, policies: Policies, tables: DjangoModels) -> None:
        self.program = program
        self.policies = policies
        self.tables = tables

    def of(self, view: View, place: Location) -> list[Parameter] | None:
        """The parameters of a view's filters; None where they cannot all be known."""
        if self.policies.member(view, "get_filterset_class") is not None:
            return None
        fields = self.policies.member(view, "filterset_fields")
        own = self.policies.member(view, "filterset_class")
        if own is not None:
            found = self._set(own)
        else:
            model = self._model(view)
            names = self._lookups(fields) if fields is not None else []
            found = {name: self._column(model, name) for name in names} if names is not None else None
        if found is None:
            return None
        return [Parameter("query", name, False, dict(schema), place) for name, schema in found.items()]

    def _model(self, view: View) -> ModelClass | None:
        queryset = self.policies.member(view, "queryset")
        if self.policies.member(view, "get_queryset") is not None or not isinstance(queryset, ValueTarget):
            return None
        return self.tables.model_of_queryset(queryset.node, queryset.scope)

    def _set(self, target: Target) -> dict[str, Schema] | None:
        """The parameters of a filter set, its own and those that it makes of columns."""
        if not isinstance(target, ClassTarget):
            return None
        meta = self.program.class_member(target, "Meta")
        inner = meta if isinstance(meta, ClassTarget) else None
        named = self.program.class_member(inner, "model") if inner is not None else None
        model = named if isinstance(named, ClassTarget) else None
        listed = self.program.class_member(inner, "fields") if inner is not None else None
        left_out = self.program.class_member(inner, "exclude") if inner is not None else None
        names = self._lookups(listed) if listed is not None else []
        if (listed is None and left_out is not None) or self._is_all(listed):
            names = self._all(model, left_out)
        if names is None:
            return None
        found = {name: self._column(model, name) for name in names}
        for owner in reversed(self.program.ancestry(target)):
            if isinstance(owner, ClassTarget):
                for name, call in _assigned(owner.node):
                    own = self._declared(name, call, owner.body, model)
                    if own is None:
                        return None
                    # A filter of the name of a column takes its place.
                    found = {key: value for key, value in found.items() if not own or key != name} | own
            elif owner is None or owner.root not in ("django_filters", "builtins"):
                return None
        return found

    def _is_all(self, listed: Target | None) -> bool:
        return (
            isinstance(listed, ValueTarget) and constant(self.program, listed.node, listed.scope) == "__all__"
        )

    def _all(self, model: ModelClass | None, left_out: Target | None) -> list[str] | None:
        """The columns that a filter set without a list of its own filters by; None where they cannot all be known."""
        table = self.tables.table(model) if model is not None else None
        names: Constant = []
        if isinstance(left_out, ValueTarget):
            names = constant(self.program, left_out.node, left_out.scope)
        if table is None or not table.complete or not isinstance(names, list | None):
            return None
        return [
            column.name
            for column in table.columns.values()
            if column.kind not in AUTOMATIC
            and column.name not in (names or ())
            and self.tables.constant(column, "editable") is not False
            and not self.tables.flag(column, "parent_link")
        ]

    def _declared(
        self, name: str, call: ast.Call, scope: Scope, model: ModelClass | None
    ) -> dict[str, Schema] | None:
        """The parameters of one declared filter; none where it is no filter, None where they are not known."""
        kind = self.program.resolve(call.func, scope)
        if not isinstance(kind, External) or not kind.name.endswith("Filter"):
            project = isinstance(kind, ClassTarget) and kind.node.name.endswith("Filter")
            return {name: _OPEN} if project else {}
        written = text_of(self.program, argument(call, 0, "field_name"), scope)
        table = self.tables.table(model).columns if model is not None else {}
        column = table.get(written or name)
        free = argument(call, None, "method") is not None
        if kind.name in _RANGES:
            endings, schema = _RANGES[kind.name]
            return {f"{name}_{ending}": schema if schema and not free else _OPEN for ending in endings}
        if "Range" in kind.name and kind.name not in ("DateRangeFilter", "BaseRangeFilter"):
            return None
        if "Lookup" in kind.name:
            return None
        return {name: _OPEN if free else self._typed(kind.name, call, scope, column)}

    def _typed(self, kind: str, call: ast.Call, scope: Scope, column: Column | None) -> Schema:
        if kind in _FILTERS:
            return _FILTERS[kind]
        if kind == "NumberFilter" and column is not None:
            plain = _FILTERED.get(column.kind, _NUMBER if column.kind in _NUMBERS else _OPEN)
            return plain if plain.get("type") in ("integer", "number") else _OPEN
        if kind in ("ChoiceFilter", "MultipleChoiceFilter", "TypedChoiceFilter"):
            node = argument(call, None, "choices")
            values = choice_values(self.program, node, scope) if node is not None else None
            # A form hands on text, whatever the column holds.
            whole = enumerated(values) if values and all(isinstance(v, str) for v in values) else _OPEN
            return {"type": "array", "items": whole} if kind.startswith("Multiple") else whole
        if kind in ("ModelChoiceFilter", "ModelMultipleChoiceFilter"):
            usual = argument(call, None, "to_field_name") is None
            queryset = argument(call, None, "queryset")
            model = self.tables.model_of_queryset(queryset, scope) if queryset is not None else None
            key = self.tables.key(model) if model is not None and usual else _OPEN
            return {"type": "array", "items": key} if "Multiple" in kind else key
        return _OPEN

    def _column(self, model: ModelClass | None, name: str) -> Schema:
        """The schema of a filter that django-filter makes of a column; lookups that change the type stay open."""
        bare, _, lookup = name.partition("__")
        column = self.tables.table(model).columns.get(bare) if model is not None else None
        if lookup == "isnull":
            return {"type": "boolean"}
        if column is None or column.kind not in _FILTERED or lookup not in _SAME_TYPE:
            return _OPEN
        if column.given("choices") is not None:
            schema = self.tables.value(column)
            return schema if "enum" in schema else unknown("the choices are not constant")
        return _FILTERED[column.kind]

    def _lookups(self, target: Target) -> list[str] | None:
        if not isinstance(target, ValueTarget):
            return None
        value = constant(self.program, target.node, target.scope)
        if isinstance(value, list):
            return [str(name) for name in value]
        if not isinstance(value, dict) or not all(isinstance(each, list) for each in value.values()):
            return None
        found = []
        for name, lookups in value.items():
            if "range" in lookups:
                return None
            found += [name if each == "exact" else f"{name}__{each}" for each in lookups]
        return found


def _assigned(node: ast.ClassDef) -> list[tuple[str, ast.Call]]:
    """The names that a class body binds to calls."""
    return [
        (statement.targets[0].id, statement.value)
        for statement in node.body
        if isinstance(statement, ast.Assign)
        and isinstance(statement.targets[0], ast.Name)
        and isinstance(statement.value, ast.Call)
    ]
