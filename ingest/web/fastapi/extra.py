"""What a FastAPI route's `openapi_extra` states in addition to, or in place of, what its handler tells."""

from __future__ import annotations

import ast

from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.constants.constants import constant, elements, entries, text_of
from ingest.web.fastapi.responses import ResponseReader
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.records.operations import Body, Operation, Parameter
from ingest.web.routing.sites import Event
from ingest.web.schemas.models import Models
from ingest.web.schemas.schema_extras import written_schema
from ingest.web.syntax.scopes import Scope


class ExtraReader:
    """Adds what routes of one program say by hand."""

    def __init__(self, program: Program, models: Models, responses: ResponseReader) -> None:
        self.program = program
        self.models = models
        self.responses = responses

    def add(self, operation: Operation, event: Event) -> None:
        """Adds a route's `openapi_extra` to its operation; what cannot be read there is left open."""
        written = argument(event.call, None, "openapi_extra")
        if written is None:
            return
        table = entries(self.program, written, event.scope)
        if table is None:
            operation.parameters_complete = operation.statuses_complete = False
            return
        for key, value, scope in table:
            match constant(self.program, key, scope):
                case "requestBody":
                    self._body(operation, value, scope)
                case "parameters":
                    self._parameters(operation, value, scope)
                case "responses":
                    declared, complete = self.responses.declared([(value, scope)], "application/json", "")
                    operation.responses += declared
                    operation.statuses_complete = operation.statuses_complete and complete
                case "deprecated":
                    old = constant(self.program, value, scope)
                    operation.deprecated = old if isinstance(old, bool) else operation.deprecated
                case "operationId":
                    operation.operation_id = text_of(self.program, value, scope)
                case "security":
                    operation.security = None
                case str():
                    continue
                case _:
                    operation.parameters_complete = operation.statuses_complete = False

    def _body(self, operation: Operation, node: ast.expr, scope: Scope) -> None:
        """Bodies by media type; one that the handler takes too is joined from both, and so not known."""
        table = self._named(node, scope)
        content = self._named(*table["content"]) if table and "content" in table else None
        if not content:
            operation.parameters_complete = False
            return
        stated = constant(self.program, *table["required"]) if table and "required" in table else None
        taken = {body.media_type: body for body in operation.bodies}
        for media_type, (value, inner) in content.items():
            place, parts = self.program.place(value, inner), self._named(value, inner)
            before = taken.get(media_type, Body(media_type, False, {}, place))
            required = stated if isinstance(stated, bool) else before.required if stated is None else None
            schema = before.schema
            if parts is None or "schema" in parts:
                joined = unknown("the handler and openapi_extra both tell of the body")
                schema = joined if parts is None or media_type in taken else self._schema(*parts["schema"])
            taken[media_type] = Body(media_type, required, schema, place)
        operation.bodies = list(taken.values())

    def _parameters(self, operation: Operation, node: ast.expr, scope: Scope) -> None:
        listed = elements(self.program, node, scope)
        for value, inner in listed or []:
            parts = self._named(value, inner) or {}
            where, name = (self._text(parts, key) for key in ("in", "name"))
            if not where or not name:
                listed = None
                continue
            needed = constant(self.program, *parts["required"]) if "required" in parts else False
            schema = self._schema(*parts["schema"]) if "schema" in parts else {}
            required = needed if isinstance(needed, bool) else None
            place = self.program.place(value, inner)
            operation.parameters.append(Parameter(where, name, required, normalise(schema), place))
        if listed is None:
            operation.parameters_complete = False

    def _schema(self, node: ast.expr, scope: Scope) -> Schema:
        return written_schema(self.program, node, scope, self.models.reference)

    def _text(self, parts: dict[str, tuple[ast.expr, Scope]], key: str) -> str | None:
        return text_of(self.program, *parts[key]) if key in parts else None

    def _named(self, node: ast.expr, scope: Scope) -> dict[str, tuple[ast.expr, Scope]] | None:
        """The entries of a dictionary by their constant keys; None where one of them is computed."""
        found: dict[str, tuple[ast.expr, Scope]] = {}
        for key, value, inner in entries(self.program, node, scope) or []:
            name = text_of(self.program, key, inner)
            if name is None:
                return None
            found[name] = (value, inner)
        return found
