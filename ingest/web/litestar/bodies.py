"""The body that a Litestar handler takes as its argument `data`."""

from __future__ import annotations

from graph.schema_algebra import Schema
from ingest.web.litestar.arguments import Argument
from ingest.web.litestar.names import PACKAGE, SCALARS, media_type_of, option
from ingest.web.litestar.transfer import Transfers
from ingest.web.program.nulls import stands_for_none
from ingest.web.program.program import Program
from ingest.web.program.shapes import Shape, ShapeKind
from ingest.web.program.targets import External, Target
from ingest.web.records.operations import Body
from ingest.web.schemas.models import Models

_BODIES = frozenset({"Body", "MultipartBody", "URLEncodedBody", "MsgPackBody", "JSONBody"})
_UPLOADS = frozenset(name for name in SCALARS if name.endswith(".UploadFile"))
_BODY_TYPES = {
    "MultipartBody": "multipart/form-data",
    "URLEncodedBody": "application/x-www-form-urlencoded",
    "MsgPackBody": "application/x-msgpack",
}


class BodyReader:
    """Reads the bodies of handlers of one program."""

    def __init__(self, program: Program, models: Models) -> None:
        self.program = program
        self.models = models
        self.transfers = Transfers(program, models)

    def read(self, data: Argument, dto: Target | None) -> Body | None:
        """The body that is given as `data`, through a data transfer object where there is one.

        None where its media type is not constant.
        """
        call, scope = data.description(self.program, _BODIES)
        name, shape = "", data.shape
        if shape.kind is ShapeKind.EXTERNAL and isinstance(shape.target, External):
            name = shape.target.name if shape.target.root in PACKAGE else ""
            if name in _BODIES and shape.arguments:
                shape = shape.arguments[0]
        media_type: str | None = _BODY_TYPES.get(name, "application/json")
        written = option(self.program, call, "media_type", None, scope)
        if written is not None:
            media_type = media_type_of(self.program, written)
        if media_type is None:
            return None
        facets = data.facets(self.program)
        schema = _files(shape) or self.models.schema(shape, facets)
        if dto is not None and not stands_for_none(dto):
            schema = self.transfers.schema(shape, dto, sent=True)
        elif dto is None and (rows := self.transfers.of_rows(shape, sent=True)) is not None:
            schema = rows
        required = None if shape.nullable or (data.default is not None and facets.optional) else True
        return Body(media_type, required, schema, data.place)


def _files(shape: Shape) -> Schema | None:
    """The form that is made of files alone: of one by the name `file`, of several by the name `files`."""
    file: Schema = {"type": "string", "format": "binary"}
    if isinstance(shape.target, External) and shape.target.dotted in _UPLOADS:
        return {"type": "object", "properties": {"file": file}}
    inner = (
        shape.arguments[-1]
        if shape.kind in (ShapeKind.ARRAY, ShapeKind.MAPPING) and shape.arguments
        else None
    )
    if inner is not None and isinstance(inner.target, External) and inner.target.dotted in _UPLOADS:
        return {"type": "object", "properties": {"files": {"type": "array", "items": file}}}
    return None
