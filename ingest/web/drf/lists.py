"""What lists of the REST framework take and give: pages, searching, ordering and filters."""

from __future__ import annotations

import ast
from typing import Final

import msgspec
from msgspec.structs import replace

from graph.facts import Location
from graph.schema_algebra import Schema, unknown
from ingest.web.constants.constants import MISSING, Constant, Missing, constant
from ingest.web.django.columns import BOUNDS
from ingest.web.django.settings import Given
from ingest.web.drf import json_api
from ingest.web.drf.filter_backends import BackendReader, asks_nothing
from ingest.web.drf.filters import FilterReader
from ingest.web.drf.pages import Wrap, usual_page, written_page
from ingest.web.drf.views import REST, Policies, View
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget
from ingest.web.records.operations import Parameter
from ingest.web.serializers.serializers import SerializerModels
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import is_self

_INTEGER: Schema = {"type": "integer", "x-implied": ["positive", "range"]}
_TEXT: Schema = {"type": "string"}
_PLAIN_VIEWS: Final = frozenset({"APIView", "ViewSet", "ViewSetMixin"})
_KINDS: Final = ("PageNumberPagination", "LimitOffsetPagination", "CursorPagination")


_READING: Final = frozenset({"query_params", "GET", "META", "headers", "COOKIES", "_request"})
_FILTER: Final = "filter_queryset"
_ASKING: Final = frozenset({_FILTER, "get_search_fields", "get_ordering"})
_FILTERING: Final = frozenset(
    {
        *("filter_queryset", "get_filterset", "get_filterset_class", "get_filterset_kwargs"),
        *("get_search_fields", "get_search_terms", "get_ordering", "get_schema_operation_parameters"),
    }
)
"""What a filter of the project may change so that it takes other parameters."""


class Listing(msgspec.Struct):
    """The query parameters of a list, whether these are all, and what its pages look like.

    `taken` are the keys of further parameters that may be taken, though no contract need name them.
    `wrap` is "" for a plain array, the kind of pagination where there are pages, and None where it is not known;
    `page` is the form that the project's own pagination writes down instead, `turning` are the keys of the parameters
    that choose a page.
    """

    parameters: list[Parameter] = msgspec.field(default_factory=list)
    complete: bool = True
    wrap: str | None = ""
    page: Wrap | None = None
    taken: list[str] = msgspec.field(default_factory=list)
    turning: list[str] = msgspec.field(default_factory=list)

    def unpaged(self) -> None:
        """Leaves open whether there are pages: what writes contracts thinks so, and the handler makes none itself."""
        if self.wrap:
            self.wrap, self.page, self.complete = None, None, False
            self.taken += self.turning
            self.parameters = [each for each in self.parameters if each.key not in self.turning]

    def answer(self, items: Schema) -> Schema | None:
        """The schema of the answer with these items; None where it cannot be known."""
        whole: Schema = {"type": "array", "items": items}
        if self.wrap == "":
            return whole
        if self.page is not None and self.wrap is not None:
            return self.page(whole)
        if self.wrap is None:
            return None
        return usual_page(self.wrap, whole)


