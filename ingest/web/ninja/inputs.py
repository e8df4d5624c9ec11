"""What Django Ninja's handlers take: each argument as a parameter or a part of the body."""

from __future__ import annotations

import ast
from collections.abc import Container
from typing import Final

import msgspec
from msgspec.structs import replace

from graph.facts import Location
from graph.schema_algebra import Schema, unknown
from ingest.web.constants.constants import constant
from ingest.web.django.patterns import CONVERTERS
from ingest.web.ninja.bodies import BodyReader, Input
from ingest.web.program.calls import argument, is_static
from ingest.web.program.program import Program
from ingest.web.program.shapes import Shape, ShapeKind
from ingest.web.program.targets import ClassTarget, External, FunctionTarget
from ingest.web.records.operations import Body, Parameter
from ingest.web.schemas.facets import facets_of
from ingest.web.schemas.model_fields import ModelField
from ingest.web.serializers.serializers import SerializerModels
from ingest.web.syntax.bindings import parameters
from ingest.web.syntax.naming import uncalled
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotations import shape_of

_MARKERS: Final = frozenset({"Query", "Path", "Body", "Form", "Header", "Cookie", "File"})
_FORM: Final = "application/x-www-form-urlencoded"
_MULTIPART: Final = "multipart/form-data"
_DEPTH: Final = 5
_OPAQUE: Final = frozenset({ShapeKind.EXTERNAL, ShapeKind.UNKNOWN})
_COLLECTIONS: Final = frozenset({ShapeKind.ARRAY, ShapeKind.SET, ShapeKind.TUPLE, ShapeKind.MAPPING})


class Taken(msgspec.Struct):
    """What a handler takes; `complete` is false where there may be more."""

    parameters: list[Parameter] = msgspec.field(default_factory=list)
    bodies: list[Body] = msgspec.field(default_factory=list)
    complete: bool = True


