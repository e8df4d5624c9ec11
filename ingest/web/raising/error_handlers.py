"""Error handlers that are in force for a route: by the classes and statuses that they are for."""

from __future__ import annotations

import ast

import msgspec

from ingest.web.constants.constants import status_of
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target
from ingest.web.raising.exceptions import lineage
from ingest.web.syntax.scopes import Scope

_HTTP = frozenset({"werkzeug.HTTPException", "starlette.HTTPException", "aiohttp.HTTPException"})
_EVERYTHING = frozenset({"builtins.Exception", "builtins.BaseException"})


class Clause(FunctionTarget, frozen=True):
    """An `except` clause around a handler as a function of the exception, which it may raise again."""


class ErrorHandlers(msgspec.Struct):
    """The error handlers that are in force: by exception class and by status; None is one that cannot be known.

    `catches_all` tells that one for `Exception` is asked for HTTP exceptions too.
    """

    classes: dict[str, FunctionTarget | None] = msgspec.field(default_factory=dict)
    statuses: dict[int, FunctionTarget | None] = msgspec.field(default_factory=dict)
    catches_all: bool = False

    def put(self, program: Program, kind: ClassTarget | External, handler: FunctionTarget) -> None:
        """Puts a handler in force for a class, where none is yet."""
        self.classes.setdefault(lineage(program, kind)[0][0], handler)

    def around(self, inner: ErrorHandlers) -> ErrorHandlers:
        """These handlers as they are asked after others that are nearer."""
        if not (inner.classes or inner.statuses):
            return self
        everything = inner.catches_all and bool(_EVERYTHING & inner.classes.keys())
        outer = {} if everything else self.classes
        catches = self.catches_all or inner.catches_all
        # What a clause catches never comes to those who are asked for statuses.
        caught = inner.catches_all and (everything or not _HTTP.isdisjoint(inner.classes))
        statuses = {} if caught else self.statuses
        return ErrorHandlers({**outer, **inner.classes}, {**statuses, **inner.statuses}, catches)

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