class ListReader:
    """Reads the filters and the pagination of views of one program."""

    def __init__(self, program: Program, policies: Policies, models: SerializerModels) -> None:
        self.filters = FilterReader(program, policies, models)
        self.backends = BackendReader(program, policies)
        self.program = program
        self.policies = policies

    def of(self, view: View, place: Location) -> Listing:
        """What the lists of a view take and give."""
        listing = Listing()
        if view.target is None or not self._is_generic(view.target):
            if self.policies.member(view, "pagination_class") is not None:
                # Nothing but the view itself reads it, if it does.
                listing.complete, listing.wrap = False, None
            return listing
        self._pages(listing, view, place)
        listing.turning = [each.key for each in listing.parameters]
        self._filters(listing, view, place)
        return listing

    def _is_generic(self, view: ClassTarget) -> bool:
        """Whether a view may have pages and filters: one that is not generic has neither."""
        for base in self.program.ancestry(view):
            plain = isinstance(base, External) and base.root == REST and base.name in _PLAIN_VIEWS
            if not (isinstance(base, ClassTarget) or plain or base == External("builtins.object")):
                return True
        return False

    def _pages(self, listing: Listing, view: View, place: Location) -> None:
        target = self.policies.pagination(view)
        if target is None:
            return
        if not isinstance(target, Missing) and (spoken := json_api.pages(self.program, target)):
            self._documents(listing, target, spoken, place)
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
            written = self.program.class_member(target, "get_paginated_response_schema")
            if isinstance(written, FunctionTarget):
                listing.page = written_page(self.program, written, kind)
            listing.wrap = kind if not own or listing.page is not None else None
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
        if isinstance(target, ClassTarget) and "get_schema_operation_parameters" in {
            name
            for o in self.program.ancestry(target)
            if isinstance(o, ClassTarget)
            for name in o.body.bindings
        }:
            # The class tells of its parameters what it likes.
            listing.complete = False
            listing.taken = [each.key for each in listing.parameters]
            listing.parameters = []

    def _documents(
        self, listing: Listing, target: Target, names: tuple[tuple[str, str], ...], place: Location
    ) -> None:
        """Pages that are documents of JSON:API, whose form is not read."""
        listing.wrap, listing.page = names[0][1], lambda _: unknown("the form of the pages is not known")
        for attribute, usual in names:
            name = self._attribute(target, attribute, usual)
            if isinstance(name, str):
                listing.parameters.append(Parameter("query", name, False, dict(_INTEGER), place))
            elif name is not None:
                listing.complete = False

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
        for written in listed[0]:
            if isinstance(written, ClassTarget) and (told := self.backends.of(written, place)) is not None:
                listing.parameters += told
                continue
            if isinstance(written, ClassTarget) and asks_nothing(self.program, written):
                continue
            backend = self._backend(written)
            if backend is None:
                listing.complete = False
            elif backend == json_api.CHECKING:
                continue
            elif backend == json_api.ORDERING or (
                backend.root == REST and backend.name in ("SearchFilter", "OrderingFilter")
            ):
                self._named(listing, view, place, backend, written)
            elif backend == json_api.FILTERING or (
                backend.root == "django_filters" and backend.name == "DjangoFilterBackend"
            ):
                self._by_columns(listing, view, place, spoken=backend == json_api.FILTERING)
            else:
                listing.complete = False

    def _by_columns(self, listing: Listing, view: View, place: Location, *, spoken: bool) -> None:
        """What django-filter takes, under the names of JSON:API where it is spoken."""
        found = self.filters.of(view, place)
        if found is None:
            listing.complete = False
            return
        parameters, also = found
        if spoken:
            listing.taken += [key for each in parameters for key in json_api.also_filtering(each.name)]
            parameters = [
                replace(
                    each,
                    name=json_api.filter_name(each.name),
                    anyway=bool(json_api.also_filtering(each.name)),
                )
                for each in parameters
            ]
            also = [json_api.filter_name(name) for name in also]
        listing.parameters += parameters
        listing.taken += [f"query.{name}" for name in also]

    def _backend(self, target: Target | None) -> External | None:
        """The filter from outside that is used, or that a class of the project changes only in what it shows."""
        if isinstance(target, ClassTarget):
            for base in self.program.ancestry(target):
                own = _FILTERING & set(base.body.bindings) if isinstance(base, ClassTarget) else set()
                if own and not (
                    isinstance(base, ClassTarget)
                    and own <= _ASKING
                    and all(_asks_as_above(base, name) for name in own)
                ):
                    return None
                if not isinstance(base, ClassTarget):
                    return base
        return target if isinstance(target, External) else None

    def _named(
        self, listing: Listing, view: View, place: Location, backend: External, written: Target | None
    ) -> None:
        setting, usual, attribute = (
            ("SEARCH_PARAM", "search", "search_param")
            if backend.name == "SearchFilter"
            else ("ORDERING_PARAM", "ordering", "ordering_param")
        )
        given = self.policies.settings.rest(setting) if backend != json_api.ORDERING else None
        usual = usual if backend != json_api.ORDERING else "sort"
        name = constant(self.program, given.node, given.scope) if isinstance(given, Given) else usual
        if written is not None:
            name = self._attribute(written, attribute, name)
        idle = backend.name == "SearchFilter" and self.policies.member(view, "search_fields") is None
        if not isinstance(name, str) or idle:
            listing.complete = False
        else:
            listing.parameters.append(Parameter("query", name, False, dict(_TEXT), place))


def _asks_as_above(backend: ClassTarget, name: str) -> bool:
    """Whether a method of a class reads of the request what the one above does, and looks at nothing else of it."""
    method = next(
        (each for each in backend.node.body if isinstance(each, Function) and each.name == name), None
    )
    # What is searched and ordered by may be told without asking the request.
    handed_on = name != _FILTER
    for part in ast.walk(method) if method is not None else ():
        match part:
            case ast.Attribute(attr=asked) if asked in _READING:
                return False
            case ast.Call(func=ast.Attribute(attr="get_filterset", value=owner)) if is_self(owner):
                handed_on = True
            case ast.Call(func=ast.Attribute(attr=called, value=ast.Call(func=ast.Name(id="super")))):
                handed_on = handed_on or called == name
            case ast.Call(args=args, keywords=given):
                values = [*args, *(each.value for each in given)]
                if any(isinstance(each, ast.Name) and each.id == "request" for each in values):
                    return False
    return handed_on and method is not None
