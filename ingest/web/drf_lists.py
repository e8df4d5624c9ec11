"""What lists of the REST framework take and give: pages, searching, ordering and filters."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Final

from graph.facts import Location
from graph.schema_algebra import Schema, unknown
from ingest.web.calls import argument
from ingest.web.constants import MISSING, Constant, Missing, constant
from ingest.web.django_columns import BOUNDS
from ingest.web.django_models import DjangoModels, ModelClass
from ingest.web.django_settings import Given
from ingest.web.drf_views import REST, Policies, View
from ingest.web.operations import Parameter
from ingest.web.program import Program
from ingest.web.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget

_INTEGER: Schema = {"type": "integer", "x-implied": ["positive", "range"]}
_TEXT: Schema = {"type": "string"}
_LINK: Schema = {"type": ["null", "string"], "format": "uri"}
_DATE: Schema = {"type": "string", "format": "date"}
_MOMENT: Schema = {"type": "string", "format": "date-time"}
_FILTERS: Final[dict[str, Schema]] = {
    "CharFilter": _TEXT,
    "BooleanFilter": {"type": "boolean"},
    "UUIDFilter": {"type": "string", "format": "uuid"},
}
"""Filters whose values have one type, whatever column they look at."""
_FILTERED: Final[dict[str, Schema]] = {
    **dict.fromkeys(("CharField", "TextField", "SlugField"), _TEXT),
    **{name: {"type": "integer"} for name in ("IntegerField", "BigIntegerField", "SmallIntegerField")},
    **{name: {"type": "integer"} for name in ("PositiveIntegerField", "PositiveSmallIntegerField")},
    "BooleanField": {"type": "boolean"},
    "UUIDField": {"type": "string", "format": "uuid"},
    "DateField": _DATE,
    "DateTimeField": _MOMENT,
}
_SAME_TYPE: Final = frozenset({"", "exact", "gt", "gte", "lt", "lte"})
_KINDS: Final = ("PageNumberPagination", "LimitOffsetPagination", "CursorPagination")


@dataclass(slots=True)
class Listing:
    """The query parameters of a list, whether these are all, and what its pages look like.

    `wrap` is "" for a plain array, the kind of pagination where there are pages, and None where it is not known.
    """

    parameters: list[Parameter] = field(default_factory=list)
    complete: bool = True
    wrap: str | None = ""

    def answer(self, items: Schema) -> Schema | None:
        """The schema of the answer with these items; None where it cannot be known."""
        whole: Schema = {"type": "array", "items": items}
        if self.wrap == "":
            return whole
        if self.wrap is None:
            return None
        properties: dict[str, Schema] = {"next": dict(_LINK), "previous": dict(_LINK), "results": whole}
        required = ["results"]
        if self.wrap != "CursorPagination":
            properties["count"] = {"type": "integer"}
            required = ["count", "results"]
        return {"type": "object", "properties": properties, "required": required}


class ListReader:
    """Reads the filters and the pagination of views of one program."""

    def __init__(self, program: Program, policies: Policies, tables: DjangoModels) -> None:
        self.tables = tables
        self.program = program
        self.policies = policies

    def of(self, view: View, place: Location) -> Listing:
        """What the lists of a view take and give."""
        listing = Listing()
        self._pages(listing, view, place)
        self._filters(listing, view, place)
        return listing

    def _pages(self, listing: Listing, view: View, place: Location) -> None:
        target = self.policies.pagination(view)
        if target is None:
            return
        kind = next(
            (k for k in _KINDS if not isinstance(target, Missing) and self.program.is_a(target, {REST}, {k})),
            "",
        )
        if not kind or isinstance(target, Missing):
            listing.complete, listing.wrap = False, None
            return
        listing.wrap = kind
        if isinstance(target, ClassTarget):
            own = {
                name
                for name in ("get_paginated_response", "paginate_queryset", "get_paginated_response_schema")
                if isinstance(self.program.class_member(target, name), FunctionTarget)
            }
            listing.wrap = None if own else kind
        names = {
            "PageNumberPagination": (("page_query_param", "page"), ("page_size_query_param", "")),
            "LimitOffsetPagination": (("limit_query_param", "limit"), ("offset_query_param", "offset")),
            "CursorPagination": (("cursor_query_param", "cursor"), ("page_size_query_param", "")),
        }
        for attribute, usual in names[kind]:
            name = self._attribute(target, attribute, usual)
            if isinstance(name, Missing):
                listing.complete = False
            elif isinstance(name, str) and name:
                schema = _TEXT if attribute == "cursor_query_param" else _INTEGER
                if isinstance(target, ClassTarget) and schema is _INTEGER:
                    # The project's own class may cut what is too large.
                    schema = {"type": "integer", "x-implied": list(BOUNDS)}
                listing.parameters.append(Parameter("query", name, False, dict(schema), place))
        self._sized(listing, target, kind)

    def _sized(self, listing: Listing, target: Target, kind: str) -> None:
        """Without a size of pages the framework gives plain arrays."""
        attribute = "default_limit" if kind == "LimitOffsetPagination" else "page_size"
        size = self._attribute(target, attribute, None)
        if size is None:
            given = self.policies.settings.rest("PAGE_SIZE")
            size = constant(self.program, given.node, given.scope) if isinstance(given, Given) else given
        if size is None and kind != "LimitOffsetPagination":
            listing.wrap = None

    def _attribute(self, target: Target, name: str, usual: Constant) -> Constant:
        found = self.program.class_member(target, name) if isinstance(target, ClassTarget) else None
        if found is None or isinstance(found, External):
            return usual
        return constant(self.program, found.node, found.scope) if isinstance(found, ValueTarget) else MISSING

    def _filters(self, listing: Listing, view: View, place: Location) -> None:
        listed = self.policies.classes(view, "filter_backends")
        if listed is None or self.policies.member(view, "filter_queryset") is not None:
            listing.complete = False
            return
        for backend in listed[0]:
            if not isinstance(backend, External):
                listing.complete = False
            elif backend.root == REST and backend.name in ("SearchFilter", "OrderingFilter"):
                self._named(listing, view, place, backend.name)
            elif backend.root == "django_filters" and backend.name == "DjangoFilterBackend":
                self._filtered(listing, view, place)
            else:
                listing.complete = False

    def _named(self, listing: Listing, view: View, place: Location, backend: str) -> None:
        setting, usual = (
            ("SEARCH_PARAM", "search") if backend == "SearchFilter" else ("ORDERING_PARAM", "ordering")
        )
        given = self.policies.settings.rest(setting)
        name = constant(self.program, given.node, given.scope) if isinstance(given, Given) else usual
        idle = backend == "SearchFilter" and self.policies.member(view, "search_fields") is None
        if not isinstance(name, str) or idle:
            listing.complete = False
        else:
            listing.parameters.append(Parameter("query", name, False, dict(_TEXT), place))

    def _filtered(self, listing: Listing, view: View, place: Location) -> None:
        """The names that django-filter takes, where they stand in the code; their types stay open."""
        fields = self.policies.member(view, "filterset_fields")
        own = self.policies.member(view, "filterset_class")
        names: list[str] | None = []
        if self.policies.member(view, "get_filterset_class") is not None:
            names = None
        elif own is not None:
            names = self._filterset(own)
        elif fields is not None:
            names = self._lookups(fields)
        if names is None:
            listing.complete = False
            return
        model = self._model(view)
        declared = self._declared_filters(own) if isinstance(own, ClassTarget) else {}
        for name in names:
            schema = declared[name] if name in declared else self._column_filter(model, name)
            listing.parameters.append(Parameter("query", name, False, schema, place))

    def _model(self, view: View) -> ModelClass | None:
        queryset = self.policies.member(view, "queryset")
        if self.policies.member(view, "get_queryset") is not None or not isinstance(queryset, ValueTarget):
            return None
        return self.tables.model_of_queryset(queryset.node, queryset.scope)

    def _declared_filters(self, target: ClassTarget) -> dict[str, Schema]:
        """The schemas of the filters that a filter set declares; a choice or a lookup of its own stays open."""
        found: dict[str, Schema] = {}
        for owner in reversed(self.program.ancestry(target)):
            for statement in owner.node.body if isinstance(owner, ClassTarget) else []:
                if not isinstance(owner, ClassTarget) or not isinstance(statement, ast.Assign):
                    continue
                named, call = statement.targets[0], statement.value
                if not isinstance(named, ast.Name) or not isinstance(call, ast.Call):
                    continue
                kind = self.program.resolve(call.func, owner.body)
                plain = isinstance(kind, External) and not argument(call, None, "method")
                name = kind.name if isinstance(kind, External) else ""
                open_ = unknown("the filter gives its values a type")
                found[named.id] = dict(_FILTERS[name]) if plain and name in _FILTERS else open_
        return found

    def _column_filter(self, model: ModelClass | None, name: str) -> Schema:
        """The schema of a filter that django-filter makes of a column; lookups that change the type stay open."""
        bare, _, lookup = name.partition("__")
        column = self.tables.table(model).columns.get(bare) if model is not None else None
        if column is None or column.kind not in _FILTERED or lookup not in _SAME_TYPE:
            return unknown("the filter gives its values a type")
        if column.given("choices") is not None:
            schema = self.tables.value(column)
            return schema if "enum" in schema else unknown("the choices are not constant")
        return dict(_FILTERED[column.kind])

    def _filterset(self, target: Target) -> list[str] | None:
        if not isinstance(target, ClassTarget):
            return None
        found: list[str] = []
        for owner in reversed(self.program.ancestry(target)):
            if owner is None or (
                isinstance(owner, External) and owner.root not in ("django_filters", "builtins")
            ):
                return None
            for statement in owner.node.body if isinstance(owner, ClassTarget) else []:
                if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
                    kind = (
                        self.program.resolve(statement.value.func, owner.body)
                        if isinstance(owner, ClassTarget)
                        else None
                    )
                    named = statement.targets[0]
                    if (
                        isinstance(named, ast.Name)
                        and isinstance(kind, External)
                        and kind.name.endswith("Filter")
                    ):
                        if "Range" in kind.name:
                            return None
                        found.append(named.id)
                        if (
                            argument(statement.value, None, "lookup_expr") is not None
                            and "Lookup" in kind.name
                        ):
                            return None
        meta = self.program.class_member(target, "Meta")
        listed = self.program.class_member(meta, "fields") if isinstance(meta, ClassTarget) else None
        if listed is not None:
            more = self._lookups(listed)
            if more is None:
                return None
            found += [name for name in more if name not in found]
        return found

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
