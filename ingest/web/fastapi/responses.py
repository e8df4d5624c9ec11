"""Which answers a FastAPI operation declares, and which its code gives."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Final

from graph.facts import Location
from graph.schema_algebra import PLACES, Schema, unknown, without_places
from graph.schemas import is_unknown, normalise
from ingest.web.answers.answers import Answer, Answers
from ingest.web.constants.constants import Missing, constant, entries, status_of, text_of
from ingest.web.program.calls import argument
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.shapes import Shape, ShapeKind
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget
from ingest.web.raising.error_handlers import Clause, ErrorHandlers
from ingest.web.raising.exception_statuses import is_http, status_of_raise
from ingest.web.raising.exceptions import Exit
from ingest.web.raising.exits import Exits
from ingest.web.raising.raised import RaisedReader
from ingest.web.records.operations import Response
from ingest.web.schemas.models import Models
from ingest.web.schemas.schema_extras import written_schema
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope
from ingest.web.values.alternatives import statuses_among
from ingest.web.values.annotations import shape_of
from ingest.web.values.instances import Instances, own_statements

ROOTS: Final = frozenset({"fastapi", "starlette"})
_TEXT: Schema = {"type": "string"}
MEDIA_TYPES: Final[dict[str, str | None]] = {
    "JSONResponse": "application/json",
    "ORJSONResponse": "application/json",
    "UJSONResponse": "application/json",
    "HTMLResponse": "text/html",
    "PlainTextResponse": "text/plain",
    "RedirectResponse": None,
    "FileResponse": None,
    "StreamingResponse": None,
    "EventSourceResponse": "text/event-stream",
    "Response": None,
}
_BODILESS = frozenset({"204", "205", "304"})
_VALIDATION = 422
NOT_CONSTANT: Final = "a response's status is not constant"
"""Why it is not known with which status one place of a handler answers."""


class ResponseReader:
    """Reads the answers of handlers of one program."""

    def __init__(self, program: Program, instances: Instances, models: Models, exits: Exits) -> None:
        self.program = program
        self.instances = instances
        self.models = models
        self.exits = exits
        self.answers = Answers(program, instances, self.recognise)
        self._raised = RaisedReader(program, self.answers, handles_again=True)

    def response_class(self, target: Target | None) -> str:
        """The name of the framework's response class that this is or inherits from, else an empty string."""
        for name in MEDIA_TYPES:
            if self.program.is_a(target, ROOTS | {"sse_starlette"}, {name}):
                return name
        return ""

    def media_type(self, target: Target | None) -> str | None:
        """The media type that a response class answers with, or None where that cannot be known."""
        if isinstance(target, ClassTarget):
            found = self.program.class_member(target, "media_type")
            if isinstance(found, ValueTarget):
                return text_of(self.program, found.node, found.scope)
        return MEDIA_TYPES.get(self.response_class(target))

    def renders_json(self, target: Target | None) -> bool:
        """Whether a response class writes its content as JSON: only then a response model says what it answers."""
        kind = self.response_class(target)
        return not kind or MEDIA_TYPES[kind] == "application/json"

    def recognise(self, node: ast.expr, scope: Scope) -> Answer | ast.expr | None:
        """An answer, where an expression makes a response of the framework."""
        if not isinstance(node, ast.Call):
            return None
        place = self.program.place(node, scope)
        made = self.instances.callee(node.func, scope)
        if isinstance(made, FunctionTarget) or made is None:
            templated = isinstance(node.func, ast.Attribute) and node.func.attr == "TemplateResponse"
            return self._status(node, scope, 3, place, 200, "text/html") if templated else None
        if isinstance(made, External) and made.name == "TemplateResponse":
            return self._status(node, scope, 3, place, 200, "text/html")
        if isinstance(made, External) and made.root in ROOTS and made.name.endswith("exception_handler"):
            return self._handled(node, made.name, scope)
        kind = self.response_class(made)
        if not kind:
            return None
        if isinstance(made, ClassTarget) and self._is_custom(made):
            return Answer(place, known=False)
        default = 307 if kind == "RedirectResponse" else 200
        written = argument(node, None, "media_type")
        media_type = text_of(self.program, written, scope) if written is not None else self.media_type(made)
        return self._status(node, scope, 1, place, default, media_type)

    def declared(
        self, tables: Iterable[tuple[ast.expr, Scope]], media_type: str | None, success: str
    ) -> tuple[list[Response], bool]:
        """The responses of `responses={…}` tables, the later ones deciding, and whether all could be read."""
        found: dict[str, Response] = {}
        whole = True
        for node, scope in tables:
            table = entries(self.program, node, scope)
            if table is None:
                whole = False
                continue
            for key, value, inner in table:
                status = constant(self.program, key, inner)
                if isinstance(status, Missing) or not isinstance(status, str | int):
                    whole = False
                    continue
                response = self._entry(str(status), value, inner, media_type, str(status) == success)
                found[response.status] = response
        return list(found.values()), whole

    def model(self, node: ast.expr, scope: Scope) -> Schema:
        """The schema of a response model."""
        return self.models.schema(shape_of(self.program, node, scope))

    def is_response(self, shape: Shape) -> bool:
        """Whether an annotation names a response class of the framework (alone or in a union)."""
        return any(
            part.kind in (ShapeKind.CLASS, ShapeKind.EXTERNAL) and bool(self.response_class(part.target))
            for part in shape.members
        )

    def returned(self, function: FunctionTarget) -> tuple[list[Answer], list[str]]:
        """What the handler returns and sets (`response.status_code = 201`), and what could not be understood."""
        if isinstance(function.node, ast.Lambda):
            return self.answers.of_function(function), []
        found = self.answers.of_function(function)
        doubts: list[str] = []
        for statement in own_statements(function.node.body):
            if not isinstance(statement, ast.Assign):
                continue
            for target in statement.targets:
                if not (isinstance(target, ast.Attribute) and target.attr == "status_code"):
                    continue
                status = status_of(self.program, statement.value, function.body)
                place = self.program.place(statement, function.scope)
                chosen = statuses_among(self.program, statement.value, function.body)
                given = chosen or ([status] if status is not None else [])
                found += [Answer(place, status=each) for each in given]
                if not given:
                    doubts.append("a status that is set is not constant")
        doubts.extend(NOT_CONSTANT for answer in found if not answer.known)
        return found, doubts

    def raised(
        self, exits: Iterable[Exit], handlers: ErrorHandlers, via: tuple[str, ...] = ()
    ) -> tuple[list[Response], list[tuple[Location, str]]]:
        """The answers that exceptions lead to, and the places that could not be understood."""
        return self._raised.responses(exits, handlers, via)

    def instead(self, clause: Clause) -> list[int] | None:
        """The statuses that a clause around a handler may answer with; None where one of them is not known."""
        return self._raised.instead(clause)

    def _status(
        self,
        node: ast.Call,
        scope: Scope,
        position: int,
        place: Location,
        default: int,
        media_type: str | None,
    ) -> Answer:
        written = argument(node, position, "status_code")
        if any(k.arg is None for k in node.keywords):
            return Answer(place, known=False)
        if written is None:
            return Answer(place, status=default, media_type=media_type)
        status = status_of(self.program, written, scope)
        if status is None:
            return Answer(place, known=False, data=written, scope=scope)
        return Answer(place, status=status, media_type=media_type)

    def _handled(self, node: ast.Call, name: str, scope: Scope) -> Answer | None:
        """What the framework's own handler of exceptions answers: `await http_exception_handler(request, exc)`."""
        place = self.program.place(node, scope)
        given = argument(node, 1, "exc")
        if name == "request_validation_exception_handler":
            return Answer(place, status=_VALIDATION, media_type="application/json")
        if name != "http_exception_handler" or given is None:
            return None
        target = self.program.resolve(given, scope)
        made, around = (target.node, target.scope) if isinstance(target, ValueTarget) else (given, scope)
        if not isinstance(made, ast.Call):
            status = ast.copy_location(ast.Attribute(value=given, attr="status_code", ctx=ast.Load()), given)
            return Answer(place, known=False, data=status, scope=scope)
        kind = self.program.resolve(made.func, around)
        if not isinstance(kind, ClassTarget | External) or not is_http(self.program, kind):
            return Answer(place, known=False)
        told = status_of_raise(self.program, kind, made, around)
        return Answer(place, known=told is not None, status=told, media_type="application/json")

    def _is_custom(self, made: ClassTarget) -> bool:
        return isinstance(self.program.class_member(made, "__init__"), FunctionTarget)

    def _entry(
        self, status: str, value: ast.expr, scope: Scope, media_type: str | None, success: bool
    ) -> Response:
        place = self.program.place(value, scope)
        table = entries(self.program, value, scope)
        if table is None:
            return Response(status.upper() if status != "default" else status, "declared", place)
        content: dict[str, Schema] | None = {}
        description = ""
        for key, inner, around in table:
            name = text_of(self.program, key, around)
            if name == "model":
                if not is_none(inner):
                    content = {**(content or {}), media_type or "application/json": self.model(inner, around)}
            elif name == "description":
                description = text_of(self.program, inner, around) or ""
            elif name == "content":
                content = self._content(content, inner, around)
        named = status if status == "default" else status.upper()
        return Response(named, "declared", place, None if success and not content else content, description)

    def _content(
        self, content: dict[str, Schema] | None, node: ast.expr, scope: Scope
    ) -> dict[str, Schema] | None:
        table = entries(self.program, node, scope)
        if table is None or content is None:
            return None
        for key, value, inner in table:
            name = text_of(self.program, key, inner)
            if name is None:
                return None
            content = {name: self._written(value, inner), **content}
        return content

    def _written(self, node: ast.expr, scope: Scope) -> Schema:
        """The schema that a media type object states as a dictionary of constants."""
        for key, value, inner in entries(self.program, node, scope) or []:
            if text_of(self.program, key, inner) == "schema":
                return written_schema(self.program, value, inner, self.models.reference)
        return unknown("the schema is written by hand")


