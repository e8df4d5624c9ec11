"""spectree: models of the query, the path and the body, which annotations or its decorator name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graph.schema_algebra import Schema, unknown
from graph.schemas import is_unknown
from ingest.web.flask.declared import Declared, Decoration
from ingest.web.flask.tree import Route
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.program import Program
from ingest.web.program.shapes import Shape, ShapeKind
from ingest.web.program.targets import ClassTarget, External, FunctionTarget
from ingest.web.records.operations import Body, Parameter, Response
from ingest.web.requests.models import without
from ingest.web.schemas.model_fields import Family
from ingest.web.schemas.models import Models
from ingest.web.schemas.named_schemas import NamedSchema
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotations import shape_of

_BODIES = {"body": "application/json", "json": "application/json", "form": "multipart/form-data"}
PLACES = {"query": "query", "path": "path", "cookie": "cookie", "cookies": "cookie", "header": "header"}
"""Where the values stand that a model of this name describes."""
_UNREAD = frozenset({"header", "headers", "raw"})
_REFUSED = "422"


class FlaskAnnotated:
    """Reads handlers of spectree's `validate`; flask-openapi3's are read by what extends this."""

    def __init__(self, program: Program, models: Models) -> None:
        self.program = program
        self.models = models

    def named(self) -> Iterator[NamedSchema]:
        """See `Extension.named`: the models are named as all classes are."""
        return iter(())

    def declared(
        self, route: Route, handler: FunctionTarget, decorations: list[Decoration]
    ) -> Declared | None:
        """See `Extension.declared`."""
        validating = [each for each in decorations if each.name == "validate" and each.call is not None]
        if not isinstance(handler.node, Function) or not validating:
            return None
        call, scope = validating[0].call, validating[0].scope
        assert call is not None, "only calls were taken"
        declared = Declared("flask", guarded=True, plain=True)
        if has_stars(call):
            declared.complete = False
            return declared
        told = {k.arg: (k.value, scope) for k in call.keywords if k.arg}
        self.take(declared, {**annotated(handler), **told}, handler, _UNREAD)
        self._answers(declared, call, scope)
        return declared

    def take(
        self,
        declared: Declared,
        taken: dict[str, tuple[ast.expr, Scope]],
        handler: FunctionTarget,
        unread: frozenset[str],
    ) -> None:
        """Adds the parameters and bodies that models describe; `taken` are these by the names of their places."""
        for name, (node, where) in taken.items():
            if name in unread:
                declared.complete = False
            elif name in _BODIES or name in PLACES:
                self._take(declared, name, shape_of(self.program, node, where), handler)
        if taken:
            place = self.program.place(handler.node, handler.scope)
            declared.framework_answers(place, _REFUSED, "415")

    def _take(self, declared: Declared, name: str, shape: Shape, handler: FunctionTarget) -> None:
        place = self.program.place(handler.node, handler.scope)
        target = shape.target if shape.kind is ShapeKind.CLASS else None
        known = isinstance(target, ClassTarget) and self.models.family(target) is Family.PYDANTIC
        schema: Schema = self.models.schema(shape) if known else unknown("the model is not known")
        if name in _BODIES:
            declared.bodies = [*declared.bodies, Body(_BODIES[name], True, schema, place)]
            return
        fields = self.models.fields(target) if known and isinstance(target, ClassTarget) else None
        if fields is None or is_unknown(schema) or any(each.unnamed for each in fields):
            declared.complete = False
            return
        where = PLACES[name]
        declared.parameters += [
            Parameter(
                where,
                each.name,
                True if where == "path" else each.required,
                without(without(each.schema, "x-always"), "deprecated"),
                place,
                deprecated=bool(each.schema.get("deprecated")),
            )
            for each in fields
            if not each.computed
        ]

    def _answers(self, declared: Declared, call: ast.Call, scope: Scope) -> None:
        """The answers that `resp=Response(HTTP_200=Book)` declares."""
        place = self.program.place(call, scope)
        listed = argument(call, None, "resp")
        if not isinstance(listed, ast.Call):
            return
        made = self.program.resolve(listed.func, scope)
        if not (isinstance(made, External) and made.root == "spectree"):
            return
        for keyword in listed.keywords:
            status = (keyword.arg or "").removeprefix("HTTP_")
            if status.isdigit():
                content = self.content(keyword.value, scope)
                declared.responses.append(Response(status, "declared", place, content))

    def content(self, node: ast.expr, scope: Scope) -> dict[str, Schema] | None:
        """JSON of the form that a class has; None where the expression is no class that is known."""
        shape = shape_of(self.program, node, scope)
        known = shape.kind is ShapeKind.CLASS and isinstance(shape.target, ClassTarget)
        return {"application/json": self.models.schema(shape)} if known else None


def annotated(handler: FunctionTarget) -> dict[str, tuple[ast.expr, Scope]]:
    """The annotations of a handler's parameters by the names of these."""
    if not isinstance(handler.node, Function):
        return {}
    return {
        each.arg: (each.annotation, handler.scope)
        for each, _ in parameters(handler.node)
        if each.annotation is not None
    }
