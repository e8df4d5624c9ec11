"""The schemas of Litestar's own classes for pages of a longer list."""

from __future__ import annotations

from graph.schema_algebra import Schema
from graph.schemas import is_unknown, normalise
from ingest.web.program.shapes import Shape, ShapeKind
from ingest.web.program.targets import External
from ingest.web.schemas.models import Models

_INTEGER: Schema = {"type": "integer", "x-always": True}
_COUNTS = {
    "ClassicPagination": ("page_size", "current_page", "total_pages"),
    "OffsetPagination": ("limit", "offset", "total"),
    "CursorPagination": ("results_per_page",),
}


def page_schema(models: Models, shape: Shape) -> Schema | None:
    """The schema of `OffsetPagination[T]` and its like; None for what is none of them."""
    target = shape.target
    if shape.kind is not ShapeKind.EXTERNAL or not isinstance(target, External) or target.root != "litestar":
        return None
    counts = _COUNTS.get(target.name)
    if counts is None or len(shape.arguments) != (2 if target.name == "CursorPagination" else 1):
        return None
    items = {"type": "array", "items": models.schema(shape.arguments[-1]), "x-always": True}
    properties: dict[str, Schema] = {"items": items, **dict.fromkeys(counts, _INTEGER)}
    if target.name == "CursorPagination":
        properties["cursor"] = {**models.schema(shape.arguments[0]), "x-always": True}
    if any(is_unknown(part) for part in properties.values()):
        return None
    return normalise({"type": "object", "properties": properties})