def body_of(status: str, media_type: str | None, schema: Schema | None) -> dict[str, Schema] | None:
    """The content of an answer: nothing for statuses without a body, None where it cannot be known."""
    if status in _BODILESS or status.startswith("1"):
        return {}
    if media_type is None:
        return None
    if schema is None and media_type.startswith("text/"):
        schema = _TEXT
    return {media_type: schema if schema is not None else unknown("there is no response model")}


def described_twice(content: dict[str, Schema], declared: dict[str, Schema]) -> dict[str, Schema]:
    """The content of an answer that has a model where `responses={…}` describes it too: FastAPI writes both into one
    schema."""
    found = dict(content)
    for media_type, schema in content.items():
        more = declared.get(media_type, schema)
        if is_unknown(more) or is_unknown(schema) or without_places(more) == without_places(schema):
            continue
        named = schema.get("$ref")
        if named is not None and "$ref" not in more:
            found[media_type] = normalise({"allOf": [{"$ref": named}, more]})
        elif named is not None and more.keys() - PLACES == {"$ref"}:
            found[media_type] = more
        else:
            found[media_type] = unknown("the model and the table of responses both describe the answer")
    return found


def is_generator(function: FunctionTarget) -> bool:
    """Whether a handler yields instead of returning."""
    if not isinstance(function.node, Function):
        return False
    return any(
        isinstance(part, ast.Yield | ast.YieldFrom)
        for statement in own_statements(function.node.body)
        for part in ast.iter_child_nodes(statement)
    )
