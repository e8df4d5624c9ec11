"""What `marshal_with(…)` makes of what a method returns: one thing or a list of them, within an envelope."""

from __future__ import annotations

import ast

from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.constants.constants import constant, text_of
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import External
from ingest.web.restx.models import Models
from ingest.web.syntax.scopes import Scope


def marshalled(
    program: Program, models: Models, call: ast.Call, scope: Scope, listed: bool
) -> tuple[Schema, Schema | None]:
    """The form that is documented, and for Flask-RESTful, which documents none, the one that a list has there."""
    single = models.schema(argument(call, 0, "fields"), scope)
    several = _enveloped(program, normalise({"type": "array", "items": single}), call, scope)
    if listed or constant(program, argument(call, 1, "as_list"), scope) is True:
        return several, None
    maker = program.resolve(call.func, scope)
    plain = isinstance(maker, External) and maker.root == "flask_restful"
    return _enveloped(program, single, call, scope), several if plain else None


def _enveloped(program: Program, schema: Schema, call: ast.Call, scope: Scope) -> Schema:
    envelope = argument(call, None, "envelope")
    if envelope is None:
        return schema
    name = text_of(program, envelope, scope)
    if name is None:
        return unknown("the envelope is not constant")
    return normalise({"type": "object", "properties": {name: schema}})
