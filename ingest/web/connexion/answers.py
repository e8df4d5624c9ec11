"""Which answers a function that Connexion calls gives: data, tuples with a status, problems, responses."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

from msgspec.structs import replace

from ingest.web.answers.answers import Answer, Answers
from ingest.web.answers.json_text import data_of_text
from ingest.web.answers.returned_statuses import told_by_return
from ingest.web.constants.constants import constant, status_of, text_of
from ingest.web.flask.responses import ResponseReader
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.program import Program
from ingest.web.program.shapes import ShapeKind
from ingest.web.program.targets import ClassTarget, External, FunctionTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotations import shape_of
from ingest.web.values.instances import Instances

_DATA = (ast.Dict, ast.List, ast.DictComp, ast.ListComp, ast.JoinedStr, ast.BinOp, ast.Compare)
_PLAIN = frozenset({ShapeKind.SCALAR, ShapeKind.MAPPING, ShapeKind.ARRAY, ShapeKind.SET, ShapeKind.LITERAL})
IsData: TypeAlias = Callable[[ast.expr, Scope], bool]
"""Tells whether an expression is surely plain data, which becomes JSON."""
PROBLEM = "application/problem+json"
"""The media type of what `connexion.problem(…)` answers."""
_RESPONSES = frozenset(
    {"ConnexionResponse", "Response", "JSONResponse", "PlainTextResponse", "HTMLResponse", "FileResponse"}
)


class AnswerReader:
    """Reads the answers of handlers of one program."""

    def __init__(self, program: Program, instances: Instances, is_data: IsData) -> None:
        self.program = program
        self.is_data = is_data
        self.instances = instances
        self.flask = ResponseReader(program, instances)
        self.answers = Answers(program, instances, self.recognise, self.flask.settled)

    def recognise(self, node: ast.expr, scope: Scope) -> Answer | ast.expr | None:
        """An answer, where an expression is one for Connexion."""
        place = self.program.place(node, scope)
        if isinstance(node, ast.Tuple):
            return self._tuple(node, scope)
        if isinstance(node, _DATA):
            return Answer(place, status=200, data=node, scope=scope, bare=True)
        if isinstance(node, ast.Constant):
            return Answer(place, status=204 if node.value is None else 200)
        if isinstance(node, ast.Name | ast.Attribute):
            target = self.program.resolve(node, scope)
            empty = isinstance(target, External) and target.root == "connexion" and target.name == "NoContent"
            return Answer(place, status=200) if empty else None
        return self._call(node, scope) if isinstance(node, ast.Call) else None

    def of(self, handler: FunctionTarget) -> tuple[list[Answer], bool]:
        """The answers with a status that a handler returns, and whether these are all."""
        handler = told_by_return(self.program, handler)
        given = self.flask.settled(handler, self.answers.of_function(handler))
        found = [self._plain(answer) for answer in given]
        settled = [answer for answer in found if answer.known and answer.status is not None]
        return settled, len(settled) == len(found) and (bool(found) or self._only_raises(handler))

    def _plain(self, answer: Answer) -> Answer:
        """The answer, as a success where plain data is all that it can be."""
        if not answer.known or answer.status is not None or answer.data is None or answer.scope is None:
            return answer
        plain = self._is_annotated(answer.scope) or self.is_data(answer.data, answer.scope)
        return replace(answer, status=200) if plain else answer

    def _is_annotated(self, scope: Scope) -> bool:
        """Whether a function says that it gives plain data: no tuple, and no answer that is made already."""
        node = scope.node if isinstance(scope.node, Function) else None
        if node is None or node.returns is None:
            return False
        members = shape_of(self.program, node.returns, scope.parent or scope).members
        return bool(members) and all(part.kind in _PLAIN for part in members)

    def _only_raises(self, handler: FunctionTarget) -> bool:
        body = handler.node.body if isinstance(handler.node, Function) else []
        return bool(body) and isinstance(body[-1], ast.Raise)

    def _tuple(self, node: ast.Tuple, scope: Scope) -> Answer:
        place = self.program.place(node, scope)
        if len(node.elts) < 2 or any(isinstance(each, ast.Starred) for each in node.elts):
            return Answer(place, known=False)
        if isinstance(node.elts[1], ast.Dict):
            return Answer(place, status=200)
        value = constant(self.program, node.elts[1], scope)
        status = status_of(self.program, node.elts[1], scope) if not isinstance(value, str) else None
        if isinstance(value, str) and len(value) == len("200") and value.isdigit():
            status = int(value)
        if status is None:
            inner = Answer(place, data=node.elts[0], scope=scope)
            return Answer(place, known=False, data=node.elts[1], scope=scope, inner=inner)
        return Answer(place, status=status, data=node.elts[0], scope=scope)

    def _call(self, node: ast.Call, scope: Scope) -> Answer | ast.expr | None:
        place = self.program.place(node, scope)
        made = self.instances.callee(node.func, scope)
        if isinstance(made, External) and made.root == "connexion" and made.name == "problem":
            found = self._with_status(node, argument(node, 0, "status"), scope, None)
            return replace(found, media_type=PROBLEM) if argument(node, None, "ext") is None else found
        if isinstance(made, External) and made.root in ("flask", "werkzeug"):
            return self.flask.recognise(node, scope)
        if isinstance(made, External) and made.root == "builtins":
            return Answer(place, status=200)
        if isinstance(made, ClassTarget | External) and self.program.is_a(
            made, {"connexion", "starlette"}, _RESPONSES
        ):
            own = self.program.is_a(made, {"connexion"}, _RESPONSES)
            found = self._with_status(node, argument(node, 0 if own else 1, "status_code"), scope, 200)
            return self._with_content(found, node, scope, own)
        return None

    def _with_content(self, answer: Answer, node: ast.Call, scope: Scope, own: bool) -> Answer:
        """The answer with the JSON that a response holds, where its text is made of a value on the spot."""
        written = argument(node, None, "mimetype", "content_type", "media_type")
        media_type = text_of(self.program, written, scope) if written is not None else None
        body = argument(node, None, "body") if own else argument(node, 0, "content")
        data = data_of_text(self.program, body, scope)
        if data is None or media_type is None or media_type.split(";")[0] != "application/json":
            return answer
        told = Answer(answer.place, media_type="application/json", data=data, scope=scope)
        if answer.known:
            return replace(told, status=answer.status)
        return replace(answer, inner=told)

    def _with_status(
        self, node: ast.Call, written: ast.expr | None, scope: Scope, default: int | None
    ) -> Answer:
        place = self.program.place(node, scope)
        status = default if written is None else status_of(self.program, written, scope)
        if has_stars(node) or status is None:
            return Answer(place, known=False, data=written, scope=scope)
        return Answer(place, status=status)
