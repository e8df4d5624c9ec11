"""Which answers a Litestar operation declares, and which its code gives."""

from __future__ import annotations

import ast

from graph.facts import Location
from graph.schema_algebra import Schema, unknown
from ingest.web.answers.answers import Answer, Answers
from ingest.web.constants.constants import elements, entries, status_of, text_of
from ingest.web.litestar.layers import Layer
from ingest.web.litestar.names import PACKAGE, media_type_of, methods_of, option
from ingest.web.litestar.pages import page_schema
from ingest.web.litestar.transfer import Transfers
from ingest.web.litestar.tree import Route
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.nulls import is_none, stands_for_none
from ingest.web.program.program import Program
from ingest.web.program.shapes import Shape, ShapeKind
from ingest.web.program.targets import ClassTarget, External, FunctionTarget
from ingest.web.raising.exception_statuses import status_of_raise
from ingest.web.raising.exits import Exits
from ingest.web.raising.raised import RaisedReader
from ingest.web.records.operations import Operation, Response
from ingest.web.schemas.models import Models
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotations import shape_of
from ingest.web.values.instances import Instances

_RESPONSES = ("Redirect", "File", "Stream", "ServerSentEvent", "Template", "Response", "ASGIResponse")
_ROOTS = PACKAGE | {"starlette"}
_TEXT: Schema = {"type": "string"}
_ERROR: Schema = {
    "type": "object",
    "required": ["detail", "status_code"],
    "properties": {"status_code": {"type": "integer"}, "detail": _TEXT, "extra": unknown("any detail")},
}


