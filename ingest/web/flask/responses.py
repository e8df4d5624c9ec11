"""Which answers a Flask handler gives: returned tuples and responses, aborts, exceptions with handlers."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from msgspec.structs import replace

from graph.facts import Location
from graph.schema_algebra import Schema
from ingest.web.answers.answer_contents import content_of, jsonified, together, told_by_hand
from ingest.web.answers.answer_pairs import answered_at_once, by_condition
from ingest.web.answers.answers import Answer, Answers
from ingest.web.answers.json_marshmallow import written_out
from ingest.web.answers.json_text import data_of_text
from ingest.web.answers.json_values import JsonValues
from ingest.web.answers.made_statuses import carried_status
from ingest.web.answers.returned_statuses import told_by_return
from ingest.web.constants.constants import Missing, constant, entries, status_of, text_of
from ingest.web.flask.media_types import retyped
from ingest.web.flask.raised import FlaskRaised
from ingest.web.flask.sent import is_grown_text, sent_file, sent_text
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target
from ingest.web.raising.error_handlers import ErrorHandlers
from ingest.web.raising.exceptions import Exit
from ingest.web.records.operations import Response
from ingest.web.requests.sent_values import taken_value
from ingest.web.requests.values import RequestValues
from ingest.web.schemas.models import Models
from ingest.web.syntax.scopes import Scope
from ingest.web.values.alternatives import statuses_among
from ingest.web.values.instances import Instances, own_statements

_FLASK = frozenset({"flask", "werkzeug"})
_DUMPING = frozenset({"json", "simplejson", "ujson", "orjson"})
_DATA = (ast.Dict, ast.List, ast.DictComp, ast.ListComp)
_TEXT = (ast.JoinedStr, ast.BinOp)


class Handlers(ErrorHandlers):
    """The error handlers that are in force for a route."""

    def within(self, inner: Handlers) -> Handlers:
        """These handlers with those of a blueprint before them."""
        return Handlers({**self.classes, **inner.classes}, {**self.statuses, **inner.statuses})


class ResponseReader:
    """Reads the answers of Flask handlers of one program."""

    def __init__(self, program: Program, instances: Instances, models: Models | None = None) -> None:
        self.program = program
        self.instances = instances
        self.values = JsonValues(program, instances, models or Models(program))
        self._taken = RequestValues(program, instances)
        self.values.sent = lambda node, scope: taken_value(self._taken, node, scope)
        self.answers = Answers(program, instances, self.recognise, self.settled)
        self._raised = FlaskRaised(
            program, self.answers, content=self._content, given=self._handled, values=self.values
        )
        self._raised.settle = self._named

    def recognise(self, node: ast.expr, scope: Scope) -> Answer | ast.expr | None:
        """An answer, where an expression is one for Flask: a tuple, a response, a dictionary, a text."""
        place = self.program.place(node, scope)
        if isinstance(node, ast.Tuple):
            several = answered_at_once(self.program, node, scope) or by_condition(self.program, node, scope)
            return several or self._tuple(node, scope, place)
        if isinstance(node, _DATA):
            return Answer(place, True, 200, "application/json", data=node, scope=scope, bare=True)
        if isinstance(node, _TEXT) or (
            isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
        ):
            return Answer(place, status=200, media_type="text/html")
        if isinstance(node, ast.Name) and is_grown_text(node, scope):
            return Answer(place, status=200, media_type="text/html")
        if isinstance(node, ast.Call | ast.Subscript) and (
            text := sent_text(self._taken, node, scope, place)
        ):
            return text
        return self._call(node, scope, place) if isinstance(node, ast.Call) else None

    def returned(self, function: FunctionTarget) -> tuple[list[Answer], bool]:
        """What the handler returns, and whether all of it was understood."""
        function = told_by_return(self.program, function)
        found = retyped(self.program, function, self.answers.of_function(function))
        settled = [a for a in found if a.known and a.status is not None]
        changed = self._set(function)
        if not changed:
            return settled, len(settled) == len(found)
        if len(found) == 1 and len(changed) == 1:
            always, answer = changed[0]
            if always and settled and (chosen := self._chosen(answer)):
                return [replace(settled[0], status=each, place=answer.place) for each in chosen], True
            known = always and answer.known and bool(settled)
            return ([replace(settled[0], status=answer.status, place=answer.place)] if known else []), known
        # Which of the responses is changed, only a run could tell.
        return [a for a in settled if a.status != 200], False

    def _handled(self, handler: FunctionTarget) -> list[Answer]:
        """What an error handler answers, with the status that it assigns to its one response."""
        handler = told_by_return(self.program, handler)
        return self.settled(handler, self.answers.of_function(handler))

    def settled(self, handler: FunctionTarget, found: list[Answer]) -> list[Answer]:
        """These answers of a function with the status and media type that it assigns to its one response."""
        found = retyped(self.program, handler, found)
        changed = self._set(handler)
        if not changed:
            return found
        always, answer = changed[0]
        if len(found) > 1 or len(changed) > 1 or not always or not found:
            return [replace(each, known=False, status=None, data=None) for each in found]
        if chosen := self._chosen(answer):
            return [replace(found[0], status=each, place=answer.place) for each in chosen]
        told = answer.known and answer.status is not None
        return [replace(found[0], status=answer.status) if told else replace(answer, inner=found[0])]

    def _named(self, function: FunctionTarget, found: list[Answer]) -> list[Answer]:
        """A response that is given on by its name, with the status and media type that the function assigns to it."""
        found = retyped(self.program, function, found)
        changed = self._set(function)
        if not changed:
            return found
        if len(found) > 1 or len(changed) > 1 or not found:
            return [replace(each, known=False, status=None, data=None) for each in found]
        answer = changed[0][1]
        told = answer.known and answer.status is not None
        return [replace(found[0], status=answer.status) if told else replace(answer, inner=found[0])]

    def _set(self, function: FunctionTarget) -> list[tuple[bool, Answer]]:
        """The statuses that are assigned to a response, and whether that happens in each run."""
        found: list[tuple[bool, Answer]] = []
        body = function.node.body if isinstance(function.node.body, list) else []
        for statement in own_statements(body):
            for target in statement.targets if isinstance(statement, ast.Assign) else []:
                if isinstance(target, ast.Attribute) and target.attr in ("status_code", "status"):
                    assert isinstance(statement, ast.Assign)
                    if self._is_of_another(target, statement.value, function):
                        continue
                    status = status_of(self.program, statement.value, function.body)
                    place = self.program.place(statement, function.scope)
                    told = Answer(
                        place, status is not None, status, data=statement.value, scope=function.body
                    )
                    found.append((statement in body, told))
        return found

    def _chosen(self, answer: Answer) -> list[int]:
        """The statuses of which a condition or a branch chooses the one that is assigned; none for any other."""
        if answer.data is None or answer.scope is None:
            return []
        return statuses_among(self.program, answer.data, answer.scope)

    def _is_of_another(self, target: ast.Attribute, value: ast.expr, function: FunctionTarget) -> bool:
        """Whether it is no response whose status is set: a word, or an instance of a class that makes none."""
        word = constant(self.program, value, function.body)
        if isinstance(word, str) and not word[:1].isdigit():
            return True
        owner = self.instances.of(target.value, function.body)
        return isinstance(owner, ClassTarget) and all(
            isinstance(base, ClassTarget) for base in self.program.ancestry(owner)
        )

    def responses(self, answers: Iterable[Answer], handler: FunctionTarget) -> list[Response]:
        """The responses that returned answers make: below 400 they are successes."""
        given = list(answers)
        contents: dict[int | None, list[dict[str, Schema] | None]] = {}
        for answer in given:
            contents.setdefault(answer.status, []).append(self._content(answer))
        return [
            Response(
                str(answer.status),
                "success" if answer.status is not None and answer.status < 400 else "returned",
                answer.place,
                together(contents[answer.status]),
                via=(handler.qualified, *answer.via),
            )
            for answer in given
        ]

    def _content(self, answer: Answer) -> dict[str, Schema] | None:
        found = content_of(answer, lambda media_type: told_by_hand(answer, media_type, self.values))
        return self.plain(answer) if found is None else found

    def plain(self, answer: Answer) -> dict[str, Schema] | None:
        """The content of what is returned as it is, of which Flask makes JSON where it is an object or a list."""
        if answer.data is None or answer.scope is None or not answer.known:
            return None
        found = self.values.within(answer.calls, answer.data, answer.scope)
        return {"application/json": found} if found.get("type") in ("object", "array") else None

    def raised(
        self, exits: Iterable[Exit], handlers: ErrorHandlers, via: tuple[str, ...] = ()
    ) -> tuple[list[Response], list[tuple[Location, str]]]:
        """The answers that exceptions and aborts lead to, and the places that could not be understood."""
        return self._raised.responses(exits, handlers, via)

    def statuses(self, exits: Iterable[Exit], handlers: ErrorHandlers) -> set[int | None]:
        """The statuses that exceptions and aborts lead to, as far as they are known."""
        return self._raised.statuses(exits, handlers)

    def _tuple(self, node: ast.Tuple, scope: Scope, place: Location) -> Answer:
        inner = self.answers.of(node.elts[0], scope, 1) if node.elts else []
        if len(node.elts) < 2:
            return Answer(place, known=False)
        only = inner[0] if len(inner) == 1 else None
        # What a helper makes is told where the helper makes it.
        told = replace(only or Answer(place, scope=scope), place=place, known=True, attribute="")
        second = node.elts[1]
        value = constant(self.program, second, scope)
        if isinstance(value, str) and value[:3].isdigit():
            value = int(value[:3])
        if isinstance(value, int) and not isinstance(value, bool):
            if len(node.elts) > 2:
                told = replace(told, media_type=self._by_header(node.elts[2], scope, told.media_type))
            return replace(told, status=value)
        if isinstance(second, ast.Dict) and len(node.elts) == 2:
            whole = only or Answer(place, known=False)
            return replace(whole, place=place, media_type=self._by_header(second, scope, whole.media_type))
        carried = carried_status(self.instances, second, scope) if len(node.elts) == 2 else None
        if carried is not None:
            return replace(told, status=carried)
        return Answer(place, known=False, data=second, scope=scope, inner=only)

    def _by_header(self, node: ast.expr, scope: Scope, media_type: str | None) -> str | None:
        """The media type of an answer with these headers: what they say, else its own; None where that is open."""
        table = entries(self.program, node, scope)
        if table is None:
            return None
        for key, value, inner in table:
            name = text_of(self.program, key, inner)
            if name is None or name.lower() == "content-type":
                return text_of(self.program, value, inner) if name else None
        return media_type

    def _call(self, node: ast.Call, scope: Scope, place: Location) -> Answer | ast.expr | None:
        if (written := written_out(self.program, self.instances, node, scope)) is not None:
            return Answer(place, status=200, media_type="application/json", data=written, scope=scope)
        target = self.instances.callee(node.func, scope)
        if not isinstance(target, External):
            return self._response(node, scope, place, target)
        if target.root == "flask" and target.name in (
            "jsonify",
            "make_response",
            "redirect",
            "render_template",
        ):
            return self._made(target.name, node, scope, place)
        if (sent := sent_file(self.program, target, node, scope, place)) is not None:
            return sent
        if target.root == "flask" and target.name == "render_template_string":
            return Answer(place, status=200, media_type="text/html", page=True)
        if target.root == "werkzeug" and target.name == "redirect":
            return self._made("redirect", node, scope, place)
        if target.root in _FLASK and target.name == "Response":
            return self._response(node, scope, place, target)
        if target.dotted == "flask.json.jsonify":
            return self._made("jsonify", node, scope, place)
        if target.root == "builtins" and target.name in ("str", "dict", "list"):
            media_type = "text/html" if target.name == "str" else "application/json"
            return Answer(place, status=200, media_type=media_type)
        if target.name == "dumps" and target.root in _DUMPING:
            # Which media type is meant, a contract tells better than the one that Flask gives texts.
            return Answer(place, status=200)
        return Answer(place, known=False)

    def _made(self, name: str, node: ast.Call, scope: Scope, place: Location) -> Answer | ast.expr | None:
        if name == "jsonify":
            data = jsonified(node)
            return Answer(place, status=200, media_type="application/json", data=data, scope=scope)
        if name == "render_template":
            return Answer(place, status=200, media_type="text/html", page=True)
        if name == "redirect":
            written = argument(node, 1, "code")
            status = 302 if written is None else status_of(self.program, written, scope)
            return Answer(place, known=status is not None, status=status)
        if len(node.args) >= 2:
            whole = ast.Tuple(elts=list(node.args), ctx=ast.Load())
            return self._tuple(whole, scope, place)
        return node.args[0] if node.args else Answer(place, status=200)

    def _response(
        self, node: ast.Call, scope: Scope, place: Location, target: Target | None
    ) -> Answer | None:
        if not self.program.is_a(target, _FLASK, {"Response"}):
            return None
        written = argument(node, 1, "status")
        kind = argument(node, 3, "mimetype") or argument(node, 4, "content_type")
        headers = argument(node, 2, "headers") if kind is None else None
        media_type = text_of(self.program, kind, scope) if kind is not None else "text/html"
        media_type = self._by_header(headers, scope, media_type) if headers is not None else media_type
        data = data_of_text(self.program, argument(node, 0, "response"), scope)
        if written is None:
            return Answer(place, status=200, media_type=media_type, data=data, scope=scope)
        value = constant(self.program, written, scope)
        if isinstance(value, str) and value[:3].isdigit():
            value = int(value[:3])
        if isinstance(value, Missing) or not isinstance(value, int):
            told = Answer(place, media_type=media_type, data=data, scope=scope)
            return Answer(place, known=False, data=written, scope=scope, inner=told)
        return Answer(place, status=value, media_type=media_type, data=data, scope=scope)
