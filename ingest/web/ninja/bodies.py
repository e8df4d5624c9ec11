"""The bodies of Django Ninja: JSON of one argument or several, forms, and files."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from graph.facts import Location
from graph.schema_algebra import Schema, implied, unknown
from graph.schemas import normalise, nullable
from ingest.web.django.columns import LIMITS
from ingest.web.program.shapes import Shape, ShapeKind
from ingest.web.program.targets import ClassTarget, External
from ingest.web.records.operations import Body
from ingest.web.schemas.facets import Facets
from ingest.web.serializers.serializers import SerializerModels

_FORM: Final = "application/x-www-form-urlencoded"
_MULTIPART: Final = "multipart/form-data"


class Input(msgspec.Struct, frozen=True):
    """One argument of a handler: where its value comes from, its type, and what is said about it."""

    name: str
    place: str
    shape: Shape
    facets: Facets
    source: Location
    marked: bool = False
    patched: ClassTarget | None = None


class BodyReader:
    """Makes bodies of the arguments of one program's handlers."""

    def __init__(self, models: SerializerModels) -> None:
        self.models = models

    def sent(self, inputs: list[Input]) -> list[Body]:
        """The body of one argument as it is, or of several by their names; none of none."""
        if not inputs:
            return []
        required = True if any(not each.facets.optional for each in inputs) else None
        only = inputs[0]
        plain = len(inputs) == 1
        required = False if plain and required is None else required
        schema = self.models.schema(only.shape, only.facets) if plain else self._object(inputs)
        if plain:
            schema = {key: value for key, value in schema.items() if key != "default"}
            if only.patched is not None:
                schema = self._patched(only.patched)
            if required is False and "x-unknown" not in schema:
                # `data: Book = None` is told as one that may be null, although it is not annotated so.
                schema = implied(schema, "null")
        return [Body("application/json", required, schema, only.source)]

    def form(self, inputs: list[Input], complete: bool) -> Body:
        """A form: its fields, the files, and what would else be the body, each under its name."""
        media_type = _FORM if all(each.place == "form" for each in inputs) else _MULTIPART
        required = True if any(not each.facets.optional for each in inputs) else None
        only = inputs[0]
        target = self.class_of(only.shape) if len(inputs) == 1 and only.place == "form" else None
        if target is not None and not self._holds_classes(target):
            schema = self.models.schema(only.shape, replace(only.facets, default=None))
        else:
            schema = self._object(inputs) if complete else unknown("more may be taken")
        return Body(media_type, required, schema, only.source)

    def _object(self, inputs: list[Input]) -> Schema:
        """The schema of an object of several inputs; the fields of a class in a form stand beside the others."""
        properties: dict[str, Schema] = {}
        required = []
        for each in inputs:
            place = {"x-line": each.source.line, "x-path": each.source.path}
            target = self.class_of(each.shape) if each.place == "form" else None
            if target is None:
                name = each.facets.alias or each.name
                file = self.file_of(each.shape)
                file = nullable(file) if file is not None and each.shape.nullable else file
                schema = file or self.models.schema(each.shape, each.facets)
                properties[name] = {**schema, **place}
                required += [] if each.facets.optional else [name]
                continue
            fields = self.models.fields(target)
            if fields is None or self._holds_classes(target):
                return unknown("a form is taken whose fields are not known")
            for inner in fields:
                own = {key: value for key, value in inner.schema.items() if key != "x-always"}
                properties[inner.name] = {**own, "x-line": inner.place.line, "x-path": inner.place.path}
                required += [inner.name] if inner.required else []
        return normalise({"type": "object", "properties": properties, "required": sorted(required)})

    def file_of(self, shape: Shape) -> Schema | None:
        """The schema of an uploaded file or several; None for any other type."""
        members = shape.members
        shape = members[0] if len(members) == 1 else shape
        target = shape.target
        if shape.kind is ShapeKind.ARRAY and shape.arguments:
            inner = self.file_of(shape.arguments[0])
            return {"type": "array", "items": inner} if inner is not None else None
        if isinstance(target, External) and target.name == "UploadedFile":
            return {"type": "string", "format": "binary"}
        return None

    def class_of(self, shape: Shape) -> ClassTarget | None:
        """The class of data that a type is, whose fields may be taken one by one."""
        members = shape.members
        target = members[0].target if len(members) == 1 else None
        if members[0].kind is not ShapeKind.CLASS or not isinstance(target, ClassTarget):
            return None
        family = self.models.family(target)
        return target if family is not None and family != "enum" else None

    def is_nested(self, shape: Shape) -> bool:
        """Whether a type is such a class, or may be."""
        return any(self.class_of(part) is not None for part in shape.members)

    def _holds_classes(self, target: ClassTarget) -> bool:
        """Whether some field of a class is of a class itself: in a form, its fields stand beside the others."""
        return any(self.is_nested(inner.shape) for inner in self.models.fields(target) or [])

    def _patched(self, target: ClassTarget) -> Schema:
        """The schema of some of the fields of a class, each of which may be null."""
        fields = self.models.fields(target)
        if fields is None:
            return unknown("the fields of the class are not known")
        properties = {}
        for each in fields:
            # What `Field(…)` demands is not carried over, and what `Annotated` demands is.
            own = {key: value for key, value in each.schema.items() if key not in ("x-always", "default")}
            limits = [key for key in own if key in LIMITS]
            own = implied(own, *limits) if limits else own
            own = own if "x-unknown" in own else nullable(own)
            properties[each.name] = {**own, "x-line": each.place.line, "x-path": each.place.path}
        return normalise({"type": "object", "properties": properties})