class AnswerReader:
    """Reads the answers of operations of one program."""

    def __init__(self, program: Program, instances: Instances, models: Models, exits: Exits) -> None:
        self.program = program
        self.instances = instances
        self.models = models
        self.exits = exits
        self.transfers = Transfers(program, models)
        self.answers = Answers(program, instances, self.recognise)
        self.raised = RaisedReader(program, self.answers, catches_all=True)

    def recognise(self, node: ast.expr, scope: Scope) -> Answer | ast.expr | None:
        """An answer, where an expression makes a response of the framework."""
        if not isinstance(node, ast.Call):
            return None
        func = node.func.value if isinstance(node.func, ast.Subscript) else node.func
        made = self.instances.callee(func, scope)
        kind = self._response(made)
        if not kind or made is None:
            return None
        place = self.program.place(node, scope)
        custom = isinstance(made, ClassTarget) and isinstance(
            self.program.class_member(made, "__init__"), FunctionTarget
        )
        written = argument(node, None, "status_code")
        if custom or has_stars(node) or (written is None and kind == "Redirect"):
            return Answer(place, known=False)
        if written is None:
            return Answer(place, data=node, scope=scope)
        status = status_of(self.program, written, scope)
        if status is None:
            return Answer(place, known=False, data=written, scope=scope)
        return Answer(place, status=status)

    def answer(self, operation: Operation, route: Route, layer: Layer, guards: list[FunctionTarget]) -> None:
        """Fills in the responses of an operation and whether they are all."""
        call = route.decorator if isinstance(route.decorator, ast.Call) else None
        written = argument(call, None, "status_code")
        status = (
            status_of(self.program, written, route.scope)
            if written is not None
            else self._usual(operation, route)
        )
        declared, whole = self._declared(call, route.scope)
        operation.responses = declared
        known = whole and status is not None and layer.transparent
        given, understood, reached = self._given(route, str(status) if status is not None else "")
        operation.responses += given
        if status is not None:
            content = self._content(route, layer, str(status))
            origin = "success" if reached else "declared" if written is not None else "framework"
            operation.responses.append(Response(str(status), origin, operation.source, content))
        thrown, doubts = self._thrown(route, layer, guards)
        operation.responses += thrown
        if not understood:
            doubts.append((operation.source, "what is returned cannot all be known"))
        operation.unknown.extend(("responses", place, reason) for place, reason in dict.fromkeys(doubts))
        if operation.parameters or operation.bodies:
            content = {"application/json": _ERROR} if not layer.handlers.classes else None
            operation.responses.append(Response("400", "framework", operation.source, content))
        operation.statuses_complete = known and not doubts

    def _usual(self, operation: Operation, route: Route) -> int:
        """The status of a success that names none; all methods of one handler share it."""
        call = route.decorator if isinstance(route.decorator, ast.Call) else None
        methods = methods_of(self.program, route.name, call, route.scope) or [operation.method]
        return 201 if "POST" in methods else 204 if "DELETE" in methods else 200

    def _response(self, target: object) -> str:
        """The name of the framework's response class that this is or inherits from, else an empty string."""
        if not isinstance(target, ClassTarget | External):
            return ""
        return next((name for name in _RESPONSES if self.program.is_a(target, _ROOTS, {name})), "")

    def _shape(self, handler: FunctionTarget) -> Shape | None:
        node = handler.node
        if not isinstance(node, Function) or node.returns is None:
            return None
        return shape_of(self.program, node.returns, handler.scope)

    def _given(self, route: Route, success: str) -> tuple[list[Response], bool, bool]:
        """The other statuses that the handler returns, whether all was understood, and whether it succeeds at all."""
        shape = self._shape(route.handler)
        answers = self.answers.of_function(route.handler)
        free = shape is None or any(self._response(part.target) for part in shape.members)
        found: list[Response] = []
        for answer in answers:
            if answer.known and answer.status is not None and str(answer.status) != success:
                origin = "success" if answer.status < 400 else "returned"
                content: dict[str, Schema] | None = {} if answer.status == 204 else None
                via = (route.handler.qualified, *answer.via)
                found.append(Response(str(answer.status), origin, answer.place, content, via=via))
        understood = all(answer.known and self._is_clear(answer, free) for answer in answers)
        reached = not answers or any(
            not answer.known or answer.status is None or str(answer.status) == success for answer in answers
        )
        return found, understood, reached

    def _is_clear(self, answer: Answer, free: bool) -> bool:
        """Whether plain data is returned as such, where the annotation lets a response be returned as well."""
        if not free or answer.status is not None or not isinstance(answer.data, ast.Call | ast.Name):
            return True
        made = self.instances.of(answer.data, answer.scope) if answer.scope is not None else None
        return bool(self._response(made))

    def _content(self, route: Route, layer: Layer, status: str) -> dict[str, Schema] | None:
        """The form of the success, as the annotation says it."""
        shape = self._shape(route.handler)
        if shape is None:
            return None
        call = route.decorator if isinstance(route.decorator, ast.Call) else None
        written = option(self.program, call, "media_type", None, route.scope)
        named = media_type_of(self.program, written) if written is not None else None
        if written is not None and named is None:
            return None
        kind = self._response(shape.target) if shape.kind is not ShapeKind.UNION else ""
        if shape.kind is ShapeKind.NONE or kind in ("ASGIResponse", "Redirect") or status in ("204", "304"):
            return {}
        if kind in ("File", "Stream", "ServerSentEvent"):
            return None
        if kind == "Template":
            return {named or "text/html": _TEXT}
        inner = shape
        if kind:
            inner = shape.arguments[0] if shape.arguments else Shape(ShapeKind.UNKNOWN, reason="any answer")
            if inner.kind is ShapeKind.NONE:
                return {named or "application/json": unknown("an answer without content")}
        elif any(self._response(part.target) for part in shape.members):
            return None
        dotted = inner.target.dotted if isinstance(inner.target, External) else ""
        plain = inner.kind is ShapeKind.SCALAR and dotted in ("builtins.str", "builtins.bytes")
        usual = "text/plain" if not kind and plain else "application/json"
        dto = layer.return_dto if layer.return_dto is not None else layer.dto
        schema = page_schema(self.models, inner) or self.models.schema(inner)
        rows = self.transfers.of_rows(inner, sent=False) if layer.return_dto is None else None
        if rows is not None:
            # The plugin comes before what the layers say of data.
            schema = rows
        elif dto is not None and not stands_for_none(dto):
            schema = self.transfers.schema(inner, dto, sent=False)
        return {named or usual: schema}

    def _declared(self, call: ast.Call | None, scope: Scope) -> tuple[list[Response], bool]:
        """The responses of `raises=[…]` and `responses={…}`, and whether all of them could be read."""
        found: list[Response] = []
        whole = not has_stars(call)
        written = argument(call, None, "raises")
        listed = elements(self.program, written, scope) if written is not None else []
        for node, inner in listed or []:
            target = self.program.resolve(node, inner)
            known = isinstance(target, ClassTarget | External)
            status = (
                status_of_raise(self.program, target, None, inner)
                if isinstance(target, ClassTarget | External)
                else None
            )
            whole = whole and known and status is not None
            if status is not None:
                content = {"application/json": _ERROR}
                found.append(Response(str(status), "declared", self.program.place(node, inner), content))
        table = argument(call, None, "responses")
        rows = entries(self.program, table, scope) if table is not None else []
        for key, value, inner in rows or []:
            status = status_of(self.program, key, inner)
            whole = whole and status is not None
            if status is not None:
                found.append(self._specified(str(status), value, inner))
        return found, whole and listed is not None and rows is not None

    def _specified(self, status: str, node: ast.expr, scope: Scope) -> Response:
        """What a `ResponseSpec(…)` declares."""
        place: Location = self.program.place(node, scope)
        target = self.program.resolve(node, scope)
        made = getattr(target, "node", None)
        inner = getattr(target, "scope", scope)
        if not isinstance(made, ast.Call):
            return Response(status, "declared", place)
        container = argument(made, 0, "data_container")
        description = text_of(self.program, argument(made, None, "description"), inner) or ""
        if container is None or is_none(container):
            return Response(status, "declared", place, {} if container is not None else None, description)
        written = option(self.program, made, "media_type", None, inner)
        media_type = media_type_of(self.program, written) if written is not None else "application/json"
        schema = self.models.schema(shape_of(self.program, container, inner))
        content = {media_type: schema} if media_type is not None else None
        return Response(status, "declared", place, content, description)

    def _thrown(
        self, route: Route, layer: Layer, more: list[FunctionTarget]
    ) -> tuple[list[Response], list[tuple[Location, str]]]:
        found: list[Response] = []
        doubts: list[tuple[Location, str]] = []
        for function in dict.fromkeys([route.handler, *more]):
            summary = self.exits.of(function)
            via = () if function is route.handler else (route.handler.qualified,)
            responses, unclear = self.raised.responses(summary.exits, layer.handlers, via)
            found += responses
            doubts += unclear
            doubts += [(doubt.place, doubt.reason) for doubt in summary.doubts]
        return found, doubts
