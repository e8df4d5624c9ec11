"""What the exception handlers of a Django Ninja API answer."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ingest.web.constants.constants import status_of
from ingest.web.django.answers import AnswerReader
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget
from ingest.web.routing.sites import Event
from ingest.web.syntax.bindings import Function

REGISTERING = frozenset({"exception_handler", "add_exception_handler"})
"""The methods of an API that register a handler."""


def handled_statuses(program: Program, answers: AnswerReader, events: Iterable[Event]) -> list[str] | None:
    """The statuses that an API's handlers of exceptions answer; None where they cannot all be known."""
    found: list[str] = []
    for event in events:
        if event.method not in REGISTERING:
            continue
        handler = event.function
        if event.method == "add_exception_handler":
            written = argument(event.call, 1, "handler")
            target = program.resolve(written, event.scope) if written is not None else None
            handler = target if isinstance(target, FunctionTarget) else None
        statuses = _of(answers, handler) if isinstance(handler, FunctionTarget) else None
        if statuses is None:
            return None
        found += statuses
    return found


def _of(answers: AnswerReader, handler: FunctionTarget) -> list[str] | None:
    """The statuses of one handler: of responses that the API or Django makes."""
    if not isinstance(handler.node, Function):
        return None
    found: list[str] = []
    for part in ast.walk(handler.node):
        if not isinstance(part, ast.Return):
            continue
        status = _status(answers, part.value, handler)
        if status is None:
            return None
        found.append(str(status))
    return found or None


def _status(answers: AnswerReader, node: ast.expr | None, handler: FunctionTarget) -> int | None:
    match node:
        case ast.Call(func=ast.Attribute(attr="create_response")):
            written = argument(node, None, "status")
            return 200 if written is None else status_of(answers.program, written, handler.body)
        case ast.Call():
            found = answers.recognise(node, handler.body)
            return getattr(found, "status", None)
        case ast.Name(id=name):
            assigned = [
                part.value
                for part in ast.walk(handler.node)
                if isinstance(part, ast.Assign)
                and any(isinstance(each, ast.Name) and each.id == name for each in part.targets)
            ]
            statuses = {_status(answers, value, handler) for value in assigned if isinstance(value, ast.Call)}
            return statuses.pop() if len(statuses) == 1 and len(assigned) == 1 else None
    return None
