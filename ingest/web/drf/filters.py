"""The query parameters that django-filter takes for a list, with the types that its filters give their values."""

from __future__ import annotations

import ast
from typing import Final

from graph.facts import Location
from graph.schema_algebra import Schema
from ingest.web.constants.constants import Constant, constant, text_of
from ingest.web.django.columns import AUTOMATIC
from ingest.web.django.models import DjangoModels
from ingest.web.django.tables import ModelClass
from ingest.web.drf.filter_types import CSV, OPEN, PERHAPS, FilterTypes
from ingest.web.drf.rows import RowReader
from ingest.web.drf.views import Policies, View
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget
from ingest.web.records.operations import Parameter
from ingest.web.serializers.serializers import SerializerModels
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope

_DATE: Schema = {"type": "string", "format": "date"}
_MOMENT: Schema = {"type": "string", "format": "date-time"}
_RANGES: Final[dict[str, tuple[tuple[str, str], Schema | None]]] = {
    "RangeFilter": (("min", "max"), None),
    "NumericRangeFilter": (("min", "max"), None),
    "DateFromToRangeFilter": (("after", "before"), _DATE),
    "DateTimeFromToRangeFilter": (("after", "before"), _MOMENT),
    "IsoDateTimeFromToRangeFilter": (("after", "before"), _MOMENT),
    "TimeRangeFilter": (("after", "before"), {"type": "string", "format": "time"}),
}
"""Filters that take two parameters: the endings of their names, and their type where it is not the column's."""
_ENDINGS: Final = frozenset(ending for endings, _ in _RANGES.values() for ending in endings)
_OWN: Final = frozenset({"field_class", "field", "__init__", "get_schema"})
"""What a filter of the project may change so that its values have another type."""
_Taken = tuple[Schema, bool]
"""The schema of a parameter, and whether it must be sent."""


