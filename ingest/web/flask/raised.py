"""Which answers exceptions lead to in Flask, whose handlers stand for statuses too, and may give an exception back."""

from __future__ import annotations

import ast

from graph.schema_algebra import Schema
from ingest.web.answers.answers import Answer, Settle
from ingest.web.program.calls import has_stars
from ingest.web.program.targets import ClassTarget, External, FunctionTarget
from ingest.web.raising.error_handlers import ErrorHandlers
from ingest.web.raising.exceptions import Exit, lineage, response_of
from ingest.web.raising.http_exceptions import WERKZEUG
from ingest.web.raising.raised import RaisedReader
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope


class FlaskRaised(RaisedReader):
    """As for any framework, but that handlers stand for werkzeug's exceptions by status too, and may give one back.

    `settle` tells what becomes of the answers of a function by what else it does with them.
    """

    settle: Settle = staticmethod(lambda function, answers: answers)

    def _statuses(self, leaving: Exit, handlers: ErrorHandlers) -> list[int] | None:
        answered = response_of(leaving)
        if answered is not None and leaving.scope is not None:
            return self._given_back(answered, leaving.scope, leaving)
        if leaving.status is not None and leaving.status in handlers.statuses:
            return self._handled(leaving, handlers.statuses[leaving.status])
        names, whole = lineage(self.program, leaving.target)
        by_status = [
            f"werkzeug.{name}" for name, code in WERKZEUG.items() if leaving.http and code == leaving.status
        ]
        for name in [*by_status, *names]:
            if name in handlers.classes:
                return self._handled(leaving, handlers.classes[name])
        if leaving.http:
            if leaving.status is not None and (told := self._worded(leaving)) is not None:
                self._forms[leaving.status] = told
            return None if leaving.status is None else [leaving.status]
        return None if not whole and isinstance(leaving.target, ClassTarget) else []

    def _worded(self, leaving: Exit) -> dict[str, Schema] | None:
        """What Flask-RESTful answers of `abort(404, message="…")`: an object of all that it is given by name."""
        call, scope = leaving.call, leaving.scope
        if call is None or scope is None or self.values is None or not call.keywords or has_stars(call):
            return None
        called = self.program.resolve(call.func, scope)
        if not isinstance(called, External) or called.root != "flask_restful" or called.name != "abort":
            return None
        given = [each for each in call.keywords if each.arg]
        whole = ast.Dict([ast.Constant(each.arg) for each in given], [each.value for each in given])
        found = self.values.within(leaving.calls, ast.copy_location(whole, call), scope)
        return {"application/json": found} if found.get("type") == "object" else None

    def _given_back(self, response: ast.expr, scope: Scope, leaving: Exit) -> list[int] | None:
        """The statuses of a response that is answered as it is."""
        answers = self.answers.of(response, scope)
        if isinstance(response, ast.Name) and isinstance(scope.node, Function) and scope.parent is not None:
            answers = self.settle(FunctionTarget(scope.node, scope.parent), answers)
        answers = self.answers.led_to(answers, leaving.calls)
        found: list[int] = []
        for answer in answers:
            if not answer.known or answer.status is None:
                return None
            found.append(answer.status)
            if self.content is not None:
                self._forms[answer.status] = self.content(answer)
        return found or None

    def _handled(self, leaving: Exit, handler: FunctionTarget | None) -> list[int] | None:
        given = self.given(handler) if handler is not None and leaving.status is not None else []
        if handler is not None and any(self._is_parameter(answer, handler) for answer in given):
            # Returning the exception itself answers as it would have without a handler.
            return None if leaving.status is None else [leaving.status]
        return super()._handled(leaving, handler)

    def _is_parameter(self, answer: Answer, handler: FunctionTarget) -> bool:
        """Whether an answer is the exception itself, or the response that it makes (`error.get_response()`)."""
        node = answer.data
        if isinstance(node, ast.Name) and answer.scope is not None:
            made = answer.scope.bindings.get(node.id, [])
            node = made[0].value if len(made) == 1 and isinstance(made[0].value, ast.Call) else node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node = node.func.value if node.func.attr == "get_response" else node
        return (
            isinstance(node, ast.Name)
            and answer.scope is not None
            and self._names_parameter(node, answer.scope, handler)
        )
