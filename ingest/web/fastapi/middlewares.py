"""What middlewares around FastAPI's and Starlette's applications do: whether they only look on, or with which statuses
they answer by themselves."""

from __future__ import annotations

import ast
import re

from msgspec.structs import replace

from ingest.web.answers.answers import Answer
from ingest.web.fastapi.responses import ResponseReader
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target
from ingest.web.raising.asgi_middlewares import called_of, inherits_harmless, passes_on
from ingest.web.raising.asgi_sending import sent_by, writes_status
from ingest.web.raising.exits import Exits
from ingest.web.raising.summaries import Summary
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.walks import nodes_of

_CREDENTIALS = re.compile(
    r"auth|token|session|cookie|credential|jwt|api.?key|user(?!.?agent)|tenant", re.IGNORECASE
)
_FAILED = 500
_LIMITING = frozenset({"slowapi.middleware.SlowAPIMiddleware", "slowapi.middleware.SlowAPIASGIMiddleware"})


class MiddlewareReader:
    """Reads the middlewares of one program."""

    def __init__(self, program: Program, exits: Exits, responses: ResponseReader) -> None:
        self.program = program
        self.exits = Exits(program, exits.instances, exits.risks, any_route=True)
        self.responses = responses

    def harmless(self, middleware: Target | None) -> bool:
        """Whether a middleware only passes on what comes from inside."""
        if (
            isinstance(middleware, ClassTarget)
            and (called := called_of(self.program, middleware)) is not None
        ):
            return not self.exits.of(called).exits and passes_on(self.program, middleware, called)
        function = self._function(middleware)
        if function is None and isinstance(middleware, ClassTarget):
            return inherits_harmless(self.program, middleware)
        if function is None or _writes_status(function.node):
            return False
        summary = self.exits.of(function)
        answers = self.responses.answers.of_function(function)
        return not summary.exits and not summary.doubts and all(map(_is_passed_on, answers))

    def knows_callers(self, middleware: Target | None) -> bool:
        """Whether a middleware of the project names what looks like credentials, and so may tell others who calls."""
        node = middleware.node if isinstance(middleware, ClassTarget | FunctionTarget) else None
        return node is not None and any(_CREDENTIALS.search(_word(part)) for part in nodes_of(node))

    def statuses(self, middleware: Target | None) -> frozenset[int] | None:
        """The statuses that a middleware gives by itself in place of what comes from inside; None where that cannot
        be known."""
        if isinstance(middleware, External):
            return frozenset({429}) if middleware.dotted in _LIMITING else None
        called = called_of(self.program, middleware) if isinstance(middleware, ClassTarget) else None
        function = called or self._function(middleware)
        if function is None:
            return None
        summary = self.exits.of(function)
        # Of a plain ASGI application it is read what it sends, so that what it calls may stay unknown.
        found = self._raised(summary) if called is None else self._raised(replace(summary, doubts=()))
        given = self.responses.answers.of_function(function)
        if called is not None and isinstance(middleware, ClassTarget):
            sending = sent_by(self.program, middleware, called)
            if not sending.known:
                return None
            given = [each for handed in sending.handed for each in self.responses.answers.of(*handed)]
            found = None if found is None else found | sending.statuses
        elif _writes_status(function.node):
            return None
        if found is None:
            return None
        for answer in given:
            if answer.known and answer.status is not None:
                found.add(answer.status)
            elif not _keeps_status(answer):
                return None
        return frozenset(found)

    def _function(self, middleware: Target | None) -> FunctionTarget | None:
        """The function of a middleware that is given a request and what comes next."""
        if isinstance(middleware, ClassTarget):
            middleware = self.program.class_member(middleware, "dispatch")
        return middleware if isinstance(middleware, FunctionTarget) else None

    def _raised(self, summary: Summary) -> set[int] | None:
        """What raising gives: as a rule a failure, though another middleware around may answer for what is raised."""
        if summary.doubts or any(leaving.http and leaving.status is None for leaving in summary.exits):
            return None
        found = {leaving.status for leaving in summary.exits if leaving.status is not None}
        return found | ({_FAILED} if summary.exits else set())


def _word(part: ast.AST) -> str:
    match part:
        case ast.Constant(value=str(text)) if "\n" not in text:
            return text
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
            return name
    return ""


def _keeps_status(answer: Answer) -> bool:
    """Whether an answer is what `call_next` gave, or made anew with the status of that."""
    if not answer.known and isinstance(answer.data, ast.Attribute) and answer.scope is not None:
        return answer.data.attr == "status_code" and _is_next(answer.data.value, answer.scope)
    return _is_passed_on(answer)


def _is_passed_on(answer: Answer) -> bool:
    """Whether an answer is what `call_next` gave."""
    return (
        answer.known
        and answer.status is None
        and answer.scope is not None
        and _is_next(answer.data, answer.scope)
    )


def _is_next(node: ast.expr | None, scope: Scope) -> bool:
    if isinstance(node, ast.Name):
        given = [binding.value for binding in scope.bindings.get(node.id, []) if not is_none(binding.value)]
        return bool(given) and all(_is_next(value, scope) for value in given)
    if isinstance(node, ast.Await):
        node = node.value
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "call_next"


def _writes_status(node: ast.AST) -> bool:
    """Whether the status of an answer is written."""
    return any(map(writes_status, nodes_of(node)))
