"""The schemas that APIFlask takes: those of marshmallow, dictionaries of fields, Pydantic models and files."""

from __future__ import annotations

import ast

from graph.facts import Location
from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.constants.constants import constant, text_of
from ingest.web.marshmallow.inputs import parameters_of
from ingest.web.marshmallow.schemas import Marshmallow
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.shapes import ShapeKind
from ingest.web.program.targets import ClassTarget, External, ValueTarget
from ingest.web.records.operations import Body, Parameter
from ingest.web.schemas.models import Models
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotations import shape_of

_PLACES = {"query": "query", "querystring": "query", "headers": "header", "cookies": "cookie", "path": "path"}


class SchemaReader:
    """Reads schemas of any of these kinds in one program."""

    def __init__(self, program: Program, marshmallow: Marshmallow, models: Models) -> None:
        self.program = program
        self.marshmallow = marshmallow
        self.models = models

    def schema(self, node: ast.expr | None, scope: Scope) -> Schema:
        """The schema of what is written; an empty one says nothing about it."""
        use = self.marshmallow.use(node, scope)
        if use is not None and use.target is not None and (use.only is not None or use.exclude):
            # APIFlask documents a class in the form in which it met it first.
            return unknown("the schema is used in several forms")
        if use is not None:
            return {} if use.table == () and use.paginated is None else self.marshmallow.schema(use)
        file = self._file(node, scope)
        if file is not None:
            return file
        found = self._model(node, scope)
        return found if found is not None else unknown("the schema is not known")

    def whole(self, node: ast.expr, scope: Scope) -> Schema | None:
        """The schema with its properties, of a class or as JSON Schema; None where they cannot be known."""
        value = constant(self.program, node, scope)
        if isinstance(value, dict):
            return normalise(value) if "properties" in value else None
        use = self.marshmallow.use(node, scope)
        target = self.program.resolve(node, scope)
        if use is not None:
            found = self.marshmallow.whole(use)
        elif isinstance(target, ClassTarget) and self.models.family(target) is not None:
            found = self.models.whole(target)
        else:
            return None
        return found if "properties" in found else None

    def body(self, node: ast.expr | None, scope: Scope, media_type: str, place: Location) -> Body:
        """The body that a schema describes; none need be sent where no field of it must be there."""
        whole = self.whole(node, scope) if node is not None else None
        required = None if whole is None or whole.get("required") else False
        return Body(media_type, required, self.schema(node, scope), place)

    def parameters(
        self, node: ast.expr | None, scope: Scope, location: str | None, place: Location
    ) -> list[Parameter] | None:
        """The parameters that a schema describes; None where they cannot be known."""
        use = self.marshmallow.use(node, scope)
        if use is not None:
            return parameters_of(self.marshmallow, use, location, place)
        where = _PLACES.get(location or "")
        target = self.program.resolve(node, scope) if node is not None else None
        if where is None or not isinstance(target, ClassTarget) or self.models.family(target) is None:
            return None
        fields = self.models.fields(target)
        if fields is None:
            return None
        return [
            Parameter(
                where,
                field.name,
                field.required,
                {key: value for key, value in field.schema.items() if key != "x-always"},
                field.place if field.place.path == place.path else place,
            )
            for field in fields
        ]

    def _model(self, node: ast.expr | None, scope: Scope) -> Schema | None:
        if node is None:
            return None
        shape = shape_of(self.program, node, scope)
        inner = shape.arguments[0] if shape.kind is ShapeKind.ARRAY and shape.arguments else shape
        known = isinstance(inner.target, ClassTarget) and self.models.family(inner.target) is not None
        return self.models.schema(shape) if known else None

    def _file(self, node: ast.expr | None, scope: Scope) -> Schema | None:
        target = self.program.resolve(node, scope)
        if not (isinstance(target, ValueTarget) and isinstance(target.node, ast.Call)):
            return None
        call, scope = target.node, target.scope
        made = self.program.resolve(call.func, scope)
        if not (isinstance(made, External) and made.root == "apiflask" and made.name == "FileSchema"):
            return None
        words = {}
        for name, usual in (("type", "string"), ("format", "binary")):
            written = argument(call, None, name)
            words[name] = usual if written is None else text_of(self.program, written, scope)
        return normalise(words)
