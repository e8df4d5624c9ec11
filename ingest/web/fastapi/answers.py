"""Puts together every status that a FastAPI operation can answer with, and whether these are all."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from graph.facts import Location
from graph.schema_algebra import Schema, unknown
from ingest.web.answers.answer_parts import answered
from ingest.web.answers.answers import Answer
from ingest.web.answers.response_headers import headers_of
from ingest.web.constants.constants import status_of
from ingest.web.fastapi.context import Route
from ingest.web.fastapi.parts import Inputs
from ingest.web.fastapi.responses import NOT_CONSTANT, ResponseReader, body_of, described_twice, is_generator
from ingest.web.fastapi.wrapping import wrapping_of
from ingest.web.program.calls import argument
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.shapes import ShapeKind
from ingest.web.program.targets import FunctionTarget, Target
from ingest.web.raising.decorators import decorators_of, limits_calls
from ingest.web.raising.error_handlers import ErrorHandlers
from ingest.web.raising.exits import BY_CHOICE, Exits
from ingest.web.records.operations import Operation, Response
from ingest.web.routing.sites import Event, Sites
from ingest.web.schemas.models import Models
from ingest.web.syntax.bindings import Function
from ingest.web.values.annotations import shape_of
from ingest.web.values.instances import own_statements

_MOST_DOUBTS = 20
_PLAIN = (ast.Dict, ast.List, ast.Constant, ast.JoinedStr, ast.DictComp, ast.ListComp)
"""Values that are certainly no responses of the framework."""
_REFUSING = frozenset({"401", "403"})
_LINES = "application/jsonl"
"""What FastAPI streams where a handler yields and no response class is named."""


class AnswerReader:
    """Reads the answers of operations of one program."""

    def __init__(
        self, program: Program, models: Models, exits: Exits, responses: ResponseReader, sites: Sites
    ) -> None:
        self.program = program
        self.models = models
        self.exits = exits
        self.responses = responses
        self.sites = sites

    def answer(
        self, operation: Operation, route: Route, handler: FunctionTarget | None, inputs: Inputs
    ) -> None:
        """Fills in the responses of an operation and whether they are all."""
        event, context = route.event, route.context
        call, scope = event.call, event.scope
        made = argument(call, None, "response_class")
        target = self.program.resolve(made, scope) if made is not None else context.response_class
        media_type = self.responses.media_type(target) if target is not None else "application/json"
        written = argument(call, None, "status_code")
        default = 307 if self.responses.response_class(target) == "RedirectResponse" else 200
        status = status_of(self.program, written, scope) if written is not None else default
        success = "" if status is None else str(status)
        table = argument(call, None, "responses")
        tables = [*context.responses, *([(table, scope)] if table is not None else [])]
        declared, complete = self.responses.declared(tables, media_type, success)
        responses = [*declared]
        around = route.application.own_statuses
        known = around is not None and complete and status is not None and handler is not None
        if handler is not None:
            answered, understood = self.given(
                operation, handler, success, target, media_type, event, declared
            )
            responses += answered
            known = known and understood
            thrown, plain = self.thrown(operation, route, handler, inputs)
            responses += thrown
            known = known and plain
        elif success:
            responses.append(Response(success, "success", operation.source))
        shown = {response.status for response in declared}
        if inputs.any and not shown & {"422", "4XX", "default"}:
            # What the handler says with this status, FastAPI says in its own form.
            responses = [replace(r, content=None) if r.status == "422" else r for r in responses]
            responses.append(Response("422", "framework", operation.source))
            responses += self.invalid(route, operation.source)
        if handler is not None and limits_calls(self.sites, handler) and "429" not in shown:
            responses.append(Response("429", "framework", operation.source))
        if inputs.refuses:
            responses += [Response(code, "framework", operation.source) for code in ("401", "403")]
        responses += [Response(str(each), "framework", operation.source) for each in sorted(around or ())]
        operation.responses = responses
        operation.statuses_complete = known
        if known and handler is not None and route.application.plain and not made:
            called = [f for start in (handler, *inputs.called) for f in self.exits.of(start).followed]
            operation.headers = headers_of(self.program, dict.fromkeys(called))

    def given(
        self,
        operation: Operation,
        handler: FunctionTarget,
        success: str,
        made: Target | None,
        media_type: str | None,
        event: Event,
        declared: list[Response],
    ) -> tuple[list[Response], bool]:
        """The answers that the handler returns, and whether all were understood."""
        answers, doubts = self.responses.returned(handler)
        operation.unknown.extend(("responses", operation.source, doubt) for doubt in dict.fromkeys(doubts))
        direct = bool(answers) and all(not a.known or a.status is not None for a in answers)
        schema, typed = self.model_of(handler, event)
        content = body_of(success, media_type, schema if self.responses.renders_json(made) else None)
        given = {
            a.media_type if a.known else None for a in answers if not a.known or str(a.status) == success
        }
        plain = typed and not given and any(answer.known and answer.status is None for answer in answers)
        if ((direct and not typed) or self.answers_itself(handler)) and not plain and given != {media_type}:
            content = None
        if is_generator(handler):
            named = argument(event.call, None, "response_class") is not None
            streamed = _LINES if not named and media_type == "application/json" else media_type
            # A decorator may make an answer of what is yielded, and no longer be seen through by the framework.
            plain = streamed is not None and not decorators_of(self.program, self.sites, handler)
            content = {streamed: unknown("the answer is streamed")} if streamed and plain else None
        found = []
        for answer in answers:
            if answer.known and answer.status is not None and str(answer.status) != success:
                status = str(answer.status)
                via = (handler.qualified, *answer.via)
                found.append(
                    Response(status, "returned", answer.place, content_of(status, answer.media_type), via=via)
                )
        reached = not direct or any(not a.known or str(a.status) == success for a in answers)
        if success:
            if content is not None and (
                more := next((d.content for d in declared if d.status == success), None)
            ):
                content = {**more, **described_twice(content, more)}
            origin = "success"
            if not reached:
                origin = "declared" if argument(event.call, None, "status_code") is not None else "framework"
            plain = typed or any(_is_success(each, success) for each in answers)
            certain = plain and self.is_certain(handler, doubts) and origin == "success"
            found.append(Response(success, origin, operation.source, content, certain=certain))
        return found, not doubts

    def is_certain(self, handler: FunctionTarget, doubts: list[str]) -> bool:
        """Whether the handler gives its success status in some case, as far as nothing else sets another one."""
        # What one place answers does not change what another one does.
        if {*doubts} - {NOT_CONSTANT} or not isinstance(handler.node, Function):
            return False
        body = own_statements(handler.node.body)
        sets = any(
            isinstance(part, ast.Attribute) and part.attr == "status_code" and isinstance(part.ctx, ast.Store)
            for statement in body
            for part in ast.iter_child_nodes(statement)
        )
        around = wrapping_of(self.program, self.sites, self.responses, handler, ErrorHandlers())
        return not sets and not around.doubts

    def model_of(self, handler: FunctionTarget, event: Event) -> tuple[Schema | None, bool]:
        """The schema of what the handler answers with, and whether the code names one at all."""
        written = argument(event.call, None, "response_model")
        if written is not None:
            if is_none(written):
                return None, False
            shape = shape_of(self.program, written, event.scope)
            return answered(self.models, shape, self.models.schema(shape), event.call, event.scope), True
        node = handler.node
        if not isinstance(node, Function) or node.returns is None:
            return None, False
        shape = shape_of(self.program, node.returns, handler.scope)
        if self.responses.is_response(shape) or shape.kind in (ShapeKind.NONE, ShapeKind.ANY):
            return None, False
        return answered(self.models, shape, self.models.schema(shape), event.call, event.scope), True

    def packages(self, handler: FunctionTarget | None, event: Event) -> set[str]:
        """The distributions that the response model of a route comes from, where it is not the project's own."""
        node, scope = argument(event.call, None, "response_model"), event.scope
        if node is None and handler is not None and isinstance(handler.node, Function):
            node, scope = handler.node.returns, handler.scope
        if node is None:
            return set()
        members = shape_of(self.program, node, scope).members
        return {package for part in members if (package := self.program.package(part.target))}

    def answers_itself(self, handler: FunctionTarget) -> bool:
        """Whether the handler is annotated to return a response of the framework."""
        if not isinstance(handler.node, Function) or handler.node.returns is None:
            return False
        return self.responses.is_response(shape_of(self.program, handler.node.returns, handler.scope))

    def thrown(
        self, operation: Operation, route: Route, handler: FunctionTarget, inputs: Inputs
    ) -> tuple[list[Response], bool]:
        """The answers that exceptions lead to, from the handler, its decorators and its dependencies."""
        around = wrapping_of(self.program, self.sites, self.responses, handler, route.application.handlers)
        found = [*around.possible]
        doubts = [*around.doubts]
        summaries = [(self.exits.of(handler), tuple[str, ...](), around.handlers)]
        beside = [(called, route.application.handlers) for called in dict.fromkeys(inputs.called)]
        summaries += [
            (self.exits.of(called), (handler.qualified,), handlers)
            for called, handlers in [*beside, *around.wrappers]
        ]
        for summary, via, handlers in summaries:
            responses, unclear = self.responses.raised(summary.exits, handlers, via)
            found += responses
            doubts += unclear
            chosen, open_ended = self.responses.raised(summary.chosen, handlers, via)
            # What a function around decides may be answered, and is not told.
            found += [Response(each.status, "framework", each.source) for each in chosen]
            doubts += [
                (each.place, each.reason) for each in summary.doubts if open_ended or each.reason != BY_CHOICE
            ]
        for answer in around.answers:
            status, via = str(answer.status), (handler.qualified, *answer.via)
            content = content_of(status, answer.media_type)
            found.append(Response(status, "returned", answer.place, content, via=via))
        # One doubt leaves the statuses open as much as hundreds do; the first ones tell where to look.
        first = list(dict.fromkeys(doubts))[:_MOST_DOUBTS]
        operation.unknown.extend(("responses", place, reason) for place, reason in first)
        return found, not doubts and inputs.traced

    def may_ask_callers(self, route: Route, handler: FunctionTarget) -> bool:
        """Whether a decorator of the handler may look at who calls: it refuses, sends elsewhere, or is not known."""
        around = wrapping_of(self.program, self.sites, self.responses, handler, route.application.handlers)
        statuses = {
            *(each.status for each in around.possible),
            *(str(each.status) for each in around.answers),
        }
        for wrapper, handlers in around.wrappers:
            summary = self.exits.of(wrapper)
            raised, doubts = self.responses.raised([*summary.exits, *summary.chosen], handlers)
            if doubts or summary.doubts:
                return True
            statuses |= {each.status for each in raised}
        return bool(around.doubts) or any(each in _REFUSING or each.startswith("3") for each in statuses)

    def invalid(self, route: Route, place: Location) -> list[Response]:
        """What the application's own handler of invalid requests answers with."""
        for name, handler in route.application.handlers.classes.items():
            if name.endswith("RequestValidationError") and handler is not None:
                answers = self.responses.answers.of_function(handler)
                return [Response(str(a.status), "framework", place) for a in answers if a.known and a.status]
        return []


def _is_success(answer: Answer, success: str) -> bool:
    """Whether one place certainly answers with the success status: with a response that has it, or a plain value."""
    if not answer.known:
        return False
    return isinstance(answer.data, _PLAIN) if answer.status is None else str(answer.status) == success


def content_of(status: str, media_type: str | None) -> dict[str, Schema] | None:
    """The content of a response that is made by hand; None where it cannot be known."""
    if media_type == "application/json":
        return {media_type: unknown("the answer is built by hand")}
    return body_of(status, media_type, None)
