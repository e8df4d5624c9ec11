"""Django Ninja: the operations of APIs and of the routers that are added to them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from graph.facts import Location, Unknown
from graph.schema_algebra import Schema, unknown
from ingest.web.bindings import Function
from ingest.web.calls import argument, has_stars
from ingest.web.constants import constant, entries, status_of, text_of
from ingest.web.django_answers import AnswerReader
from ingest.web.django_urls import Route
from ingest.web.drf_serializers import SerializerModels
from ingest.web.instances import Instances
from ingest.web.ninja_inputs import InputReader, Taken
from ingest.web.ninja_security import SecurityReader
from ingest.web.operations import Operation, Parameter, Response
from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.shapes import shape_of
from ingest.web.sites import Event, Site, Sites
from ingest.web.targets import External, FunctionTarget, ValueTarget

FRAMEWORK: Final = "django-ninja"
METHODS: Final = ("get", "post", "put", "patch", "delete")
_EVENTS: Final = frozenset({*METHODS, "api_operation", "add_router", "exception_handler"})
_VARIABLE = re.compile(r"\{(?:(?P<kind>\w+):)?(?P<name>\w+)\}")
_OWN: Final = ("400", "401", "403", "404", "405", "422", "429")
_DEPTH: Final = 20


@dataclass(frozen=True, slots=True)
class _Around:
    """What is in force for the operations of a router; `auth` is what was said last, None where nothing was."""

    path: str
    sources: frozenset[str]
    auth: tuple[ast.expr, Scope] | None
    certain: bool
    transparent: bool
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
        self.security = SecurityReader(program)
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
        handlers = any(event.method == "exception_handler" for event in self.events.get(site, []))
        around = _Around(
            path=route.pattern.path,
            sources=route.around.sources | {site.scope.path},
            auth=self._auth(site.call, site.scope),
            certain=route.around.certain,
            transparent=not handlers and not has_stars(site.call),
            json=argument(site.call, None, "renderer") is None,
        )
        for operation in self._router(site, around, (site,)):
            operation.document = route.around.document
            yield operation

    def _router(self, site: Site, around: _Around, above: tuple[Site, ...]) -> Iterator[Operation]:
        for event in self.events.get(site, []):
            if event.method == "add_router":
                yield from self._added(event, around, above)
            elif event.method != "exception_handler" and not isinstance(event.function, FunctionTarget):
                yield self._hidden(around, self.program.place(event.call, event.scope))
            elif event.method != "exception_handler":
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
            said = self._auth(event.call, event.scope) or own or around.auth
            inner = replace(
                around,
                path=_joined(around.path, prefix),
                sources=around.sources | {event.scope.path, child.scope.path},
                auth=said,
            )
            yield from self._router(child, inner, (*above, child))

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
        if event.method == "api_operation":
            found = constant(self.program, argument(event.call, 0, "methods"), event.scope)
            methods, position = [str(m).upper() for m in found] if isinstance(found, list) else [], 1
        path = text_of(self.program, argument(event.call, position, "path"), event.scope)
        place = self.program.place(handler.node, handler.scope)
        place = Location(place.path, event.call.lineno, place.end_line)
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
        names = {m.group("name"): m.group("kind") or "" for m in _VARIABLE.finditer(whole)}
        shown = _VARIABLE.sub(lambda match: "{" + match.group("name") + "}", whole)
        operation = Operation(method, shown, place, handler.qualified, FRAMEWORK)
        call, scope = event.call, event.scope
        operation.operation_id = text_of(self.program, argument(call, None, "operation_id"), scope)
        operation.summary = text_of(self.program, argument(call, None, "summary"), scope) or ""
        operation.description = text_of(self.program, argument(call, None, "description"), scope) or ""
        operation.deprecated = constant(self.program, argument(call, None, "deprecated"), scope) is True
        shown_in = constant(self.program, argument(call, None, "include_in_schema"), scope)
        operation.in_schema = around.certain and shown_in is not False
        taken = self.inputs.of(handler, names, place)
        schema_extra = argument(call, None, "openapi_extra") is not None
        pages, plain = self._decorated(handler)
        answer = self._paged(pages, taken, handler, place) if pages is not None else None
        unique = {parameter.key: parameter for parameter in reversed(taken.parameters)}
        operation.parameters, operation.bodies = list(unique.values()), taken.bodies
        operation.parameters_complete = taken.complete and plain and not schema_extra
        self.security.secure(operation, self._auth(call, scope) or around.auth)
        self._responses(
            operation, event, handler, around, pages is not None, answer, plain and not schema_extra
        )
        return operation

    def _decorated(self, handler: FunctionTarget) -> tuple[ast.expr | None, bool]:
        """The decorator that makes pages of a list, and whether no other one may change what is taken or answered."""
        pages: ast.expr | None = None
        plain = True
        for node in handler.node.decorator_list if isinstance(handler.node, Function) else []:
            call = node.func if isinstance(node, ast.Call) else node
            if isinstance(call, ast.Attribute) and self.sites.of(call.value, handler.scope):
                continue
            target = self.program.resolve(call, handler.scope)
            if isinstance(target, External) and target.root == "ninja" and target.name == "paginate":
                pages = node
            else:
                plain = False
        return pages, plain

    def _paged(self, node: ast.expr, taken: Taken, handler: FunctionTarget, place: Location) -> str | None:
        """Adds the parameters of a page; gives "items" where the form of pages is known."""
        written = argument(node, 0, "func_or_pgn_class") if isinstance(node, ast.Call) else None
        target = (
            self.program.resolve(written, handler.scope)
            if written is not None
            else External("ninja.pagination.LimitOffsetPagination")
        )
        plain = not isinstance(node, ast.Call) or not node.keywords
        if not isinstance(target, External) or target.root != "ninja" or not plain:
            taken.complete = False
            return None
        implied = {"x-implied": ["maximum", "positive", "range"]}
        names = {"LimitOffsetPagination": ("limit", "offset"), "PageNumberPagination": ("page",)}
        for name in names.get(target.name, ()):
            taken.parameters.append(Parameter("query", name, False, {"type": "integer", **implied}, place))
        taken.complete = taken.complete and target.name == "LimitOffsetPagination"
        return "items" if target.name in names else None

    def _responses(
        self,
        operation: Operation,
        event: Event,
        handler: FunctionTarget,
        around: _Around,
        paged: bool,
        items: str | None,
        plain: bool,
    ) -> None:
        call, scope = event.call, event.scope
        written = argument(call, None, "response")
        complete = True
        place = operation.source
        if written is None:
            complete = self._plain(operation, handler)
        else:
            target = self.program.resolve(written, scope)
            if isinstance(target, ValueTarget) and isinstance(target.node, ast.Dict):
                written, scope = target.node, target.scope
            if isinstance(written, ast.Dict):
                complete = self._table(operation, written, scope, around, paged, items)
            else:
                content = self._content(written, scope, around, paged, items)
                operation.responses.append(Response("200", "success", place, content))
        thrown, doubts = self.answers.raised(handler, framework=False)
        operation.responses += thrown if around.transparent else []
        operation.responses += [Response(status, "framework", place) for status in _OWN]
        operation.unknown += [("responses", where, reason) for where, reason in doubts]
        operation.statuses_complete = complete and plain and not doubts and around.transparent

    def _plain(self, operation: Operation, handler: FunctionTarget) -> bool:
        """Adds the answers of a handler without a declared response: data is answered with 200."""
        complete = True
        found = self.answers.answers.of_function(handler)
        if not found or any(answer.known and answer.status is None for answer in found):
            operation.responses.append(Response("200", "success", operation.source))
        for answer in found:
            if answer.status is not None:
                origin = "success" if answer.status < 400 else "returned"
                operation.responses.append(Response(str(answer.status), origin, answer.place, via=answer.via))
            complete = complete and answer.known
        return complete

    def _table(
        self,
        operation: Operation,
        table: ast.Dict,
        scope: Scope,
        around: _Around,
        paged: bool,
        items: str | None,
    ) -> bool:
        complete = True
        for key, value, inner in entries(self.program, table, scope) or []:
            status = status_of(self.program, key, inner)
            place = self.program.place(key, inner)
            codes = [str(status)] if status is not None else self._codes(key, inner)
            complete = complete and bool(codes)
            for code in codes:
                wrapped = paged and code == "200"
                content = self._content(value, inner, around, wrapped, items)
                origin = "success" if code.startswith("2") else "declared"
                operation.responses.append(Response(code, origin, place, content))
        return complete

    def _codes(self, key: ast.expr, scope: Scope) -> list[str]:
        """The statuses of a group; none where they are not constant."""
        value = constant(self.program, key, scope)
        if isinstance(value, list) and all(isinstance(v, int) for v in value):
            return [str(v) for v in value]
        return [] if value != ... else ["default"]

    def _content(
        self, node: ast.expr, scope: Scope, around: _Around, paged: bool, items: str | None
    ) -> dict[str, Schema] | None:
        if isinstance(node, ast.Constant) and node.value is None:
            return {}
        if not around.json:
            return None
        schema = self.models.schema(shape_of(self.program, node, scope))
        if paged:
            whole = {
                "type": "object",
                "properties": {"items": schema, "count": {"type": "integer"}},
                "required": ["count", "items"],
            }
            schema = whole if items is not None else unknown("the form of the pages is not known")
        return {"application/json": schema}

    def _auth(self, call: ast.Call | None, scope: Scope) -> tuple[ast.expr, Scope] | None:
        node = argument(call, None, "auth")
        return (node, scope) if node is not None else None


def _joined(prefix: str, path: str) -> str:
    """A path below a prefix, as Ninja joins them."""
    return re.sub("/+", "/", "/".join(part for part in (prefix, path) if part))
