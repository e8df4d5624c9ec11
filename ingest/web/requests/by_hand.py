"""Operations of frameworks that declare nothing: what their handlers read from the request, return and raise."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import partial

import msgspec
from msgspec.structs import replace

from graph.facts import Location
from graph.schema_algebra import Schema
from graph.schemas import is_unknown
from ingest.web.answers.answer_contents import content_of, told_by_hand
from ingest.web.answers.answers import Answer, Answers
from ingest.web.answers.json_values import JsonValues
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget
from ingest.web.raising.catching import catching_of
from ingest.web.raising.decorators import around_of, decorators_of
from ingest.web.raising.error_handlers import ErrorHandlers
from ingest.web.raising.exceptions import Exit
from ingest.web.raising.exits import Exits
from ingest.web.raising.middlewares import for_request, is_passed_on
from ingest.web.raising.own_guards import REFUSALS, credentials_of, without_credentials
from ingest.web.raising.raised import RaisedReader
from ingest.web.raising.remaking import remade
from ingest.web.raising.summaries import Summary
from ingest.web.records.operations import Operation, Parameter, Response
from ingest.web.requests.async_requests import RequestReader
from ingest.web.requests.path_checks import unchecked_in_path
from ingest.web.requests.sent_values import taken_value
from ingest.web.routing.sites import Sites
from ingest.web.syntax.bindings import parameters

_BODILESS = frozenset({"GET", "HEAD", "DELETE"})


class Around(msgspec.Struct, frozen=True):
    """What a function around a handler does by itself: what leaves it, and what it answers."""

    summary: Summary
    given: list[Answer]
    caught: ErrorHandlers = msgspec.field(default_factory=ErrorHandlers)


def no_refusal(decorator: ast.expr, handler: FunctionTarget) -> Exit | None:
    """For frameworks without decorators of their own that refuse."""
    return None


class HandReader(msgspec.Struct, frozen=True):
    """Reads such handlers of one program; `understood` tells whether what a function returns is all there is.

    `refusal` gives what a decorator of the framework raises for those who may not call the handler.
    """

    program: Program
    sites: Sites
    exits: Exits
    answers: Answers
    requests: RequestReader
    raised: RaisedReader
    values: JsonValues
    understood: Callable[[FunctionTarget], bool]
    refusal: Callable[[ast.expr, FunctionTarget], Exit | None] = no_refusal

    def fill(
        self,
        operation: Operation,
        handler: FunctionTarget,
        handlers: ErrorHandlers,
        transparent: bool,
        shared: bool = False,
    ) -> None:
        """Fills in what a handler takes and answers; `shared` tells that it serves other methods too."""
        written = [(each, handler.scope) for each in decorators_of(self.program, self.sites, handler)]
        handler, left = remade(self.program, self.answers, handler, written)
        doubts: list[tuple[Location, str]] = []
        summaries: list[tuple[Summary, tuple[str, ...]]] = [(self.exits.of(handler), ())]
        guards: list[Around] = []
        wrappers: list[FunctionTarget] = []
        refused = False
        for decorator, around_it in left:
            refusal = self.refusal(decorator, handler)
            if refusal is not None:
                # Who may call is asked of the framework: which credentials tell it stands elsewhere.
                summaries.append((Summary((refusal,)), (handler.qualified,)))
                refused = True
                continue
            around = around_of(self.program, self.answers, decorator, around_it)
            if around is None or around.opaque:
                place = self.program.place(decorator, around_it)
                doubts.append((place, "what a decorator does is not known"))
            if around is None:
                continue
            wrappers += around.wrappers
            inner = [self.exits.of(wrapper) for wrapper in around.wrappers]
            summaries += [(summary, (handler.qualified,)) for summary in inner]
            guards += [Around(summary, []) for summary in inner]
            if around.given:
                guards.append(Around(Summary(followed=tuple(around.wrappers)), around.given))
            handlers = handlers.around(around.caught)
        plain = not doubts
        reading = self.requests.read(handler, summaries[0][0].followed)
        self.values.sent = partial(taken_value, self.requests.values)
        for wrapper in wrappers:
            reading.also(self.requests.read(wrapper, self.exits.of(wrapper).followed))
        if plain and transparent:
            reading.release()
        operation.parameters = _with_converted(operation.parameters, reading.parameters)
        shared = shared or any(_asks_of_method(each) for each in summaries[0][0].followed)
        if not (shared and operation.method in _BODILESS):
            bodies = reading.bodies(closed=plain and not summaries[0][0].doubts)
            # Who only may be sent anything is rather asked without it.
            operation.bodies = [] if operation.method in _BODILESS and reading.is_raw else bodies
        operation.parameters_complete = reading.complete and plain
        operation.responses = self._returned(handler)
        if not self.understood(handler):
            doubts.append((operation.source, "what is returned cannot all be known"))
        elif plain and not shared:
            operation.succeed_surely()
        for summary, via in summaries:
            found, unclear = self.raised.responses(summary.exits, handlers, via)
            # What lies around and is not known may turn an exception into an answer of its own.
            operation.responses += (
                found if plain and transparent else [replace(r, content=None) for r in found]
            )
            doubts += [*unclear, *((doubt.place, doubt.reason) for doubt in summary.doubts)]
        operation.unknown.extend(("responses", place, reason) for place, reason in dict.fromkeys(doubts))
        operation.statuses_complete = not doubts and transparent
        clear = plain and transparent and not any(summary.doubts for summary, _ in summaries[1:])
        if clear and not (reading.guarded or refused):
            operation.security = []
        elif reading.guarded and clear:
            operation.security = None
        if clear:
            self._asked(operation, reading.helpers, handlers)
        # What leaves the wrappers was taken in above.
        self.guard(operation, handler, guards, handlers, raised=False)

    def _asked(self, operation: Operation, helpers: list[FunctionTarget], handlers: ErrorHandlers) -> None:
        """The credentials that a function always asks for which the handler calls, and without which it refuses."""
        asking = [f for f in helpers if self.raised.statuses(self.exits.of(f).exits, handlers) & REFUSALS]
        if not asking:
            return
        schemes = credentials_of(self.program, asking)
        operation.security = [{name: []} for name in schemes] if schemes else None
        operation.security_schemes = schemes or {}
        operation.parameters = without_credentials(operation.parameters, operation.security_schemes)

    def guard(
        self,
        operation: Operation,
        handler: FunctionTarget,
        guards: list[Around],
        handlers: ErrorHandlers,
        raised: bool = True,
    ) -> None:
        """Adds what lies around the handler: its answers, and the credentials without which it refuses."""
        refuses = False
        for number, around in enumerate(guards):
            operation.responses += self.responses(around.given, handler)
            leaving = around.summary.exits
            if raised:
                # What one of them raises, only those that lie around it catch.
                outside = self.within(guards[:number], ErrorHandlers())
                operation.responses += self.raised.responses(leaving, outside, (handler.qualified,))[0]
            statuses = self.raised.statuses(leaving, handlers) | {a.status for a in around.given}
            refuses = refuses or bool(statuses & REFUSALS)
        if refuses:
            functions = {f.node: f for around in guards for f in around.summary.followed}
            schemes = credentials_of(self.program, functions.values())
            operation.security = None if schemes is None else [{name: []} for name in schemes]
            operation.security_schemes = schemes or {}

    def around(self, guards: Iterable[FunctionTarget], path: str, method: str) -> list[Around] | None:
        """What middlewares of the project do around the handlers of this path; None where one cannot be understood."""
        found = []
        for guard in guards:
            catching = catching_of(self.program, for_request(self.program, guard, path, method))
            function = catching.function
            names = [node.arg for node, _ in parameters(function.node)]
            summary = self.exits.of(function)
            given = self.answers.of_function(function)
            if len(names) < 2 or summary.doubts or not catching.known or not all(a.known for a in given):
                return None
            if _asks_of(function, names[-1]):
                return None
            own = [answer for answer in given if answer.status is not None]
            rest = [answer for answer in given if answer.status is None]
            if not all(is_passed_on(answer.data, function, names[-1]) for answer in rest):
                return None
            found.append(Around(summary, own, catching.handlers))
        return found

    def within(self, guards: Iterable[Around], handlers: ErrorHandlers) -> ErrorHandlers:
        """The error handlers with what these functions catch, of which the last is nearest to the handler."""
        whole = ErrorHandlers()
        for around in guards:
            whole = whole.around(around.caught)
        return whole.around(handlers)

    def _returned(self, handler: FunctionTarget) -> list[Response]:
        return self.responses(self.answers.of_function(handler), handler)

    def responses(self, answers: list[Answer], handler: FunctionTarget) -> list[Response]:
        """The answers whose status is known, with their content."""
        return [
            Response(
                str(answer.status),
                "success" if answer.status < 400 else "returned",
                answer.place,
                self.content(answer),
                via=(handler.qualified, *answer.via),
            )
            for answer in answers
            if answer.known and answer.status is not None
        ]

    def content(self, answer: Answer) -> dict[str, Schema] | None:
        """What is known of the content of an answer."""
        return content_of(answer, lambda media_type: told_by_hand(answer, media_type, self.values))


def _with_converted(path: list[Parameter], read: dict[str, Parameter]) -> list[Parameter]:
    """The parameters of the path, as what the handler turns them into, and all others that it reads."""
    known = [_taken(each, read[each.key].schema) if each.key in read else each for each in path]
    return [*known, *(parameter for parameter in read.values() if parameter.place != "path")]


def _taken(parameter: Parameter, read: Schema) -> Parameter:
    """A parameter of the path with its type and what is surely not checked of it, as the handler takes it."""
    if (parameter.schema == {"type": "string"} or is_unknown(parameter.schema)) and (
        read.get("type") in ("integer", "number") or "format" in read
    ):
        plain = {key: value for key, value in read.items() if key in ("type", "format")}
        parameter = replace(parameter, schema=plain)
    return unchecked_in_path(parameter, read.get("x-unchecked", ()))


def _asks_of(function: FunctionTarget, handler: str) -> bool:
    """Whether a middleware decides by what the handler is (`getattr(handler, "public", False)`)."""
    tests = [n.test for n in ast.walk(function.node) if isinstance(n, ast.If | ast.IfExp | ast.While)]
    return any(
        (isinstance(node, ast.Name) and node.id == handler)
        or (isinstance(node, ast.Attribute) and node.attr == "handler")
        for test in tests
        for node in ast.walk(test)
    )


def _asks_of_method(function: FunctionTarget) -> bool:
    """Whether a function decides by the method of the request, as helpers do that read what the method allows."""
    return any(
        isinstance(node, ast.Attribute) and node.attr == "method"
        for outer in ast.walk(function.node)
        if isinstance(outer, ast.If | ast.IfExp)
        for node in ast.walk(outer.test)
    )


def only_raises(function: FunctionTarget) -> bool:
    """Whether a function ends by raising, as those do that lead elsewhere by an exception."""
    body = function.node.body
    return isinstance(body, list) and bool(body) and isinstance(body[-1], ast.Raise)
