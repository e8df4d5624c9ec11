"""The types that the filters of django-filter give to what a query sends: of their own kind, or of a column."""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import Final

from graph.schema_algebra import Schema, unknown
from ingest.web.django.columns import AUTOMATIC, RELATIONS, choice_values, enumerated
from ingest.web.django.models import DjangoModels
from ingest.web.django.relations import Relations, Reverse
from ingest.web.django.tables import Column, ModelClass
from ingest.web.program.calls import argument
from ingest.web.syntax.scopes import Scope

OPEN: Final = unknown("the filter gives its values a type")
PERHAPS: Final = unknown("versions of django-filter differ in whether they filter by it")
_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "number"}
_INTEGER: Schema = {"type": "integer", "x-implied": ["range"]}
_DATE: Schema = {"type": "string", "format": "date"}
_MOMENT: Schema = {"type": "string", "format": "date-time"}
_TIME: Schema = {"type": "string", "format": "time"}
_SPAN: Schema = {"type": "string", "x-implied": ["format"]}
_FILTERS: Final[dict[str, Schema]] = {
    "CharFilter": _TEXT,
    "BooleanFilter": {"type": "boolean"},
    "UUIDFilter": {"type": "string", "format": "uuid"},
    "DateFilter": _DATE,
    "DateTimeFilter": _MOMENT,
    "IsoDateTimeFilter": _MOMENT,
    "TimeFilter": _TIME,
    "DurationFilter": _SPAN,
}
"""Filters whose values have one type, whatever column they look at."""
_INTEGERS: Final = frozenset(
    {
        *AUTOMATIC,
        *("IntegerField", "BigIntegerField", "SmallIntegerField"),
        *("PositiveIntegerField", "PositiveSmallIntegerField", "PositiveBigIntegerField"),
    }
)
_TEXTS: Final = frozenset(
    {"CharField", "TextField", "SlugField", "EmailField", "URLField", "GenericIPAddressField"}
)
_FILTERED: Final[dict[str, Schema]] = {
    **dict.fromkeys(_TEXTS, _TEXT),
    **dict.fromkeys(_INTEGERS, _INTEGER),
    "BooleanField": {"type": "boolean"},
    "UUIDField": {"type": "string", "format": "uuid"},
    "DateField": _DATE,
    "DateTimeField": _MOMENT,
    "TimeField": _TIME,
    "DurationField": _SPAN,
    "FloatField": _NUMBER,
    "DecimalField": _NUMBER,
}
_COMPARED: Final = frozenset({"exact", "iexact", "gt", "gte", "lt", "lte", "ne"})
_SEARCHED: Final = frozenset(
    {
        *("contains", "icontains", "startswith", "istartswith", "endswith", "iendswith"),
        *("regex", "iregex", "search"),
    }
)
CSV: Final = frozenset({"BaseCSVFilter", "BaseInFilter", "BaseRangeFilter"})


class FilterTypes:
    """Tells the types of the filters of one program."""

    def __init__(self, tables: DjangoModels, relations: Relations) -> None:
        self.tables = tables
        self.relations = relations
        self.program = tables.program

    def column(self, model: ModelClass | None, name: str) -> Schema:
        """The schema of a filter that django-filter makes of a column, by its name with lookups."""
        found, lookups = self.followed(model, name)
        if lookups and lookups[-1] == "isnull":
            return {"type": "boolean"}
        if isinstance(found, Reverse) and not set(lookups) - {"exact"}:
            key = self.tables.key(found.model)
            return {"type": "array", "items": key} if found.many else key
        if not isinstance(found, Column):
            return OPEN
        if lookups == ["date"] and found.kind == "DateTimeField":
            return _DATE
        if set(lookups) - _COMPARED:
            return _TEXT if not set(lookups) - _SEARCHED and found.kind in _TEXTS else OPEN
        if found.kind in RELATIONS:
            return self.tables.value(found)
        if found.given("choices") is not None and set(lookups) - {"exact"}:
            return OPEN
        if found.given("choices") is not None:
            schema = self.tables.value(found)
            return schema if "enum" in schema else unknown("the choices are not constant")
        return _FILTERED.get(found.kind, OPEN)

    def followed(self, model: ModelClass | None, name: str) -> tuple[Column | Reverse | None, list[str]]:
        """The column or relation that a name leads to, and the lookups that follow it."""
        parts = name.split("__")
        for end in range(len(parts), 0, -1) if model is not None else ():
            found = self.relations.follow(model, parts[:end])
            if isinstance(found, Column | Reverse):
                return found, parts[end:]
        return None, parts[1:]

    def declared(
        self, kinds: Collection[str], call: ast.Call, scope: Scope, column: Column | Reverse | None
    ) -> Schema:
        """The schema of a filter that is made of classes of these names, and looks at this column."""
        if CSV & set(kinds):
            # Some call it a text with commas, some a list.
            return OPEN
        kind = next((each for each in kinds if each != "Filter"), "")
        if kind in _FILTERS:
            return _FILTERS[kind]
        known = column if isinstance(column, Column) else None
        if kind in ("NumberFilter", "NumericRangeFilter"):
            plain = _FILTERED.get(known.kind, OPEN) if known is not None else OPEN
            return plain if plain.get("type") in ("integer", "number") else OPEN
        if argument(call, None, "null_label") is not None:
            # A value of its own stands for none, of which contracts may tell.
            return OPEN
        if kind in ("ChoiceFilter", "MultipleChoiceFilter", "TypedChoiceFilter"):
            node = argument(call, None, "choices")
            values = choice_values(self.program, node, scope) if node is not None else None
            whole = self._chosen(values, known)
            return {"type": "array", "items": whole} if kind.startswith("Multiple") else whole
        if kind in ("ModelChoiceFilter", "ModelMultipleChoiceFilter"):
            usual = argument(call, None, "to_field_name") is None
            queryset = argument(call, None, "queryset")
            model = self.tables.model_of_queryset(queryset, scope) if queryset is not None else None
            key = self.tables.key(model) if model is not None and usual else OPEN
            return {"type": "array", "items": key} if "Multiple" in kind else key
        if kind == "RangeFilter" and known is not None and known.kind in _INTEGERS:
            return _INTEGER
        return OPEN

    def _chosen(self, values: list[object] | None, column: Column | None) -> Schema:
        """One of some values, where what the column holds is of their type: a form hands on text all the same."""
        told = {type(value) for value in values or [] if value is not None}
        held = _FILTERED.get(column.kind, OPEN).get("type") if column is not None else None
        kind = {str: "string", int: "integer"}.get(next(iter(told)), "") if len(told) == 1 else ""
        if not kind or held not in (None, kind) or values is None:
            return OPEN
        return enumerated([value for value in values if isinstance(value, str | int | None)])