class FilterReader:
    """Reads the filters of the views of one program."""

    def __init__(self, program: Program, policies: Policies, models: SerializerModels) -> None:
        self.program = program
        self.policies = policies
        self.models = models
        self.tables: DjangoModels = models.tables
        self.types = FilterTypes(models.tables, models.relations)
        self.rows = RowReader(policies, models.tables)

    def of(self, view: View, place: Location) -> tuple[list[Parameter], list[str]] | None:
        """The parameters of a view's filters, and the names of those that may be taken beside them; None where they
        cannot all be known."""
        if self.policies.member(view, "get_filterset_class") is not None:
            return None
        fields = self.policies.member(view, "filterset_fields")
        own = self.policies.member(view, "filterset_class")
        if own is not None:
            found = self._set(own)
        else:
            found = self._columns(self.rows.model(view), fields, None)
        if found is None:
            return None
        sure = {name: taken for name, taken in found.items() if taken[0] != PERHAPS}
        parameters = [Parameter("query", n, needed, dict(s), place) for n, (s, needed) in sure.items()]
        return parameters, [name for name in found if name not in sure]

    def _set(self, target: Target) -> dict[str, _Taken] | None:
        """The parameters of a filter set, its own and those that it makes of columns."""
        if not isinstance(target, ClassTarget):
            return None
        meta = self.program.class_member(target, "Meta")
        inner = meta if isinstance(meta, ClassTarget) else None
        named = self.program.class_member(inner, "model") if inner is not None else None
        model = named if isinstance(named, ClassTarget) else None
        listed = self.program.class_member(inner, "fields") if inner is not None else None
        left_out = self.program.class_member(inner, "exclude") if inner is not None else None
        found = self._columns(model, listed, left_out)
        if found is None:
            return None
        for owner in reversed(self.program.ancestry(target)):
            if isinstance(owner, ClassTarget):
                for name, call in _assigned(owner.node):
                    own = self._declared(name, call, owner.body, model, target) if call is not None else {}
                    if own is None:
                        return None
                    # A filter of the name of a column takes its place.
                    gone = {name, *(f"{name}_{each}" for each in _ENDINGS)} if own or call is None else set()
                    found = {key: value for key, value in found.items() if key not in gone} | own
            elif owner is None or owner.root not in ("django_filters", "builtins"):
                return None
        return found

    def _columns(
        self, model: ModelClass | None, listed: Target | None, left_out: Target | None
    ) -> dict[str, _Taken] | None:
        """The filters that are made of columns; None where they cannot all be known."""
        whole = isinstance(listed, ValueTarget) and constant(self.program, listed.node, listed.scope)
        gone: Constant = []
        if isinstance(left_out, ValueTarget):
            gone = constant(self.program, left_out.node, left_out.scope)
        if not isinstance(gone, list | None):
            return None
        if whole == "__all__" or (listed is None and left_out is not None):
            return self._all(model, {str(name) for name in gone or ()})
        names = self._lookups(listed) if listed is not None else []
        if names is None:
            return None
        return {name: (self.types.column(model, name), False) for name in names if name not in (gone or ())}

    def _all(self, model: ModelClass | None, left_out: set[str]) -> dict[str, _Taken] | None:
        """The columns that a filter set without a list of its own filters by; None where they cannot all be known."""
        table = self.tables.table(model) if model is not None else None
        if table is None or not table.complete:
            return None
        found: dict[str, _Taken] = {}
        for column in table.columns.values():
            if column.kind in AUTOMATIC or column.name in left_out or self.tables.flag(column, "parent_link"):
                continue
            hidden = self.tables.constant(column, "editable") is False
            found[column.name] = (PERHAPS if hidden else self.types.column(model, column.name), False)
        return found

    def _declared(
        self, name: str, call: ast.Call, scope: Scope, model: ModelClass | None, owner: ClassTarget
    ) -> dict[str, _Taken] | None:
        """The parameters of one declared filter; none where it is no filter, None where they are not known."""
        told: Schema | None = None
        if isinstance(call.func, ast.Call):
            made = self.program.resolve(call.func.func, scope)
            wrapped = call.args[0] if call.args else None
            if not isinstance(made, External) or made.name != "extend_schema_field":
                return {}
            told = self.models.of_value(argument(call.func, 0, "field"), scope) or OPEN
            if not isinstance(wrapped, ast.Call):
                return {name: (told, False)}
            call = wrapped
        kinds = self._kinds(self.program.resolve(call.func, scope))
        if kinds is None:
            return {}
        given = argument(call, None, "required")
        needed = given is not None and constant(self.program, given, scope) is True
        kind = kinds[0] if kinds else ""
        told = told if told is not None else self._method(call, scope, owner)
        if "Lookup" in kind:
            return {name: (told or OPEN, needed), f"{name}_lookup": (PERHAPS, False)}
        if kind in _RANGES:
            endings, fixed = _RANGES[kind]
        elif "Range" in kind and kind != "DateRangeFilter" and not CSV & set(kinds):
            return None
        else:
            endings, fixed = ("", ""), None
        written = text_of(self.program, argument(call, 0, "field_name"), scope)
        column, _ = self.types.followed(model, written or name)
        schema = told or fixed or self.types.declared(kinds, call, scope, column)
        if not kinds:
            schema = told or OPEN
        return {f"{name}_{ending}" if ending else name: (schema, needed) for ending in endings}

    def _kinds(self, target: Target | None) -> list[str] | None:
        """The names of the classes of django-filter that a filter is made of; None for what is no filter, none where
        the project gives values a type of its own."""
        if isinstance(target, External):
            return [target.name] if target.name.endswith("Filter") else None
        if not isinstance(target, ClassTarget) or not target.node.name.endswith("Filter"):
            bases = self.program.ancestry(target) if isinstance(target, ClassTarget) else []
            if not any(isinstance(base, External) and base.root == "django_filters" for base in bases):
                return None
        bases = self.program.ancestry(target) if isinstance(target, ClassTarget) else []
        if any(isinstance(base, ClassTarget) and _OWN & set(base.body.bindings) for base in bases):
            return []
        return [base.name for base in bases if isinstance(base, External) and base.root == "django_filters"]

    def _method(self, call: ast.Call, scope: Scope, owner: ClassTarget) -> Schema | None:
        """What is said of the values by the method that filters: by drf-spectacular's decorator, or by a hint, which
        may be taken for the parameter's type or not."""
        written = argument(call, None, "method")
        if written is None:
            return None
        name = text_of(self.program, written, scope)
        found = self.program.class_member(owner, name) if name else self.program.resolve(written, scope)
        if not isinstance(found, FunctionTarget) or not isinstance(found.node, Function):
            return OPEN
        for decorator, place in self.models.decorators(found.node, found.scope, "extend_schema_field"):
            return self.models.of_value(argument(decorator, 0, "field"), place) or OPEN
        arguments = found.node.args.args
        return OPEN if any(each.arg == "value" and each.annotation for each in arguments) else None

    def _lookups(self, target: Target) -> list[str] | None:
        if not isinstance(target, ValueTarget):
            return None
        value = constant(self.program, target.node, target.scope)
        if isinstance(value, list):
            return [str(name) for name in value]
        if not isinstance(value, dict) or not all(isinstance(each, list) for each in value.values()):
            return None
        return [
            name if each == "exact" else f"{name}__{each}"
            for name, lookups in value.items()
            for each in lookups
        ]


def _assigned(node: ast.ClassDef) -> list[tuple[str, ast.Call | None]]:
    """The names that a class body binds to calls, or to anything else, which takes their filters away."""
    found: list[tuple[str, ast.Call | None]] = []
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found.append((name, value if isinstance(value, ast.Call) else None))
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.append((name, None))
    return found
