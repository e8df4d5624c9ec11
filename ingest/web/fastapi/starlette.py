"""Plain Starlette endpoints: functions and classes that read the request by hand, on applications of any kind."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec.structs import replace

from graph.facts import Location, Unknown
from graph.schema_algebra import Schema, unknown
from ingest.web.answers.answers import Answer, Answers
from ingest.web.answers.json_text import data_of_text, is_json
from ingest.web.answers.json_values import JsonValues
from ingest.web.constants.chosen import is_chosen
from ingest.web.constants.constants import constant, setting_of, status_of, text_of
from ingest.web.fastapi.context import Route
from ingest.web.fastapi.responses import ResponseReader
from ingest.web.fastapi.surroundings import Application
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.heirs import of_heir
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target
from ingest.web.raising.decorators import decorators_of
from ingest.web.raising.error_handlers import ErrorHandlers
from ingest.web.raising.exceptions import Exit
from ingest.web.raising.exits import Exits
from ingest.web.raising.middlewares import for_request
from ingest.web.raising.own_guards import credentials_of, lets_nobody_in
from ingest.web.raising.raised import RaisedReader
from ingest.web.records.operations import Operation, Parameter, Response
from ingest.web.requests.async_requests import RequestReader
from ingest.web.requests.by_hand import HandReader, only_raises
from ingest.web.requests.request_words import STARLETTE
from ingest.web.routing.named_handlers import named_handler
from ingest.web.routing.sites import Event, Sites
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

ROUTES = frozenset({"route", "add_route"})
_ENDPOINT_METHODS = ("get", "head", "post", "put", "patch", "delete", "options")
_PARAMETER = re.compile(r"\{([A-Za-z_]\w*)(?::(\w+))?\}")
_EXCEPTION = "starlette.HTTPException"
_CONVERTERS: dict[str, Schema] = {
    "": {"type": "string"},
    "str": {"type": "string"},
    "path": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "uuid": {"type": "string", "format": "uuid"},
}


class EndpointReader:
    """Reads the endpoints of one program; `unknown` takes what no reader could know of their routes."""

    def __init__(
        self,
        program: Program,
        instances: Instances,
        sites: Sites,
        exits: Exits,
        responses: ResponseReader,
        unknown: list[Unknown],
    ) -> None:
        self.program = program
        self.instances = instances
        self.responses = responses
        self.unknown = unknown
        self.answers = Answers(program, instances, self._recognise)
        values = JsonValues(program, instances, responses.models)
        self.hand = HandReader(
            program,
            sites,
            exits,
            self.answers,
            RequestReader(program, instances, STARLETTE, self.answers, responses.models),
            RaisedReader(
                program, self.answers, content=lambda answer: self.hand.content(answer), values=values
            ),
            values,
            self._understood,
            self._refusal,
        )

    def _recognise(self, node: ast.expr, scope: Scope) -> Answer | ast.expr | None:
        """A response of the framework, with the data that it is made of."""
        found = self.responses.recognise(node, scope)
        if not isinstance(found, Answer) or not isinstance(node, ast.Call):
            return found
        written = argument(node, 0, "content")
        made = self.instances.callee(node.func, scope)
        kind = self.responses.response_class(made)
        if not kind:
            return found
        renders = isinstance(made, ClassTarget) and "render" in made.body.bindings
        if kind in ("Response", "PlainTextResponse", "HTMLResponse") and not renders:
            written = data_of_text(self.program, written, scope)
        if found.known and is_json(found.media_type):
            return replace(found, data=written, scope=scope)
        if not found.known and found.data is not None:
            said = argument(node, None, "media_type")
            media_type = (
                text_of(self.program, said, scope) if said is not None else self.responses.media_type(made)
            )
            data = written if is_json(media_type) else None
            return replace(found, inner=Answer(found.place, media_type=media_type, data=data, scope=scope))
        return found

    def operations(self, route: Route) -> Iterator[Operation]:
        """The operations of one plain route, one for each method."""
        event = route.event
        path = setting_of(self.program, argument(event.call, 0, "path"), event.scope)
        place = self.program.place(event.call, event.scope)
        target = self._target(event)
        handlers = self._handlers(event, target)
        if path is None or handlers is None or has_stars(event.call):
            reason = (
                "the path of the route is not constant" if path is None else "its methods cannot be known"
            )
            self.unknown.append(Unknown("route", "path", place.path, place.line, reason))
            return
        for method, handler in handlers:
            yield self._operation(route, method, route.context.prefix + path, handler, place)

    def _target(self, event: Event) -> Target | None:
        if event.function is not None:
            return event.function
        node = argument(event.call, 1, "endpoint", "route")
        return named_handler(self.instances, node, event.scope) if node is not None else None

    def _handlers(
        self, event: Event, target: Target | None
    ) -> list[tuple[str, FunctionTarget | None]] | None:
        """Each method with the function that answers it; None where the methods cannot be known."""
        written = argument(event.call, 2, "methods")
        named: list[str] | None = None
        if written is not None and not is_none(written):
            found = constant(self.program, written, event.scope)
            if not isinstance(found, list) or not all(isinstance(method, str) for method in found):
                return None
            named = sorted({method.upper() for method in found})
        if isinstance(target, ClassTarget):
            if not self.program.is_a(target, {"starlette"}, {"HTTPEndpoint"}):
                return None
            members = {name.upper(): self.program.class_member(target, name) for name in _ENDPOINT_METHODS}
            return [
                (name, of_heir(self.program, member, target))
                for name, member in members.items()
                if isinstance(member, FunctionTarget) and (named is None or name in named)
            ]
        handler = target if isinstance(target, FunctionTarget) else None
        if named is None and handler is None:
            return None
        return [(method, handler) for method in named or ["GET"]]

    def _operation(
        self, route: Route, method: str, path: str, handler: FunctionTarget | None, place: Location
    ) -> Operation:
        plain = _PARAMETER.sub(lambda match: "{" + match.group(1) + "}", path) or "/"
        if handler is not None:
            inner = self.program.place(handler.node, handler.scope)
            first = (
                route.event.call.lineno if isinstance(route.event.function, FunctionTarget) else inner.line
            )
            place = Location(inner.path, first, inner.end_line)
        operation = Operation(method, plain, place, handler.qualified if handler else "", "starlette")
        operation.deprecated = None
        shown = argument(route.event.call, None, "include_in_schema")
        hidden = constant(self.program, shown, route.event.scope) is False or is_chosen(
            self.program, route.event.call, route.event.scope
        )
        operation.in_schema = route.context.in_schema and not hidden
        operation.parameters = [
            Parameter("path", name, True, _CONVERTERS.get(kind, unknown("the converter is not known")), place)
            for name, kind in _PARAMETER.findall(path)
        ]
        if handler is not None:
            known = route.application.handlers
            handlers = ErrorHandlers(known.classes, known.statuses)
            handler = for_request(self.program, handler, plain, method)
            guards = self.hand.around(route.application.guards, plain, method)
            transparent = not route.application.opaque and guards is not None
            wrong = self._wrong(route.application, handler)
            transparent = transparent and wrong is not None
            handlers = self.hand.within(guards or [], handlers)
            self.hand.fill(operation, handler, handlers, transparent)
            self._plainly(operation, route.application)
            self._knows(operation, handler, route.application)
            self.hand.guard(operation, handler, guards or [], handlers)
            asks = bool(operation.security) or operation.security is None
            # Who needs no credentials seldom sends wrong ones, and hardly any contract says what then happens.
            operation.responses += [r if asks else replace(r, origin="framework") for r in wrong or []]
        return operation

    def _wrong(self, application: Application, handler: FunctionTarget) -> list[Response] | None:
        """What is answered to those whose credentials are wrong, whatever they ask for; None where it is not known."""
        found: list[Response] = []
        for told in application.refusing:
            if told is None:
                place = self.program.place(handler.node, handler.scope)
                found.append(Response("400", "raised", place, {"text/plain": {"type": "string"}}))
                continue
            answers = self.answers.of_function(told) if isinstance(told, FunctionTarget) else []
            if not answers or not all(answer.known and answer.status is not None for answer in answers):
                return None
            found += self.hand.responses(answers, handler)
        return found

    def _plainly(self, operation: Operation, application: Application) -> None:
        """What Starlette itself answers for an `HTTPException`: its words as plain text."""
        if application.site.kind != "Starlette" or _EXCEPTION in application.handlers.classes:
            return
        statuses = {str(status) for status in application.handlers.statuses}
        operation.responses = [
            replace(each, content={} if each.status in ("204", "304") else {"text/plain": {"type": "string"}})
            if each.origin == "raised" and each.exception == "HTTPException" and each.status not in statuses
            else each
            for each in operation.responses
        ]

    def _knows(self, operation: Operation, handler: FunctionTarget, application: Application) -> None:
        """Says by which credentials callers are known, where the handler, or all around, is for those who are known."""
        if not application.backends:
            return
        asked = decorators_of(self.program, self.hand.sites, handler)
        here = [
            for_request(self.program, backend, operation.path, operation.method)
            for backend in application.backends
        ]
        closed = bool(application.refusing) and any(map(lets_nobody_in, here))
        if closed or any(self._refusal(each, handler) is not None for each in asked):
            schemes = credentials_of(self.program, application.backends)
            operation.security = None if schemes is None else [{name: []} for name in schemes]
            operation.security_schemes = schemes or {}

    def _refusal(self, decorator: ast.expr, handler: FunctionTarget) -> Exit | None:
        """What `@requires(scopes, status_code=403)` raises; None for others and where it leads elsewhere instead."""
        if not isinstance(decorator, ast.Call) or has_stars(decorator):
            return None
        named = self.program.is_a(
            self.program.resolve(decorator.func, handler.scope), {"starlette"}, {"requires"}
        )
        if not named or argument(decorator, 2, "redirect") is not None:
            return None
        written = argument(decorator, 1, "status_code")
        status = 403 if written is None else status_of(self.program, written, handler.scope)
        place = self.program.place(decorator, handler.scope)
        return Exit(External("starlette.exceptions.HTTPException"), True, status, place)

    def _understood(self, function: FunctionTarget) -> bool:
        """Whether all that an endpoint returns is known."""
        found, doubts = self.responses.returned(function)
        return (
            (bool(found) or only_raises(function))
            and not doubts
            and all(a.known and a.status is not None for a in found)
        )
