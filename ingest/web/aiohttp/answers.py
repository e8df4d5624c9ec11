"""Which answers an aiohttp handler gives: responses with their statuses, and exceptions that are returned."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from ingest.web.answers.answers import Answer, Answers
from ingest.web.answers.json_text import data_of_text, is_json
from ingest.web.constants.constants import status_of, text_of
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target
from ingest.web.raising.exception_statuses import is_http, status_of_raise
from ingest.web.requests.by_hand import only_raises
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

PACKAGES = frozenset({"aiohttp"})
_MADE = ("json_response", "FileResponse", "WebSocketResponse", "StreamResponse", "Response")
_TEMPLATES = frozenset({"render_template", "render_template_async", "render_string"})


class AnswerReader:
    """Reads the answers of handlers of one program."""

    def __init__(self, program: Program, instances: Instances) -> None:
        self.program = program
        self.instances = instances
        self.answers = Answers(program, instances, self.recognise)

    def recognise(self, node: ast.expr, scope: Scope) -> Answer | ast.expr | None:
        """An answer, where an expression makes a response of the framework."""
        if not isinstance(node, ast.Call):
            return None
        place = self.program.place(node, scope)
        made = self.instances.callee(node.func, scope)
        if isinstance(made, External) and made.root == "aiohttp_jinja2" and made.name in _TEMPLATES:
            written = argument(node, None, "status")
            status = 200 if written is None else status_of(self.program, written, scope)
            return Answer(place, known=status is not None, status=status, media_type="text/html")
        kind = self.kind(made)
        if kind:
            return self._made(kind, node, scope)
        if isinstance(made, ClassTarget | External) and is_http(self.program, made):
            status = status_of_raise(self.program, made, node, scope)
            told = self.of_exception(node, scope) or Answer(place)
            return replace(told, known=status is not None, status=status)
        return None

    def of_exception(self, node: ast.Call, scope: Scope) -> Answer | None:
        """What an exception that is made by this call says, its status apart; None where that is not known."""
        place = self.program.place(node, scope)
        headers = argument(node, None, "headers")
        if has_stars(node) or (headers is not None and self._may_name_type(headers, scope)):
            return None
        text = argument(node, None, "text") or argument(node, None, "body")
        media_type = self._media_type("Response", node, scope) or "text/plain"
        data = data_of_text(self.program, text, scope) if is_json(media_type) else None
        return Answer(place, media_type=media_type, data=data, scope=scope)

    def kind(self, target: Target | None) -> str:
        """What of aiohttp's responses this is or extends, else an empty string."""
        if isinstance(target, FunctionTarget):
            return ""
        return next((name for name in _MADE if self.program.is_a(target, PACKAGES, {name})), "")

    def understood(self, function: FunctionTarget) -> bool:
        """Whether all that a function returns is known, and no status is set by another way."""
        if any(
            isinstance(call.func, ast.Attribute) and call.func.attr == "set_status"
            for call in function.body.calls
        ):
            return False
        found = self.answers.of_function(function)
        return (bool(found) or only_raises(function)) and all(
            answer.known and answer.status is not None for answer in found
        )

    def opens_a_socket(self, function: FunctionTarget) -> bool:
        """Whether a handler answers with a web socket."""
        return any(
            self.kind(self.program.resolve(call.func, function.body)) == "WebSocketResponse"
            for call in function.body.calls
        )

    def _made(self, kind: str, node: ast.Call, scope: Scope) -> Answer:
        place = self.program.place(node, scope)
        written = argument(node, None, "status")
        if has_stars(node) or kind == "WebSocketResponse":
            return Answer(place, known=False)
        status = 200 if written is None else self._status(written, scope)
        data = argument(node, 0, "data") if kind == "json_response" else None
        media_type = self._media_type(kind, node, scope)
        if data is None and (is_json(media_type) or media_type == "text/plain"):
            # A text that is made of JSON says what it holds, whatever type it goes under.
            text = argument(node, None, "text") or argument(node, 0 if kind == "Response" else None, "body")
            data = data_of_text(self.program, text, scope)
        if status is None:
            inner = Answer(place, media_type=media_type, data=data, scope=scope)
            return Answer(place, known=False, data=written, scope=scope, inner=inner)
        return Answer(place, status=status, media_type=media_type, data=data, scope=scope)

    def _status(self, node: ast.expr, scope: Scope) -> int | None:
        """The status that an expression stands for, `web.HTTPCreated.status_code` among them."""
        if isinstance(node, ast.Attribute) and node.attr == "status_code":
            named = self.program.resolve(node.value, scope)
            if isinstance(named, ClassTarget | External) and is_http(self.program, named):
                return status_of_raise(self.program, named, None, scope)
        return status_of(self.program, node, scope)

    def _media_type(self, kind: str, node: ast.Call, scope: Scope) -> str | None:
        written = argument(node, None, "content_type")
        if written is not None:
            return text_of(self.program, written, scope)
        if kind == "json_response":
            # It refuses headers that name another type.
            return "application/json"
        headers = argument(node, None, "headers")
        if headers is not None and self._may_name_type(headers, scope):
            return None
        return "text/plain" if kind == "Response" and argument(node, None, "text") is not None else None

    def _may_name_type(self, headers: ast.expr, scope: Scope) -> bool:
        """Whether these headers may say of which type the answer is."""
        if not isinstance(headers, ast.Dict):
            return True
        names = [text_of(self.program, key, scope) if key is not None else None for key in headers.keys]
        return any(name is None or name.lower() == "content-type" for name in names)
