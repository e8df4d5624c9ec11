"""Which answers the exceptions that leave a handler lead to, under the error handlers that are in force."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import TypeAlias

from graph.facts import Location
from graph.schema_algebra import Schema
from ingest.web.answers.answers import Answer, Answers
from ingest.web.answers.json_values import JsonValues
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ParameterTarget
from ingest.web.raising.catching import ends, for_exception, for_status
from ingest.web.raising.error_handlers import Clause, ErrorHandlers
from ingest.web.raising.exception_statuses import is_http, status_in_attribute, status_of_raise
from ingest.web.raising.exceptions import Exit, lineage
from ingest.web.raising.library_exceptions import lineage_of_library
from ingest.web.records.operations import Response
from ingest.web.syntax.bindings import parameters
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import own_statements

Content: TypeAlias = dict[str, Schema] | None
_CLOSED = frozenset({"fastapi.WebSocketException", "fastapi.exceptions.WebSocketException"})
_EVERYTHING = frozenset({"builtins.Exception", "builtins.BaseException"})


class RaisedReader:
    """Turns exceptions into responses for one framework.

    `catches_all` tells that a handler for `Exception` is asked for HTTP exceptions too; `content` gives the form of
    what a handler answers, `given` these answers where they are more than what is returned; `plain` the form
    that the framework itself gives an exception, and `values` are those that `content` works out. `handles_again` tells
    that an HTTP exception which a handler raises in place of what it was given is answered as one.
    """

    def __init__(
        self,
        program: Program,
        answers: Answers,
        catches_all: bool = False,
        content: Callable[[Answer], Content] | None = None,
        given: Callable[[FunctionTarget], list[Answer]] | None = None,
        plain: Callable[[Exit], Content] | None = None,
        values: JsonValues | None = None,
        handles_again: bool = False,
    ) -> None:
        self.program = program
        self.answers = answers
        self.catches_all = catches_all
        self.content = content
        self.given = given or answers.of_function
        self.plain = plain
        self.values = values
        self.handles_again = handles_again
        self._forms: dict[int, Content] = {}

    def responses(
        self, exits: Iterable[Exit], handlers: ErrorHandlers, via: tuple[str, ...] = ()
    ) -> tuple[list[Response], list[tuple[Location, str]]]:
        """The answers, and the places that could not be understood."""
        found: list[Response] = []
        doubts: list[tuple[Location, str]] = []
        for leaving in exits:
            self._forms = {}
            statuses = self._statuses(leaving, handlers)
            if statuses is None:
                doubts.append((leaving.place, f"the status of {leaving.name} is not constant"))
                continue
            raises = leaving.target.qualified if isinstance(leaving.target, ClassTarget) else ""
            path = (*via, *leaving.via)
            found.extend(
                Response(str(s), "raised", leaving.place, self._forms.get(s), "", path, leaving.name, raises)
                for s in statuses
            )
        return found, doubts

    def statuses(self, exits: Iterable[Exit], handlers: ErrorHandlers) -> set[int | None]:
        """The statuses of the answers, as far as they are known."""
        return {status for leaving in exits for status in self._statuses(leaving, handlers) or ()}

    def _statuses(self, leaving: Exit, handlers: ErrorHandlers) -> list[int] | None:
        """The statuses an exception is answered with; empty where it is an error of the server, None unknown."""
        names, whole = lineage(self.program, leaving.target)
        if _CLOSED & set(names):
            return []
        if leaving.http and leaving.status in handlers.statuses:
            return self._handled(leaving, handlers.statuses[leaving.status])
        for name in names:
            own = (
                self.catches_all
                or handlers.catches_all
                or not (leaving.http and name.startswith("builtins."))
            )
            if name in _EVERYTHING and not leaving.http and _is_of_library(leaving):
                # What a library raises for a wrong request is meant to be caught by its name.
                return []
            if name in handlers.classes and own:
                return self._handled(leaving, handlers.classes[name])
        if leaving.http:
            if self.plain is not None and leaving.status is not None:
                self._forms[leaving.status] = self.plain(leaving)
            return None if leaving.status is None else [leaving.status]
        return None if not whole and isinstance(leaving.target, ClassTarget) else []

    def _handled(self, leaving: Exit, handler: FunctionTarget | None) -> list[int] | None:
        if handler is None:
            return None
        found: list[int] = []
        if isinstance(handler, Clause):
            return self._caught(leaving, handler)
        as_run = for_exception(self.program, handler, leaving)
        if not self._told(leaving, as_run, found):
            return None
        return found or (self._raised_instead(as_run) if self.handles_again else None)

    def _raised_instead(self, handler: FunctionTarget) -> list[int] | None:
        """The statuses of the HTTP exceptions that a handler raises which answers nothing itself."""
        body = handler.node.body
        raised = (
            [each for each in own_statements(body) if isinstance(each, ast.Raise)]
            if isinstance(body, list)
            else []
        )
        found = [self._instead(each, handler) for each in raised]
        known = [status for status in found if status is not None]
        return known if known and len(known) == len(found) else None

    def _told(self, leaving: Exit, handler: FunctionTarget, found: list[int]) -> bool:
        """Adds the statuses of what a handler returns; false where one cannot be known."""
        for answer in self.given(handler):
            status = answer.status if answer.known else self._from_exception(answer, leaving, handler)
            if status is None:
                return False
            found.append(status)
            if self.content is not None:
                # Where several answers have one status, neither form is certain.
                told = status in self._forms
                self._forms[status] = (
                    None if told else self._content(answer.inner or answer, leaving, handler)
                )
        return True

    def _content(self, answer: Answer, leaving: Exit, handler: FunctionTarget) -> Content:
        """What a handler answers for one exception, whose attributes it may tell."""
        assert self.content is not None, "who tells of contents knows how to read them"
        names = [argument.arg for argument, _ in parameters(handler.node)]
        if self.values is None or leaving.call is None or leaving.scope is None or not names:
            return self.content(answer)
        with self.values.functions.called_with(handler, names[-1], leaving.call, leaving.scope):
            return self.content(answer)

    def instead(self, clause: Clause) -> list[int] | None:
        """The statuses that a clause around a handler may answer with, whatever it catches; None where one is not
        known."""
        body = clause.node.body
        if not isinstance(body, list):
            return None
        raised = [each for each in own_statements(body) if isinstance(each, ast.Raise)]
        again = {each for each in raised if each.exc is None or self._is_given(each.exc, clause)}
        found = [self._instead(each, clause) for each in raised if each not in again]
        for answer in self.given(clause):
            plain = answer.known and answer.status is None
            of_exception = not answer.known and isinstance(answer.data, ast.Attribute)
            found += [] if plain or of_exception else [answer.status]
        known = [status for status in found if status is not None]
        return known if len(known) == len(found) else None

    def _is_given(self, node: ast.expr, clause: FunctionTarget) -> bool:
        return isinstance(node, ast.Name) and self._names_parameter(node, clause.body, clause)

    def _caught(self, leaving: Exit, clause: Clause) -> list[int] | None:
        """The statuses of what a clause around the handler answers, or raises in place of what it caught."""
        settled = for_status(self.program, clause, leaving)
        body = settled.node.body if settled is not None else None
        if settled is None or not isinstance(body, list) or not ends(body):
            return None
        found: list[int] = []
        for statement in own_statements(body):
            if not isinstance(statement, ast.Raise):
                continue
            again = statement.exc is None or self._is_given(statement.exc, settled)
            if again and not leaving.http:
                continue
            status = leaving.status if again else self._instead(statement, settled)
            if status is None:
                return None
            found.append(status)
            self._forms[status] = self.plain(leaving) if again and self.plain is not None else None
        return found if self._told(leaving, settled, found) else None

    def _instead(self, statement: ast.Raise, clause: FunctionTarget) -> int | None:
        call = statement.exc if isinstance(statement.exc, ast.Call) else None
        target = self.program.resolve(call.func if call is not None else statement.exc, clause.body)
        if not isinstance(target, ClassTarget | External) or not is_http(self.program, target):
            return None
        return status_of_raise(self.program, target, call, clause.body)

    def _from_exception(self, answer: Answer, leaving: Exit, handler: FunctionTarget) -> int | None:
        node = answer.data
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "int":
            node = node.args[0] if len(node.args) == 1 else node
        if isinstance(node, ast.Attribute) and node.attr == "value" and isinstance(node.value, ast.Attribute):
            # `error.status.value`, where the status is a member of `HTTPStatus`.
            node = node.value
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
            # `error.code or 500`: an exception with a status has that one.
            node = node.values[0]
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and answer.scope):
            return None
        if self._names_parameter(node.value, answer.scope, handler):
            return status_in_attribute(self.program, leaving, node.attr)
        return None

    def _names_parameter(self, node: ast.Name, scope: Scope, handler: FunctionTarget) -> bool:
        """Whether a name is the exception that a handler is given: its last parameter."""
        target = self.program.resolve(node, scope)
        names = [argument.arg for argument, _ in parameters(handler.node)]
        return isinstance(target, ParameterTarget) and bool(names) and target.name == names[-1]


def _is_of_library(leaving: Exit) -> bool:
    return isinstance(leaving.target, External) and lineage_of_library(leaving.target) is not None
