"""flask-openapi3 and spectree: models of the query, the path and the body, which annotations or a decorator name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graph.schema_algebra import Schema, unknown
from graph.schemas import is_unknown
from ingest.web.annotations import shape_of
from ingest.web.bindings import Function, parameters
from ingest.web.calls import argument, has_stars
from ingest.web.constants import constant, entries
from ingest.web.flask_declared import Declared, Decoration
from ingest.web.flask_models import without
from ingest.web.flask_tree import METHODS, Route
from ingest.web.model_fields import Family
from ingest.web.models import Models
from ingest.web.named_schemas import NamedSchema
from ingest.web.operations import Body, Parameter, Response
from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.shapes import Shape, ShapeKind
from ingest.web.targets import ClassTarget, External, FunctionTarget

_BODIES = {"body": "application/json", "json": "application/json", "form": "multipart/form-data"}
_PLACES = {"query": "query", "path": "path", "cookie": "cookie", "cookies": "cookie"}
_UNREAD = frozenset({"header", "headers", "raw"})
_REFUSED = "422"


class FlaskAnnotated:
    """Reads handlers of flask-openapi3's applications and blueprints, and those of spectree's `validate`."""

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
        made = route.event.site.call
        owner = self.program.resolve(made.func, route.event.site.scope) if made is not None else None
        own = self.program.is_a(owner, {"flask_openapi3"}, {"OpenAPI", "APIBlueprint"})
        if not isinstance(handler.node, Function) or not (own or validating):
            return None
        call, scope = route.event.call, route.event.scope
        if not own and (only := validating[0].call) is not None:
            call, scope = only, validating[0].scope
        declared = Declared("flask", guarded=True, plain=True)
        if has_stars(call) or (own and route.event.method not in METHODS):
            declared.complete = False
            return declared
        taken = {
            each.arg: (each.annotation, handler.scope)
            for each, _ in parameters(handler.node)
            if each.annotation is not None
        }
        if not own:
            told = {k.arg: (k.value, scope) for k in call.keywords if k.arg}
            taken = {**taken, **told}
        place = self.program.place(handler.node, handler.scope)
        for name, (node, where) in taken.items():
            if name in _UNREAD:
                declared.complete = False
            elif name in _BODIES or name in _PLACES:
                self._take(declared, name, shape_of(self.program, node, where), handler)
        if taken:
            declared.framework_answers(place, _REFUSED, "415")
        declared.deprecated = constant(self.program, argument(call, None, "deprecated"), scope) is True
        declared.hidden = constant(self.program, argument(call, None, "doc_ui"), scope) is False
        self._answers(declared, call, scope)
        return declared

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
        where = _PLACES[name]
        declared.parameters += [
            Parameter(
                where,
                each.name,
                True if where == "path" else each.required,
                without(each.schema, "x-always"),
                place,
            )
            for each in fields
            if not each.computed
        ]

    def _answers(self, declared: Declared, call: ast.Call, scope: Scope) -> None:
        """The answers that `responses={200: Book}` or `resp=Response(HTTP_200=Book)` declare."""
        place = self.program.place(call, scope)
        rows = [
            (str(constant(self.program, key, inner)), value, inner)
            for key, value, inner in entries(self.program, argument(call, None, "responses"), scope) or []
        ]
        listed = argument(call, None, "resp")
        if isinstance(listed, ast.Call):
            made = self.program.resolve(listed.func, scope)
            if isinstance(made, External) and made.root == "spectree":
                rows += [(k.arg.removeprefix("HTTP_"), k.value, scope) for k in listed.keywords if k.arg]
        for status, node, inner in rows:
            if not status.isdigit():
                continue
            shape = shape_of(self.program, node, inner)
            known = shape.kind is ShapeKind.CLASS and isinstance(shape.target, ClassTarget)
            content = {"application/json": self.models.schema(shape)} if known else None
            declared.responses.append(Response(status, "declared", place, content))
