"""flask-pydantic: `@validate()` makes models of the query and the body, as the handler's annotations say."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graph.schema_algebra import Schema, unknown
from graph.schemas import is_unknown, normalise
from ingest.web.answers.json_values import JsonValues
from ingest.web.constants.constants import constant
from ingest.web.flask.declared import Declared, Decoration, Success
from ingest.web.flask.tree import Route
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.program import Program
from ingest.web.program.shapes import Shape, ShapeKind
from ingest.web.program.targets import ClassTarget, FunctionTarget
from ingest.web.records.operations import Body, Parameter
from ingest.web.requests.models import without
from ingest.web.schemas.json_results import agreed
from ingest.web.schemas.model_fields import Family
from ingest.web.schemas.models import Models
from ingest.web.schemas.named_schemas import NamedSchema
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotations import shape_of
from ingest.web.values.instances import returned

_BODIES = {"body": "application/json", "form": "application/x-www-form-urlencoded"}
_REFUSED = "400"


class FlaskPydantic:
    """Reads handlers that `validate` decorates; `values` tells what they give."""

    def __init__(self, program: Program, models: Models, values: JsonValues) -> None:
        self.program = program
        self.models = models
        self.values = values

    def named(self) -> Iterator[NamedSchema]:
        """See `Extension.named`: the models are named as all classes are."""
        return iter(())

    def declared(
        self, route: Route, handler: FunctionTarget, decorations: list[Decoration]
    ) -> Declared | None:
        """See `Extension.declared`."""
        found = [each for each in decorations if each.name == "validate" and each.call is not None]
        if len(found) != 1 or not isinstance(handler.node, Function):
            return None
        call, scope = found[0].call, found[0].scope
        assert call is not None, "only calls were taken"
        declared = Declared("flask", guarded=True, plain=True)
        if has_stars(call):
            declared.complete = False
            return declared
        given = {name: argument(call, None, name) for name in ("body", "query", "form")}
        places = {name: (node, scope) for name, node in given.items() if node is not None}
        for taken, _ in parameters(handler.node):
            if taken.arg in given and taken.annotation is not None:
                places[taken.arg] = (taken.annotation, handler.scope)
        for name, (node, where) in places.items():
            self._take(declared, name, shape_of(self.program, node, where), handler)
        if places:
            place = self.program.place(call, scope)
            declared.framework_answers(place, _REFUSED, *(("415",) if "body" in places else ()))
        self._answer(declared, call, scope, handler)
        return declared

    def _take(self, declared: Declared, name: str, shape: Shape, handler: FunctionTarget) -> None:
        place = self.program.place(handler.node, handler.scope)
        target = shape.target if shape.kind is ShapeKind.CLASS else None
        if not isinstance(target, ClassTarget) or self.models.family(target) is not Family.PYDANTIC:
            schema: Schema = unknown("the model is not known")
        else:
            schema = self.models.schema(shape)
        if name in _BODIES:
            declared.bodies = [*declared.bodies, Body(_BODIES[name], True, schema, place)]
            return
        fields = self.models.fields(target) if isinstance(target, ClassTarget) else None
        if fields is None or is_unknown(schema) or any(each.unnamed for each in fields):
            declared.complete = False
            return
        declared.parameters += [
            Parameter("query", each.name, each.required, without(each.schema, "x-always"), place)
            for each in fields
            if not each.computed
        ]

    def _answer(self, declared: Declared, call: ast.Call, scope: Scope, handler: FunctionTarget) -> None:
        written = argument(call, None, "on_success_status")
        status = 200 if written is None else constant(self.program, written, scope)
        many = constant(self.program, argument(call, None, "response_many"), scope) is True
        dropped = argument(call, None, "exclude_none") is not None
        if not isinstance(status, int) or isinstance(status, bool):
            declared.doubts.append(
                (self.program.place(call, scope), "the status of the answer is not constant")
            )
            return
        found = [self._form(value, inner) for value, inner in returned(handler)]
        known = [schema for schema in found if schema is not None]
        whole: Schema = (
            known[0] if known and not (many or dropped) else unknown("the answer is built by hand")
        )
        for other in known[1:]:
            whole = agreed(whole, other)
        if known:
            place = self.program.place(handler.node, handler.scope)
            declared.success = Success(str(status), place, {"application/json": whole})

    def _form(self, node: ast.expr, scope: Scope) -> Schema | None:
        """The form of a model that is returned, with a status of its own or without; None of anything else."""
        if isinstance(node, ast.Tuple) and node.elts:
            node = node.elts[0]
        found = self.values.classes.model(node, scope)
        return None if is_unknown(found) else normalise(found)
