"""Which answers Django's views give: responses, raised exceptions, and data that the REST framework renders."""

from __future__ import annotations

import ast
from typing import Final

from graph.facts import Location
from ingest.web.answers.answers import Answer, Answers
from ingest.web.constants.constants import status_of, text_of
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget
from ingest.web.raising.exits import Exits
from ingest.web.records.operations import Response
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.walks import nodes_of
from ingest.web.values.instances import Instances

_CODES: Final = {
    "HttpResponse": 200,
    "JsonResponse": 200,
    "StreamingHttpResponse": 200,
    "FileResponse": 200,
    "TemplateResponse": 200,
    "SimpleTemplateResponse": 200,
    "HttpResponseRedirect": 302,
    "HttpResponsePermanentRedirect": 301,
    "HttpResponseNotModified": 304,
    "HttpResponseBadRequest": 400,
    "HttpResponseForbidden": 403,
    "HttpResponseNotFound": 404,
    "HttpResponseNotAllowed": 405,
    "HttpResponseGone": 410,
    "HttpResponseServerError": 500,
}
_STANDARD: Final = {
    "create": 201,
    "list": 200,
    "retrieve": 200,
    "update": 200,
    "partial_update": 200,
    "destroy": 204,
}
_VERBS: Final = {"post": 201, "get": 200, "put": 200, "patch": 200, "delete": 204}
_FRAMEWORK: Final = frozenset({400, 401, 403, 405, 406, 415, 429})


