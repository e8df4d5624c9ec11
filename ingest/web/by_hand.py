"""Operations of frameworks that declare nothing: what their handlers read from the request, return and raise."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from graph.facts import Location
from graph.schema_algebra import Schema, unknown
from ingest.web.answers import Answer, Answers
from ingest.web.async_requests import RequestReader
from ingest.web.decorators import decorators_of, wrappers_of
from ingest.web.exits import Exits, Summary
from ingest.web.json_values import JsonValues
from ingest.web.operations import Operation, Response
from ingest.web.program import Program
from ingest.web.raised import ErrorHandlers, RaisedReader
from ingest.web.sites import Sites
from ingest.web.targets import FunctionTarget

_BODILESS = frozenset({"GET", "HEAD", "DELETE"})


@dataclass(frozen=True, slots=True)
class HandReader:
    """Reads such handlers of one program; `understood` tells whether what a function returns is all there is."""

    program: Program
    sites: Sites
    exits: Exits
    answers: Answers
    requests: RequestReader
    raised: RaisedReader
    values: JsonValues
    understood: Callable[[FunctionTarget], bool]

    def fill(
        self,
        operation: Operation,
        handler: FunctionTarget,
        handlers: ErrorHandlers,
        transparent: bool,
        shared: bool = False,
    ) -> None:
        """Fills in what a handler takes and answers; `shared` tells that it serves other methods too."""
        doubts: list[tuple[Location, str]] = []
        summaries: list[tuple[Summary, tuple[str, ...]]] = [(self.exits.of(handler), ())]
        for decorator in decorators_of(self.program, self.sites, handler):
            wrappers = wrappers_of(self.program, self.answers, decorator, handler)
            if wrappers is None:
                place = self.program.place(decorator, handler.scope)
                doubts.append((place, "what a decorator does is not known"))
            summaries += [(self.exits.of(wrapper), (handler.qualified,)) for wrapper in wrappers or []]
        plain = not doubts
        reading = self.requests.read(handler, summaries[0][0].followed)
        if plain and transparent:
            reading.release()
        operation.parameters += list(reading.parameters.values())
        if not (shared and operation.method in _BODILESS):
            operation.bodies = reading.bodies(closed=plain and not summaries[0][0].doubts)
        operation.parameters_complete = reading.complete and plain
        operation.responses = self._returned(handler)
        if not self.understood(handler):
            doubts.append((operation.source, "what is returned cannot all be known"))
        for summary, via in summaries:
            found, unclear = self.raised.responses(summary.exits, handlers, via)
            operation.responses += found
            doubts += [*unclear, *((doubt.place, doubt.reason) for doubt in summary.doubts)]
        operation.unknown.extend(("responses", place, reason) for place, reason in dict.fromkeys(doubts))
        operation.statuses_complete = not doubts and transparent
        if plain and transparent and not reading.guarded:
            operation.security = []

    def _returned(self, handler: FunctionTarget) -> list[Response]:
        return [
            Response(
                str(answer.status),
                "success" if answer.status < 400 else "returned",
                answer.place,
                self._content(answer),
                via=(handler.qualified, *answer.via),
            )
            for answer in self.answers.of_function(handler)
            if answer.known and answer.status is not None
        ]

    def _content(self, answer: Answer) -> dict[str, Schema] | None:
        if answer.status in (204, 205, 304):
            return {}
        if answer.media_type is None:
            return None
        media_type = answer.media_type.split(";")[0].strip()
        if media_type.startswith("text/"):
            return {media_type: {"type": "string"}}
        if media_type != "application/json" or answer.data is None or answer.scope is None:
            return {media_type: unknown("the answer is built by hand")}
        return {media_type: self.values.schema(answer.data, answer.scope)}


def only_raises(function: FunctionTarget) -> bool:
    """Whether a function ends by raising, as those do that lead elsewhere by an exception."""
    body = function.node.body
    return isinstance(body, list) and bool(body) and isinstance(body[-1], ast.Raise)
