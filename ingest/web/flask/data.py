"""What handlers return where a declared schema makes the answer: data, or data with a status of its own."""

from __future__ import annotations

import ast

from graph.facts import Location
from graph.schema_algebra import Schema
from graph.schemas import is_unknown
from ingest.web.answers.answer_contents import together
from ingest.web.answers.answers import Answer, Answers
from ingest.web.answers.returned_statuses import told_by_return
from ingest.web.constants.constants import constant
from ingest.web.flask.declared import Success
from ingest.web.flask.responses import ResponseReader
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget
from ingest.web.records.operations import Response
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

_FLASK = frozenset({"flask", "werkzeug"})


class DataReader:
    """Reads the answers of such handlers of one program."""

    def __init__(self, program: Program, instances: Instances, responses: ResponseReader) -> None:
        self.program = program
        self.instances = instances
        self.responses = responses
        self.answers = Answers(program, instances, self.recognise)

    def recognise(self, node: ast.expr, scope: Scope) -> Answer | ast.expr | None:
        """An answer with a status of its own; data is none."""
        if isinstance(node, ast.Tuple):
            return self._tuple(node, scope, self.program.place(node, scope))
        if isinstance(node, ast.Call):
            target = self.instances.callee(node.func, scope)
            flask = isinstance(target, External) and target.root in _FLASK
            if flask or (isinstance(target, ClassTarget) and self.program.is_a(target, _FLASK, {"Response"})):
                return self.responses.recognise(node, scope)
        return None

    def returned(
        self, handler: FunctionTarget, success: Success, plain: bool = False
    ) -> tuple[list[Response], bool]:
        """The responses of a handler, and whether all that it returns was understood.

        Where the extension documents nothing (`plain`), failures are what the handler gives with their status too.
        """
        handler = told_by_return(self.program, handler)
        answers = self.responses.settled(handler, self.answers.of_function(handler))
        found: list[Response] = []
        if not answers and _raises(handler) and any(map(is_unknown, (success.content or {}).values())):
            # Nothing declares a success either.
            return found, False
        if not answers or any(answer.known and answer.status is None for answer in answers):
            data = [answer for answer in answers if answer.known and answer.status is None]
            content = self._content(success, data)
            found.append(
                Response(success.status, "success", success.place, content, via=(handler.qualified,))
            )
        for answer in answers:
            if not answer.known or answer.status is None:
                continue
            fine = answer.status < 400
            content = self._content(success, [answer]) if fine and answer.data is not None else None
            if plain and not fine and answer.data is not None:
                content = together([self.responses.plain(answer)])
            content = _bodiless(answer.status, content)
            origin = "success" if fine else "returned"
            via = (handler.qualified, *answer.via)
            found.append(Response(str(answer.status), origin, answer.place, content, via=via))
        return found, all(answer.known for answer in answers)

    def _content(self, success: Success, answers: list[Answer]) -> dict[str, Schema] | None:
        """The content of these answers; None where some give a list, others one thing.

        Where no schema is named, it is what they are.
        """
        if success.unnamed and answers:
            given = together([self.responses.plain(answer) for answer in answers])
            return success.content if given is None else given
        if success.listed is None or not answers:
            return success.content
        several = {_is_list(answer.data, answer.scope) for answer in answers}
        if len(several) > 1:
            return None
        return success.listed if several.pop() else success.content

    def _tuple(self, node: ast.Tuple, scope: Scope, place: Location) -> Answer:
        if len(node.elts) < 2:
            return Answer(place, data=node, scope=scope)
        value = constant(self.program, node.elts[1], scope)
        if isinstance(value, int) and not isinstance(value, bool):
            made = isinstance(node.elts[0], ast.Call) and self.recognise(node.elts[0], scope) is not None
            return Answer(place, status=value, data=None if made else node.elts[0], scope=scope)
        if isinstance(node.elts[1], ast.Dict):
            return Answer(place, data=node.elts[0], scope=scope)
        given = Answer(place, data=node.elts[0], scope=scope)
        return Answer(place, known=False, data=node.elts[1], scope=scope, inner=given)


def _is_list(node: ast.expr | None, scope: Scope | None) -> bool:
    """Whether an expression gives a list: it is written as one, cut out of one, or made by what gives lists."""
    match node:
        case ast.List() | ast.ListComp() | ast.Subscript(slice=ast.Slice()):
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in ("list", "sorted")
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in ("all", "fetchall")
        case ast.Name(id=name) if scope is not None:
            values = [binding.value for binding in scope.bindings.get(name, ())]
            return bool(values) and all(value is not node and _is_list(value, None) for value in values)
    return False


def _raises(handler: FunctionTarget) -> bool:
    """Whether a function ends by raising, so that it gives nothing where it returns nothing."""
    body = handler.node.body
    return isinstance(body, list) and isinstance(body[-1], ast.Raise)


def _bodiless(status: int, content: dict[str, Schema] | None) -> dict[str, Schema] | None:
    return {} if status in (204, 304) else content