class AnswerReader:
    """Reads the answers of the views of one program."""

    def __init__(self, program: Program, instances: Instances, exits: Exits) -> None:
        self.program = program
        self.instances = instances
        self.exits = exits
        self.answers = Answers(program, instances, self.recognise)

    def recognise(self, node: ast.expr, scope: Scope) -> Answer | ast.expr | None:
        """An answer, where an expression makes a response or leaves it to the framework."""
        if isinstance(node, ast.Await):
            return node.value
        if not isinstance(node, ast.Call):
            return None
        place = self.program.place(node, scope)
        target = self.instances.callee(node.func, scope)
        if isinstance(target, FunctionTarget):
            return None
        if self.program.is_a(target, {"rest_framework"}, {"Response"}):
            # A class of the project may put what it is given into something of its own.
            data = None if self._types_itself(node, scope) else argument(node, 0, "data")
            return self._response(node, scope, place, 200, data)
        for name, status in _CODES.items():
            if self.program.is_a(target, {"django"}, {name}):
                return self._django(name, status, node, scope, place)
        if isinstance(target, External):
            return self._outside(target, node, scope, place)
        return Answer(place, known=False)

    def returned(self, function: FunctionTarget) -> tuple[list[Answer], bool]:
        """What a view returns with a known status, and whether that is all."""
        found = self.answers.of_function(function)
        settled = [answer for answer in found if answer.known and answer.status is not None]
        return settled, bool(found) and len(settled) == len(found)

    def raised(
        self, function: FunctionTarget, framework: bool
    ) -> tuple[list[Response], list[tuple[Location, str]]]:
        """The answers that exceptions lead to, and what could not be understood.

        `framework` tells that refusals of the request are the framework's own manner of speaking.
        """
        summary = self.exits.of(function)
        doubts = [(doubt.place, doubt.reason) for doubt in summary.doubts]
        found: list[Response] = []
        for leaving in summary.exits:
            if not leaving.http:
                continue
            if leaving.status is None:
                doubts.append((leaving.place, f"the status of {leaving.name} is not constant"))
                continue
            usual = framework and leaving.status in _FRAMEWORK and isinstance(leaving.target, External)
            raises = leaving.target.qualified if isinstance(leaving.target, ClassTarget) else ""
            found.append(
                Response(
                    str(leaving.status),
                    "framework" if usual else "raised",
                    leaving.place,
                    via=leaving.via,
                    exception=leaving.name,
                    raises=raises,
                )
            )
        return found, doubts

    def _response(
        self, node: ast.Call, scope: Scope, place: Location, default: int, data: ast.expr | None
    ) -> Answer:
        written = argument(node, 1, "status")
        status = default if written is None else status_of(self.program, written, scope)
        if status is None:
            return Answer(place, known=False, data=written, scope=scope)
        kind = argument(node, None, "content_type")
        media_type = text_of(self.program, kind, scope) if kind is not None else None
        return Answer(place, status=status, media_type=media_type, data=data, scope=scope)

    def _django(self, name: str, default: int, node: ast.Call, scope: Scope, place: Location) -> Answer:
        position = 2 if name == "HttpResponse" else None
        written = argument(node, position, "status")
        status = default if written is None else status_of(self.program, written, scope)
        if status is None:
            return Answer(place, known=False, data=written, scope=scope)
        kind = argument(node, 1 if name == "HttpResponse" else None, "content_type")
        usual = "application/json" if name == "JsonResponse" else "text/html" if name in _HTML else None
        if kind is None and (self._types_itself(node, scope) or _is_typed_later(scope)):
            usual = None
        media_type = text_of(self.program, kind, scope) if kind is not None else usual
        data = self._data(name, node, scope)
        return Answer(place, status=status, media_type=media_type, data=data, scope=scope)

    def _types_itself(self, node: ast.Call, scope: Scope) -> bool:
        """Whether an answer is of a class of the project that may choose its media type."""
        made = self.instances.callee(node.func, scope)
        return isinstance(made, ClassTarget) and isinstance(
            self.program.class_member(made, "__init__"), FunctionTarget
        )

    def _data(self, name: str, node: ast.Call, scope: Scope) -> ast.expr | None:
        """What is answered as JSON; None where that is not certain, as with an encoder or a class of the project."""
        given = argument(node, 0, "data" if name == "JsonResponse" else "content")
        if name == "HttpResponse" and isinstance(given, ast.Call) and not given.keywords:
            dumped = self.program.resolve(given.func, scope) == External("json.dumps")
            return given.args[0] if dumped and len(given.args) == 1 else None
        own = not isinstance(self.instances.callee(node.func, scope), External)
        encoded = argument(node, 1, "encoder") is not None
        return None if own or encoded or has_stars(node) or name != "JsonResponse" else given

    def _outside(self, target: External, node: ast.Call, scope: Scope, place: Location) -> Answer:
        if target.root == "django" and target.name == "render":
            written = argument(node, 4, "status")
            status = 200 if written is None else status_of(self.program, written, scope)
            return Answer(place, known=status is not None, status=status, media_type="text/html")
        if target.root == "django" and target.name == "redirect":
            lasting = argument(node, None, "permanent")
            return Answer(place, known=lasting is None, status=302 if lasting is None else None)
        if target.root == "rest_framework" and target.name == "get_paginated_response":
            return Answer(place, status=200, data=node, scope=scope)
        # `super().list(request)` and `self.list(request)`, by which a view leaves the answer to the framework.
        if target.root == "rest_framework" and isinstance(node.func, ast.Attribute):
            status = _STANDARD.get(target.name, _VERBS.get(target.name))
            return Answer(place, known=status is not None, status=status, data=node, scope=scope)
        return Answer(place, known=False)


_HTML: Final = frozenset({"HttpResponse", "TemplateResponse", "SimpleTemplateResponse"})


def _is_typed_later(scope: Scope) -> bool:
    """Whether a function puts a media type into an answer after making it: `answer["Content-Type"] = …`."""
    for node in nodes_of(scope.node):
        match node:
            case ast.Subscript(slice=ast.Constant(value=str(name)), ctx=ast.Store()):
                if name.lower() == "content-type":
                    return True
            case ast.Attribute(attr="content_type", ctx=ast.Store()):
                return True
    return False


def is_json(answers: list[Answer]) -> bool:
    """Whether some answer is JSON."""
    return any((answer.media_type or "").endswith("json") for answer in answers)
