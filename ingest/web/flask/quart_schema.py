"""quart-schema: models of the query, the headers, the body and the answers, each named by a decorator."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from graph.facts import Json
from graph.schema_algebra import Schema, unknown
from graph.schemas import is_unknown
from ingest.web.constants.constants import constant
from ingest.web.flask.declared import Declared, Decoration, Success
from ingest.web.flask.tree import Route
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.program import Program
from ingest.web.program.shapes import ShapeKind
from ingest.web.program.targets import ClassTarget, FunctionTarget
from ingest.web.records.operations import Body, Parameter, Response
from ingest.web.requests.models import without
from ingest.web.schemas.camel_case import camelised, in_camel_case
from ingest.web.schemas.models import Models
from ingest.web.schemas.named_schemas import NamedSchema
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotations import shape_of

_TAKING = {"validate_querystring": "query", "validate_headers": "header"}
_CASING = re.compile(r"\bconvert_casing\s*=\s*True\b|QUART_SCHEMA_CONVERT_CASING")
_FORMS = {"FORM": "application/x-www-form-urlencoded", "FORM_MULTIPART": "multipart/form-data"}
_REFUSED = "400"
_DEPTH = 20


class QuartSchema:
    """Reads what the decorators of quart-schema declare; what they leave out is Quart's affair."""

    def __init__(self, program: Program, models: Models) -> None:
        self.program = program
        self.models = models
        names = program.importers_named(("quart_schema",))
        self.converted = any(_CASING.search(program.text(name)) for name in names)

    def named(self) -> Iterator[NamedSchema]:
        """See `Extension.named`: the models are named as all classes are."""
        return iter(())

    def declared(
        self, route: Route, handler: FunctionTarget, decorations: list[Decoration]
    ) -> Declared | None:
        """See `Extension.declared`."""
        found = [(each.name, each.call, each.scope) for each in decorations if each.call is not None]
        known = [each for each in found if each[0] == "validate" or each[0].startswith("validate_")]
        if not known:
            return None
        declared = Declared("flask", guarded=True, plain=True)
        for name, call, scope in known:
            if has_stars(call):
                declared.complete = False
            elif name == "validate":
                self._together(declared, call, scope)
            elif name == "validate_request":
                self._body(declared, argument(call, 0, "model_class"), argument(call, None, "source"), scope)
            elif name in _TAKING:
                self._parameters(declared, _TAKING[name], argument(call, 0, "model_class"), scope)
            elif name == "validate_response":
                self._answer(
                    declared, argument(call, 0, "model_class"), argument(call, 1, "status_code"), scope
                )
        if declared.success is not None:
            declared.framework = "quart-schema"
        return declared

    def _together(self, declared: Declared, call: ast.Call, scope: Scope) -> None:
        """What `validate(querystring=…, request=…, headers=…, responses={200: (Book, None)})` declares at once."""
        for where, name in (("query", "querystring"), ("header", "headers")):
            if (node := argument(call, None, name)) is not None:
                self._parameters(declared, where, node, scope)
        if (node := argument(call, None, "request")) is not None:
            self._body(declared, node, argument(call, None, "request_source"), scope)
        answers = argument(call, None, "responses")
        for status, value in _rows(answers):
            model = value.elts[0] if isinstance(value, ast.Tuple) and value.elts else value
            self._answer(declared, model, status, scope)

    def _body(self, declared: Declared, node: ast.expr | None, source: ast.expr | None, scope: Scope) -> None:
        if node is None:
            declared.complete = False
            return
        place = self.program.place(node, scope)
        kind = source.attr if isinstance(source, ast.Attribute) else None
        media_type = "application/json" if kind is None else _FORMS.get(kind, "application/json")
        # What is exported leaves it open whether there must be a body.
        declared.bodies = [*declared.bodies, Body(media_type, None, self._schema(node, scope), place)]
        declared.framework_answers(place, _REFUSED)

    def _parameters(self, declared: Declared, where: str, node: ast.expr | None, scope: Scope) -> None:
        shape = shape_of(self.program, node, scope) if node is not None else None
        target = shape.target if shape is not None and shape.kind is ShapeKind.CLASS else None
        fields = self.models.fields(target) if isinstance(target, ClassTarget) else None
        if node is None or fields is None or any(each.unnamed for each in fields):
            declared.complete = False
            return
        place = self.program.place(node, scope)
        for each in fields:
            name = each.name.replace("_", "-") if where == "header" else each.name
            if where == "query" and self.converted:
                name = camelised(name)
            schema = without(without(each.schema, "x-always"), "deprecated")
            declared.parameters.append(Parameter(where, name, each.required, schema, place))
        declared.framework_answers(place, _REFUSED)

    def _answer(
        self, declared: Declared, node: ast.expr | None, written: ast.expr | None, scope: Scope
    ) -> None:
        if node is None:
            declared.complete = False
            return
        status = 200 if written is None else constant(self.program, written, scope)
        place = self.program.place(node, scope)
        if not isinstance(status, int) or isinstance(status, bool):
            declared.doubts.append((place, "the status of the answer is not constant"))
            return
        content = {"application/json": self._schema(node, scope)}
        if status < 400 and declared.success is None:
            declared.success = Success(str(status), place, content)
        else:
            declared.responses.append(Response(str(status), "declared", place, content))

    def _schema(self, node: ast.expr, scope: Scope) -> Schema:
        shape = shape_of(self.program, node, scope)
        if shape.kind is ShapeKind.UNKNOWN or is_unknown(found := self.models.schema(shape)):
            return unknown("the model is not known")
        return in_camel_case(self._whole(found)) if self.converted else found

    def _whole(self, schema: Schema, depth: int = 0) -> Schema:
        """A schema with what it refers to in its place, since answers have other names than the classes."""
        if depth > _DEPTH:
            return unknown("the model is nested too deeply")
        reference = schema.get("$ref")
        if isinstance(reference, str):
            target = self.models.classes.get(reference.rpartition(":")[2])
            whole = self.models.whole(target) if target is not None else unknown("the model is not known")
            return whole if is_unknown(whole) else self._whole(whole, depth + 1)
        return {key: self._within(value, depth) for key, value in schema.items()}

    def _within(self, value: Json, depth: int) -> Json:
        if isinstance(value, dict):
            return self._whole(value, depth + 1)
        return [self._within(each, depth) for each in value] if isinstance(value, list) else value


def _rows(node: ast.expr | None) -> list[tuple[ast.expr | None, ast.expr]]:
    return list(zip(node.keys, node.values, strict=True)) if isinstance(node, ast.Dict) else []
