"""Django Ninja: the operations of APIs and of the routers that are added to them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from graph.facts import Location, Unknown
from graph.schema_algebra import unknown
from ingest.web.constants.constants import constant, entries, text_of
from ingest.web.constants.star_arguments import written_out
from ingest.web.django.answers import AnswerReader
from ingest.web.django.routes import Route
from ingest.web.ninja.answers import ResponseReader, Telling
from ingest.web.ninja.controllers import CONTROLLING, controllers
from ingest.web.ninja.exceptions import REGISTERING, handled_statuses
from ingest.web.ninja.inputs import InputReader
from ingest.web.ninja.pages import PageReader
from ingest.web.ninja.security import SecurityReader, passed_on
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget, ValueTarget
from ingest.web.records.operations import Operation
from ingest.web.routing.sites import Event, Site, Sites
from ingest.web.serializers.serializers import SerializerModels
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

FRAMEWORK: Final = "django-ninja"
METHODS: Final = ("get", "post", "put", "patch", "delete")
NINJA_ROUTERS: Final = frozenset({"Router", "RouterPaginated"})
_EVENTS: Final = frozenset(
    {*METHODS, "api_operation", "add_api_operation", "add_router", *REGISTERING, *CONTROLLING}
)
_VARIABLE = re.compile(r"\{(?:(?P<kind>[^{}:]+):)?(?P<name>\w+)\}")
_DEPTH: Final = 20


class _Around(msgspec.Struct, frozen=True):
    """What is in force for the operations of a router; `auth` is what was said last, None where nothing was."""

    path: str
    sources: frozenset[str]
    auth: tuple[ast.expr, Scope] | None
    certain: bool
    transparent: bool
    handled: tuple[str, ...]
    json: bool


class NinjaReader:
    """Reads the APIs of one program."""

    def __init__(
        self,
        program: Program,
        instances: Instances,
        sites: Sites,
        models: SerializerModels,
        answers: AnswerReader,
    ) -> None:
        self.program = program
        self.instances = instances
        self.sites = sites
        self.models = models
        self.answers = answers
        self.inputs = InputReader(program, models)
        self.security = SecurityReader(program, models.settings)
        self.pages = PageReader(program, sites, models)
        self.responses = ResponseReader(program, models, answers)
        self.unknown: list[Unknown] = []
        self._events: dict[Site, list[Event]] | None = None

    @property
    def events(self) -> dict[Site, list[Event]]:
        """What happens to each API and router, in source order."""
        if self._events is None:
            self._events = {}
            for event in self.sites.events(_EVENTS):
                self._events.setdefault(event.site, []).append(event)
        return self._events

    def operations(self, route: Route) -> Iterator[Operation]:
        """The operations of the API that a URLconf leads to."""
        site = route.site
        assert site is not None
        handled = handled_statuses(self.program, self.answers, self.events.get(site, []))
        around = _Around(
            path=route.pattern.path,
            sources=route.around.sources | {site.scope.path},
            auth=self._auth(site.call, site.scope),
            certain=route.around.certain,
            transparent=handled is not None and not has_stars(site.call),
            handled=tuple(handled or ()),
            json=argument(site.call, None, "renderer") is None,
        )
        for operation in self._router(site, around, (site,)):
            operation.document = route.around.document
            yield operation

    def _router(self, site: Site, around: _Around, above: tuple[Site, ...]) -> Iterator[Operation]:
        for event in self.events.get(site, []):
            if event.method == "add_router":
                yield from self._added(event, around, above)
                continue
            if event.method in CONTROLLING:
                yield from self._controlled(event, around)
                continue
            if event.method == "add_api_operation":
                # The function stands after the path and the methods.
                view = argument(event.call, 2, "view_func")
                found_view = self.program.resolve(view, event.scope) if view is not None else None
                known_view = found_view if isinstance(found_view, FunctionTarget) else None
                event = replace(event, function=known_view)
            if event.method not in REGISTERING and not isinstance(event.function, FunctionTarget):
                yield self._hidden(around, self.program.place(event.call, event.scope))
            elif event.method not in REGISTERING:
                with self.program.trail() as paths:
                    self.program.saw(event.scope.path)
                    found = list(self._registered(event, around))
                for operation in found:
                    operation.sources = set(paths) | around.sources | {site.scope.path}
                    yield operation

    def _added(self, event: Event, around: _Around, above: tuple[Site, ...]) -> Iterator[Operation]:
        prefix = text_of(self.program, argument(event.call, 0, "prefix"), event.scope)
        node = argument(event.call, 1, "router")
        children = self._children(node, event.scope) if node is not None else []
        if prefix is None or not children or len(above) > _DEPTH:
            place = self.program.place(event.call, event.scope)
            self.unknown.append(
                Unknown(
                    f"API {place.path}",
                    "inclusion",
                    place.path,
                    place.line,
                    "which router is added is not known",
                )
            )
            yield self._hidden(around, place)
            return
        for child in children:
            if child in above:
                continue
            own = self._auth(child.call, child.scope)
            if own is not None and is_none(own[0]) and around.auth is not None and child.call is not None:
                # Versions of Ninja differ in whether a router so frees itself of what holds for the whole API; what is
                # no way of authenticating leaves it open.
                own = child.call, child.scope
            said = self._auth(event.call, event.scope) or own or around.auth
            inner = replace(
                around,
                path=_joined(around.path, prefix),
                sources=around.sources | {event.scope.path, child.scope.path},
                auth=said,
            )
            yield from self._router(child, inner, (*above, child))

    def _controlled(self, event: Event, around: _Around) -> Iterator[Operation]:
        """The operations of the controllers that are registered with an API."""
        with self.program.trail() as paths:
            found = controllers(self.program, event)
        if None in found:
            yield self._hidden(around, self.program.place(event.call, event.scope))
        for each in found:
            if each is None:
                continue
            inner = replace(
                around,
                path=_joined(around.path, each.prefix),
                sources=around.sources | paths | {event.scope.path, each.scope.path},
                auth=self._auth(each.call, each.scope) or around.auth,
            )
            for inside in each.events:
                with self.program.trail() as read:
                    operations = list(self._registered(inside, inner))
                for operation in operations:
                    operation.sources = set(read) | inner.sources
                    yield operation

    def _hidden(self, around: _Around, place: Location) -> Operation:
        """That operations are registered below a path which cannot be read."""
        operation = Operation("ANY", around.path, place, "", FRAMEWORK)
        operation.open, operation.in_schema = "below", False
        return operation

    def _children(self, node: ast.expr, scope: Scope) -> list[Site]:
        text = text_of(self.program, node, scope)
        if text is None:
            return self.sites.of(node, scope)
        place, _, name = text.rpartition(".")
        module = self.program.module(place)
        target = self.program.member(module, name) if module is not None else None
        known = isinstance(target, ValueTarget) and target.node is not None
        return (
            self.sites.of(target.node, target.scope)
            if known and isinstance(target, ValueTarget) and target.node
            else []
        )

    def _registered(self, event: Event, around: _Around) -> Iterator[Operation]:
        handler = event.function
        assert isinstance(handler, FunctionTarget)
        methods: list[str] = [event.method.upper()]
        position = 0
        if event.method in ("api_operation", "add_api_operation"):
            position = 1 if event.method == "api_operation" else 0
            found = constant(self.program, argument(event.call, 1 - position, "methods"), event.scope)
            methods = [str(m).upper() for m in found] if isinstance(found, list) else []
        path = text_of(self.program, argument(event.call, position, "path"), event.scope)
        place = self.program.place(handler.node, handler.scope)
        called = self.program.place(event.call, event.scope)
        beside = called.path == place.path and called.line <= place.end_line
        place = Location(called.path, called.line, place.end_line if beside else called.end_line)
        if path is None or not methods or has_stars(event.call):
            self.unknown.append(
                Unknown(
                    "route",
                    "inclusion",
                    place.path,
                    place.line,
                    "the route's path or methods are not constant",
                )
            )
            yield self._hidden(around, place)
            return
        for method in methods:
            yield self._operation(event, handler, method, path, around, place)

    def _operation(
        self, event: Event, handler: FunctionTarget, method: str, path: str, around: _Around, place: Location
    ) -> Operation:
        whole = _joined(around.path, path)
        names = _variables(whole)
        shown = _VARIABLE.sub(lambda match: "{" + match.group("name") + "}", whole)
        operation = Operation(method, shown, place, handler.qualified, FRAMEWORK)
        call, scope = event.call, event.scope
        operation.operation_id = text_of(self.program, argument(call, None, "operation_id"), scope)
        operation.summary = text_of(self.program, argument(call, None, "summary"), scope) or ""
        operation.description = text_of(self.program, argument(call, None, "description"), scope) or ""
        operation.deprecated = constant(self.program, argument(call, None, "deprecated"), scope) is True
        shown_in = constant(self.program, argument(call, None, "include_in_schema"), scope)
        operation.in_schema = around.certain and shown_in is not False
        taken = self.inputs.of(handler, names, place, own=_variables(path))
        extra = self._extra(call, scope)
        pages, standing = self.pages.of(handler, event)
        if pages is not None:
            taken.parameters += pages.parameters
            operation.taken = pages.also
        if standing.hidden:
            own = [each for each in taken.parameters if each.place == "path"]
            open_ = unknown("a decorator stands before the function")
            taken.parameters = [replace(each, schema=open_) for each in own]
            taken.bodies, taken.complete = [], False
        unique = {parameter.key: parameter for parameter in reversed(taken.parameters)}
        operation.parameters, operation.bodies = list(unique.values()), taken.bodies
        known = taken.complete and (pages is None or pages.complete)
        operation.parameters_complete = known and standing.shown and not extra & {"parameters", "requestBody"}
        self.security.secure(operation, self._auth(call, scope) or around.auth)
        aliases = constant(self.program, argument(call, None, "by_alias"), scope) is True
        settled = standing.plain and "responses" not in extra
        telling = Telling(pages, around.json, around.transparent, settled, aliases, around.handled)
        self.responses.add(operation, event, handler, telling)
        return operation

    def _extra(self, call: ast.Call, scope: Scope) -> set[str]:
        """The parts of the contract that an operation writes itself, as far as they matter."""
        written = argument(call, None, "openapi_extra")
        if written is None:
            return set()
        found = entries(self.program, written, scope)
        names = (
            [text_of(self.program, key, inner) for key, _, inner in found] if found is not None else [None]
        )
        return {"parameters", "requestBody", "responses"} if None in names else {str(name) for name in names}

    def _auth(self, call: ast.Call | None, scope: Scope) -> tuple[ast.expr, Scope] | None:
        if call is None:
            return None
        written, place = written_out(self.program, call, scope)
        node = argument(written, None, "auth")
        if node is None and has_stars(written):
            # What is passed on may have it: what is no way of authenticating leaves it open.
            return passed_on(self.program, call, scope) or (call, scope)
        return (node, place) if node is not None else None


def _variables(path: str) -> dict[str, str]:
    """The names of a path's parameters, with their converters."""
    return {m.group("name"): m.group("kind") or "" for m in _VARIABLE.finditer(path)}


def _joined(prefix: str, path: str) -> str:
    """A path below a prefix, as Ninja joins them."""
    return re.sub("/+", "/", "/".join(part for part in (prefix, path) if part))
