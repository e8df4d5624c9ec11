"""What a request must hold by a marshmallow schema: parameters of one place, or a body."""

from __future__ import annotations

from graph.facts import Location
from graph.schema_algebra import Schema, unknown
from ingest.web.marshmallow.schemas import Marshmallow
from ingest.web.marshmallow.uses import Use
from ingest.web.records.operations import Body, Parameter

_PLACES = {
    "query": "query",
    "querystring": "query",
    "header": "header",
    "headers": "header",
    "cookie": "cookie",
    "cookies": "cookie",
    "path": "path",
    "view_args": "path",
}
_MARKS = frozenset({"x-always", "writeOnly"})


def parameters_of(
    marshmallow: Marshmallow, use: Use | None, location: str | None, place: Location
) -> list[Parameter] | None:
    """A parameter for each field that requests may hold; None where these cannot be known."""
    fields = marshmallow.fields(use) if use is not None else None
    where = _PLACES.get(location or "")
    if fields is None or where is None:
        return None
    return [
        Parameter(
            where,
            field.name,
            field.required or where == "path",
            {key: value for key, value in field.schema.items() if key not in _MARKS and key != "deprecated"},
            field.place if field.place.path == place.path else place,
            field.schema.get("deprecated") is True,
        )
        for field in fields
        if field.loaded
    ]


def body_of(
    marshmallow: Marshmallow, use: Use | None, media_type: str, required: bool | None, place: Location
) -> Body:
    """The body that a schema describes."""
    schema: Schema = (
        marshmallow.schema(use) if use is not None else unknown("the schema of the body is not known")
    )
    return Body(media_type, required, schema, place)


def joined(bodies: list[Body], body: Body) -> list[Body]:
    """The bodies with one more; a form and its files come together as one."""
    if not bodies:
        return [body]
    if all(other.media_type == "application/json" for other in [*bodies, body]):
        return [body]
    required = True if any(other.required for other in [*bodies, body]) else body.required
    schema = unknown("several schemas describe the body together")
    return [Body("multipart/form-data", required, schema, bodies[0].source)]