class InputReader:
    """Reads the handlers of one program."""

    def __init__(self, program: Program, models: SerializerModels) -> None:
        self.program = program
        self.models = models
        self.bodies = BodyReader(models)

    def of(
        self, handler: FunctionTarget, names: dict[str, str], source: Location, own: Container[str]
    ) -> Taken:
        """What a handler takes; `names` are the parameters of the whole path with their converters, `own` those that
        stand in the operation's path and not in the prefix of a router."""
        taken = Taken()
        inputs: list[Input] = []
        doubtful: set[str] = set()
        method = handler.scope.is_class and not is_static(handler)
        given = list(parameters(handler.node))[1:]
        if method and given and given[0][0].arg == "request":
            # Methods of controllers may do without the request, those of other classes are given it.
            given = given[1:]
        for node, default in given:
            found = self._input(node, default, handler, names)
            if found is not None and found.place == "path" and not found.marked and found.name not in own:
                # Versions of Ninja differ in whether such a parameter comes from the prefix or from the query.
                doubtful.add(found.name)
                continue
            if found is not None:
                inputs.append(found)
            elif not self._is_request(node, handler.scope):
                taken.complete = False
        if getattr(handler.node.args, "kwarg", None) is not None or handler.node.args.vararg is not None:
            taken.complete = False
        seen = {each.name for each in inputs if each.place == "path"} | doubtful
        for name, converter in names.items():
            if name not in seen:
                schema = CONVERTERS.get(converter or "str", unknown("the converter is not known"))
                inner = unknown("a model may take it") if taken.complete is False else schema
                taken.parameters.append(Parameter("path", name, True, inner, source))
        for each in inputs:
            if each.place in ("path", "query", "header", "cookie"):
                self._plain(taken, each, names)
        sent = [each for each in inputs if each.place in ("body", "form", "file")]
        if {each.place for each in sent} <= {"body"}:
            taken.bodies = self.bodies.sent(sent)
            if not taken.complete and sent:
                taken.bodies = [
                    replace(body, required=None, schema=unknown("more may be taken")) for body in taken.bodies
                ]
        else:
            taken.bodies = [self.bodies.form(sent, taken.complete)]
        taken.complete = taken.complete and not doubtful
        unique = {parameter.key: parameter for parameter in taken.parameters}
        taken.parameters = list(unique.values())
        return taken

    def _input(
        self, node: ast.arg, default: ast.expr | None, handler: FunctionTarget, names: dict[str, str]
    ) -> Input | None:
        scope = handler.scope
        annotation = node.annotation
        marker, described = "", None
        if isinstance(annotation, ast.Subscript):
            marker = self._marker(annotation.value, scope)
            if not marker and isinstance(annotation.slice, ast.Tuple) and len(annotation.slice.elts) == 2:
                # `PathEx[int, P(gt=3)]`
                marker = self._marker(annotation.value, scope, "Ex")
                described = annotation.slice.elts[1] if marker else None
                annotation = annotation.slice.elts[0] if marker else annotation
            else:
                annotation = annotation.slice if marker else annotation
        written = default.func if isinstance(default, ast.Call) else None
        marker = marker or (self._marker(written, scope) if written is not None else "")
        shape = (
            shape_of(self.program, annotation, scope)
            if annotation is not None
            else Shape(ShapeKind.SCALAR, schema=self._implied(default, scope))
        )
        for inner, place in shape.metadata:
            marker = marker or self._marker(uncalled(inner), place)
        for call in (default, *(part for part, _ in shape.metadata)):
            shown = argument(call, None, "include_in_schema") if isinstance(call, ast.Call) else None
            if shown is not None and constant(self.program, shown, scope) is not True:
                # What is kept out of the contract is taken all the same.
                return None
        shown_by = [*shape.metadata, *([(described, scope)] if described is not None else [])]
        facets = facets_of(self.program, shown_by, default, scope)
        source = Location(scope.path, node.lineno, node.end_lineno or node.lineno)
        patched = self._patch(annotation, scope)
        if patched is not None:
            place_name = "body"
        elif node.arg in names and marker in ("", "path"):
            place_name = "path"
        elif self.bodies.file_of(shape) is not None and (marker in ("", "file")):
            if not marker and shape.nullable:
                # Versions of Ninja differ in what they make of a file that may be missing.
                return None
            place_name = "file"
        elif marker:
            if marker != "body" and self._is_opaque(shape):
                # Its fields may be taken one by one.
                return None
            place_name = marker
        elif any(part.kind is ShapeKind.MAPPING for part in shape.members):
            # Versions of Ninja differ in whether an unmarked dictionary is a body.
            return None
        elif self._is_body(shape):
            place_name = "body"
        elif self._is_opaque(shape):
            return None
        else:
            place_name = "query"
        return Input(node.arg, place_name, shape, facets, source, bool(marker), patched)

    def _patch(self, annotation: ast.expr | None, scope: Scope) -> ClassTarget | None:
        """The class of which `PatchDict[…]` takes some of the fields."""
        if not isinstance(annotation, ast.Subscript):
            return None
        target = self.program.resolve(annotation.value, scope)
        named = isinstance(target, External) and target.root == "ninja" and target.name == "PatchDict"
        inner = self.program.resolve(annotation.slice, scope) if named else None
        return inner if isinstance(inner, ClassTarget) else None

    def _implied(self, default: ast.expr | None, scope: Scope) -> Schema:
        """The schema of a parameter without an annotation: that of its default, else text."""
        if isinstance(default, ast.Call) and self._marker(default.func, scope):
            default = argument(default, 0, "default")
        value = constant(self.program, default, scope)
        if default is None or value is None or value == ... or isinstance(value, str):
            return {"type": "string"}
        kinds = {bool: "boolean", int: "integer", float: "number"}
        return {"type": kinds[type(value)]} if type(value) in kinds else unknown("no type is said")

    def _is_request(self, node: ast.arg, scope: Scope) -> bool:
        """Whether a parameter is given the request or the response itself."""
        target = self.program.resolve(node.annotation, scope) if node.annotation is not None else None
        return isinstance(target, External) and target.name in ("HttpRequest", "HttpResponse", "ASGIRequest")

    def _is_opaque(self, shape: Shape) -> bool:
        """Whether it is not known what Ninja makes of a type: it may be a class with fields."""
        return any(
            part.kind in _OPAQUE
            or (isinstance(part.target, ClassTarget) and self.models.family(part.target) is None)
            for part in shape.members
        )

    def _marker(self, node: ast.expr, scope: Scope, ending: str = "") -> str:
        target = self.program.resolve(node, scope)
        if not isinstance(target, External) or target.root != "ninja" or not target.name.endswith(ending):
            return ""
        name = target.name.removesuffix(ending)
        return name.lower() if name in _MARKERS else ""

    def _is_body(self, shape: Shape) -> bool:
        return any(
            part.kind in _COLLECTIONS or self.bodies.class_of(part) is not None for part in shape.members
        )

    def _plain(self, taken: Taken, each: Input, names: dict[str, str]) -> None:
        target = self.bodies.class_of(each.shape)
        if target is not None:
            fields = self.models.fields(target)
            if fields is None:
                taken.complete = False
                return
            self._flattened(taken, each.place, fields, 0)
            return
        name = each.facets.alias or each.name
        schema = self.models.schema(each.shape, each.facets)
        required = each.place == "path" or not each.facets.optional
        taken.parameters.append(
            Parameter(each.place, name, required, schema, each.source, each.facets.deprecated)
        )

    def _flattened(self, taken: Taken, place: str, fields: list[ModelField], depth: int) -> None:
        """Adds the fields of a class, those of classes in it beside them, as parameters."""
        for inner in fields:
            nested = self.bodies.class_of(inner.shape)
            if nested is not None or self.bodies.is_nested(inner.shape):
                known = self.models.fields(nested) if nested is not None and inner.required else None
                if known is None or depth > _DEPTH:
                    taken.complete = False
                else:
                    self._flattened(taken, place, known, depth + 1)
                continue
            schema = {k: v for k, v in inner.schema.items() if k != "x-always"}
            required = inner.required or place == "path"
            taken.parameters = [p for p in taken.parameters if p.key != f"{place}.{inner.name}"]
            taken.parameters.append(Parameter(place, inner.name, required, schema, inner.place))
