"""What Django Ninja's handlers take: path, query, header and cookie parameters, forms, files and bodies."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import Final

from graph.facts import Location
from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.bindings import parameters
from ingest.web.django_patterns import CONVERTERS
from ingest.web.drf_serializers import SerializerModels
from ingest.web.facets import Facets, facets_of
from ingest.web.operations import Body, Parameter
from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.shapes import Shape, ShapeKind, shape_of
from ingest.web.targets import ClassTarget, External, FunctionTarget

_MARKERS: Final = frozenset({"Query", "Path", "Body", "Form", "Header", "Cookie", "File"})
_FORM: Final = "application/x-www-form-urlencoded"
_MULTIPART: Final = "multipart/form-data"
_OPAQUE: Final = frozenset({ShapeKind.EXTERNAL, ShapeKind.UNKNOWN})
_COLLECTIONS: Final = frozenset({ShapeKind.ARRAY, ShapeKind.SET, ShapeKind.TUPLE, ShapeKind.MAPPING})


@dataclass(slots=True)
class Taken:
    """What a handler takes; `complete` is false where there may be more."""

    parameters: list[Parameter] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=list)
    complete: bool = True


@dataclass(frozen=True, slots=True)
class _Input:
    name: str
    place: str
    shape: Shape
    facets: Facets
    source: Location


class InputReader:
    """Reads the handlers of one program."""

    def __init__(self, program: Program, models: SerializerModels) -> None:
        self.program = program
        self.models = models

    def of(self, handler: FunctionTarget, names: dict[str, str], source: Location) -> Taken:
        """What a handler takes; `names` are the parameters of the path with their converters."""
        taken = Taken()
        inputs: list[_Input] = []
        for index, (node, default) in enumerate(parameters(handler.node)):
            if index == 0:
                continue
            found = self._input(node, default, handler, names)
            if found is not None:
                inputs.append(found)
            elif not self._is_request(node, handler.scope):
                taken.complete = False
        if getattr(handler.node.args, "kwarg", None) is not None or handler.node.args.vararg is not None:
            taken.complete = False
        seen = {each.name for each in inputs if each.place == "path"}
        for name, converter in names.items():
            if name not in seen:
                schema = CONVERTERS.get(converter or "str", unknown("the converter is not known"))
                inner = unknown("a model may take it") if taken.complete is False else schema
                taken.parameters.append(Parameter("path", name, True, inner, source))
        for each in inputs:
            if each.place in ("path", "query", "header", "cookie"):
                self._plain(taken, each, names)
        sent = [each for each in inputs if each.place in ("body", "form", "file")]
        if {"body"} < {each.place for each in sent}:
            required = True if any(not each.facets.optional for each in sent) else None
            schema = unknown("a body and a form are taken at once")
            taken.bodies.append(Body(_MULTIPART, required, schema, sent[0].source))
        else:
            self._body(taken, [each for each in sent if each.place == "body"])
            self._form(taken, [each for each in sent if each.place != "body"])
        unique = {parameter.key: parameter for parameter in taken.parameters}
        taken.parameters = list(unique.values())
        return taken

    def _input(
        self, node: ast.arg, default: ast.expr | None, handler: FunctionTarget, names: dict[str, str]
    ) -> _Input | None:
        scope = handler.scope
        annotation = node.annotation
        marker = ""
        if isinstance(annotation, ast.Subscript):
            marker = self._marker(annotation.value, scope)
            annotation = annotation.slice if marker else annotation
        written = default.func if isinstance(default, ast.Call) else None
        marker = marker or (self._marker(written, scope) if written is not None else "")
        shape = (
            shape_of(self.program, annotation, scope)
            if annotation is not None
            else Shape(ShapeKind.SCALAR, schema={"type": "string"})
        )
        for inner, place in shape.metadata:
            marker = marker or self._marker(inner.func if isinstance(inner, ast.Call) else inner, place)
        facets = facets_of(self.program, shape.metadata, default, scope)
        source = Location(scope.path, node.lineno, node.end_lineno or node.lineno)
        if node.arg in names and marker in ("", "path"):
            place_name = "path"
        elif self._file(shape) is not None:
            place_name = "file"
        elif marker:
            place_name = marker
        elif self._is_body(shape):
            place_name = "body"
        elif any(part.kind in _OPAQUE for part in shape.members) or self._is_opaque(shape):
            return None
        else:
            place_name = "query"
        return _Input(node.arg, place_name, shape, facets, source)

    def _is_request(self, node: ast.arg, scope: Scope) -> bool:
        """Whether a parameter is given the request or the response itself."""
        target = self.program.resolve(node.annotation, scope) if node.annotation is not None else None
        return isinstance(target, External) and target.name in ("HttpRequest", "HttpResponse", "ASGIRequest")

    def _is_opaque(self, shape: Shape) -> bool:
        """Whether a type is a class of which it is not known what Ninja makes of it."""
        return any(
            isinstance(part.target, ClassTarget) and self.models.family(part.target) is None
            for part in shape.members
        )

    def _marker(self, node: ast.expr, scope: Scope) -> str:
        target = self.program.resolve(node, scope)
        known = isinstance(target, External) and target.root == "ninja" and target.name in _MARKERS
        return target.name.lower() if known and isinstance(target, External) else ""

    def _is_body(self, shape: Shape) -> bool:
        return any(part.kind in _COLLECTIONS or self._class(part) is not None for part in shape.members)

    def _class(self, shape: Shape) -> ClassTarget | None:
        """The class of data that a type is, whose fields may be taken one by one."""
        members = shape.members
        target = members[0].target if len(members) == 1 else None
        if members[0].kind is not ShapeKind.CLASS or not isinstance(target, ClassTarget):
            return None
        family = self.models.family(target)
        return target if family is not None and family != "enum" else None

    def _plain(self, taken: Taken, each: _Input, names: dict[str, str]) -> None:
        target = self._class(each.shape)
        if target is not None:
            fields = self.models.fields(target)
            if fields is None:
                taken.complete = False
                return
            for inner in fields:
                if self._is_nested(inner.shape):
                    taken.complete = False
                    continue
                schema = {k: v for k, v in inner.schema.items() if k != "x-always"}
                required = inner.required or each.place == "path"
                taken.parameters = [p for p in taken.parameters if p.key != f"{each.place}.{inner.name}"]
                name = inner.name.replace("_", "-") if each.place == "header" else inner.name
                taken.parameters.append(Parameter(each.place, name, required, schema, inner.place))
            return
        name = each.facets.alias or (each.name.replace("_", "-") if each.place == "header" else each.name)
        schema = self.models.schema(each.shape, each.facets)
        required = each.place == "path" or not each.facets.optional
        taken.parameters.append(
            Parameter(each.place, name, required, schema, each.source, each.facets.deprecated)
        )

    def _is_nested(self, shape: Shape) -> bool:
        return any(self._class(part) is not None for part in shape.members)

    def _body(self, taken: Taken, inputs: list[_Input]) -> None:
        if not inputs:
            return
        required = True if any(not each.facets.optional for each in inputs) else None
        only = inputs[0]
        plain = len(inputs) == 1 and (self._is_body(only.shape))
        schema = self.models.schema(only.shape, only.facets) if plain else self._object(inputs)
        if plain:
            schema = {key: value for key, value in schema.items() if key != "default"}
        taken.bodies.append(Body("application/json", required, schema, only.source))

    def _form(self, taken: Taken, inputs: list[_Input]) -> None:
        if not inputs:
            return
        media_type = _MULTIPART if any(each.place == "file" for each in inputs) else _FORM
        required = True if any(not each.facets.optional for each in inputs) else None
        only = inputs[0]
        if len(inputs) == 1 and self._class(only.shape) is not None:
            schema = self.models.schema(only.shape, replace(only.facets, default=None))
        elif any(self._class(each.shape) is not None for each in inputs):
            schema = unknown("several forms are taken at once")
        else:
            schema = self._object(inputs)
        taken.bodies.append(Body(media_type, required, schema, only.source))

    def _object(self, inputs: list[_Input]) -> Schema:
        properties = {}
        for each in inputs:
            schema = self._file(each.shape) or self.models.schema(each.shape, each.facets)
            properties[each.facets.alias or each.name] = {
                **schema,
                "x-line": each.source.line,
                "x-path": each.source.path,
            }
        required = sorted(each.facets.alias or each.name for each in inputs if not each.facets.optional)
        return normalise({"type": "object", "properties": properties, "required": required})

    def _file(self, shape: Shape) -> Schema | None:
        members = shape.members
        shape = members[0] if len(members) == 1 else shape
        target = shape.target
        if shape.kind is ShapeKind.ARRAY and shape.arguments:
            inner = self._file(shape.arguments[0])
            return {"type": "array", "items": inner} if inner is not None else None
        if isinstance(target, External) and target.name == "UploadedFile":
            return {"type": "string", "format": "binary"}
        return None
