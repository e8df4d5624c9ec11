"""Which answers the exceptions that leave a handler lead to, under the error handlers that are in force."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from graph.facts import Location
from graph.schema_algebra import Schema
from ingest.web.answers import Answer, Answers
from ingest.web.bindings import parameters
from ingest.web.constants import status_of
from ingest.web.exceptions import Exit, lineage, status_in_attribute
from ingest.web.operations import Response
from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.targets import ClassTarget, External, FunctionTarget, ParameterTarget, Target

Content: TypeAlias = dict[str, Schema] | None


@dataclass(slots=True)
class ErrorHandlers:
    """The error handlers that are in force: by exception class and by status; None is one that cannot be known."""

    classes: dict[str, FunctionTarget | None] = field(default_factory=dict)
    statuses: dict[int, FunctionTarget | None] = field(default_factory=dict)

    def copy(self) -> ErrorHandlers:
        """The same handlers, to be added to."""
        return ErrorHandlers(dict(self.classes), dict(self.statuses))

    def register(self, program: Program, key: ast.expr | None, scope: Scope, handler: Target | None) -> None:
        """Puts a handler in force for the class or status that an expression names."""
        function = handler if isinstance(handler, FunctionTarget) else None
        status = status_of(program, key, scope)
        if status is not None:
            self.statuses[status] = function
            return
        target = program.resolve(key, scope)
        if isinstance(target, ClassTarget | External):
            self.classes[lineage(program, target)[0][0]] = function


class RaisedReader:
    """Turns exceptions into responses for one framework.

    `catches_all` tells that a handler for `Exception` is asked for HTTP exceptions too; `content` gives the form of
    what a handler answers, `given` these answers where they are more than what is returned.
    """

    def __init__(
        self,
        program: Program,
        answers: Answers,
        catches_all: bool = False,
        content: Callable[[Answer], Content] | None = None,
        given: Callable[[FunctionTarget], list[Answer]] | None = None,
    ) -> None:
        self.program = program
        self.answers = answers
        self.catches_all = catches_all
        self.content = content
        self.given = given or answers.of_function
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

    def _statuses(self, leaving: Exit, handlers: ErrorHandlers) -> list[int] | None:
        """The statuses an exception is answered with; empty where it is an error of the server, None unknown."""
        names, whole = lineage(self.program, leaving.target)
        if leaving.http and leaving.status in handlers.statuses:
            return self._handled(leaving, handlers.statuses[leaving.status])
        for name in names:
            own = self.catches_all or not (leaving.http and name.startswith("builtins."))
            if name in handlers.classes and own:
                return self._handled(leaving, handlers.classes[name])
        if leaving.http:
            return None if leaving.status is None else [leaving.status]
        return None if not whole and isinstance(leaving.target, ClassTarget) else []

    def _handled(self, leaving: Exit, handler: FunctionTarget | None) -> list[int] | None:
        if handler is None:
            return None
        found: list[int] = []
        for answer in self.given(handler):
            status = answer.status if answer.known else self._from_exception(answer, leaving, handler)
            if status is None:
                return None
            found.append(status)
            if self.content is not None:
                # Where several answers have one status, neither form is certain.
                self._forms[status] = (
                    self.content(answer.inner or answer) if status not in self._forms else None
                )
        return found or None

    def _from_exception(self, answer: Answer, leaving: Exit, handler: FunctionTarget) -> int | None:
        node = answer.data
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
