"""What the decorators of a handler put around it: functions, what these answer, and what they make of exceptions."""

from __future__ import annotations

import msgspec

from graph.facts import Location
from ingest.web.answers.answers import Answer
from ingest.web.fastapi.responses import ResponseReader
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget
from ingest.web.raising.decorators import around_of, decorators_of
from ingest.web.raising.error_handlers import Clause, ErrorHandlers
from ingest.web.records.operations import Response
from ingest.web.routing.sites import Sites

_EVERYTHING = frozenset({"builtins.Exception", "builtins.BaseException"})
_FAILURES = 300
_UNKNOWN = "what a decorator does is not known"


class Wrapping(msgspec.Struct):
    """What lies around one handler: `handlers` are in force for what leaves it, and each of the `wrappers` has those
    that are in force around it.

    `answers` are what wrappers return by themselves; `possible` may be answered in place of any exception, and is not
    told. `doubts` leave the statuses open.
    """

    handlers: ErrorHandlers
    wrappers: list[tuple[FunctionTarget, ErrorHandlers]] = []
    answers: list[Answer] = []
    possible: list[Response] = []
    doubts: list[tuple[Location, str]] = []


def wrapping_of(
    program: Program, sites: Sites, reader: ResponseReader, handler: FunctionTarget, handlers: ErrorHandlers
) -> Wrapping:
    """What lies around a handler, within the application whose error handlers these are."""
    found = Wrapping(handlers)
    for decorator in decorators_of(program, sites, handler):
        around = around_of(program, reader.answers, decorator, handler.scope)
        place = program.place(decorator, handler.scope)
        if around is None or around.opaque or around.applied:
            found.doubts.append((place, _UNKNOWN))
            continue
        found.wrappers += [(wrapper, found.handlers) for wrapper in around.wrappers]
        successes = any(answer.status is None or answer.status < _FAILURES for answer in around.given)
        if successes:
            found.doubts.append((place, _UNKNOWN))
        found.answers += [] if successes else around.given
        for clause in dict.fromkeys(around.caught.classes.values()):
            statuses = reader.instead(clause) if isinstance(clause, Clause) else None
            if statuses is None or any(status < _FAILURES for status in statuses):
                found.doubts.append((place, "what a decorator makes of exceptions is not known"))
            found.possible += [Response(str(status), "framework", place) for status in statuses or ()]
        found.handlers = _within(found.handlers, around.caught)
    return found


def _within(outer: ErrorHandlers, caught: ErrorHandlers) -> ErrorHandlers:
    """The handlers in force within clauses; of those around, FastAPI asks none that is for all for HTTP exceptions."""
    whole = outer.around(caught)
    every = outer.catches_all if not (_EVERYTHING & caught.classes.keys()) else whole.catches_all
    return ErrorHandlers(whole.classes, whole.statuses, every)
