"""The properties that a serializer's fields make: what requests must have, what answers always hold, and defaults."""

from __future__ import annotations

import ast

from graph.facts import Location
from graph.schema_algebra import Schema, implied
from graph.schemas import nullable
from ingest.web.constants.constants import MISSING, Constant, Missing, constant
from ingest.web.django.columns import with_null
from ingest.web.program.calls import argument
from ingest.web.program.shapes import ANY
from ingest.web.program.targets import ClassTarget
from ingest.web.schemas.facets import Facets
from ingest.web.schemas.model_fields import ModelField
from ingest.web.serializers.fields import READ_ONLY
from ingest.web.serializers.preset_options import with_presets
from ingest.web.serializers.reading import SerializerReading
from ingest.web.syntax.scopes import Scope


def declared(
    models: SerializerReading,
    name: str,
    call: ast.Call,
    scope: Scope,
    owner: ClassTarget | None,
    always: bool = False,
) -> ModelField | None:
    """The property that a declared field makes; None for one that is never read or written."""
    call = with_presets(models.program, call, scope)
    kind = models.reader.kind(call, scope)
    if kind == "HiddenField":
        return None
    given = models.reader.given
    schema = models.reader.value(call, scope, name, owner)
    read_only = kind in READ_ONLY or given(call, scope, "read_only") is True
    required = given(call, scope, "required")
    default = argument(call, None, "default")
    made = models.program.resolve(call.func, scope)
    if isinstance(made, ClassTarget) and models.tables.is_extended(made) and not models.is_serializer(made):
        # An extension of drf-spectacular may leave the field out.
        place = models.program.place(call, scope)
        return ModelField(name, name, implied(schema, "required"), False, ANY, Facets(), place)
    demanded = not read_only and default is None and required is not False
    chosen = isinstance(required, Missing) and argument(call, None, "required") is not None
    if chosen or (argument(call, None, "read_only") and isinstance(given(call, scope, "read_only"), Missing)):
        # The settings decide, or whatever else is not constant.
        schema = implied(schema, "required")
        demanded = False
    if argument(call, None, "allow_null") and isinstance(given(call, scope, "allow_null"), Missing):
        schema = implied(schema, "null")
    if "$ref" in (inner := schema.get("items", schema)) and models.is_one_sided(inner):
        # Where contracts have classes of their own for requests, this one has no properties on one side.
        schema = {**schema, "x-hidden": True}
    if given(call, scope, "allow_null") is True:
        schema = _or_null(schema, kind)
    return property_of(
        name,
        schema,
        models.program.place(call, scope),
        required=demanded,
        read_only=read_only,
        write_only=given(call, scope, "write_only") is True,
        always=always or demanded or chosen or read_only or default is not None,
        default=constant(models.program, default, scope) if default is not None else MISSING,
    )


def _or_null(schema: Schema, kind: str) -> Schema:
    """A schema that allows null; of a relation to many, it is each of them that may be null (`many=True`)."""
    items = schema.get("items")
    if kind.endswith("RelatedField") and isinstance(items, dict):
        return {**schema, "items": _or_null(items, "")}
    return with_null(schema) if "$ref" not in schema else nullable(schema)


def property_of(
    name: str,
    schema: Schema,
    place: Location,
    *,
    required: bool,
    read_only: bool = False,
    write_only: bool = False,
    always: bool = True,
    default: Constant = MISSING,
) -> ModelField:
    """One property with what is said about its direction."""
    found = dict(schema)
    if read_only:
        found["readOnly"] = True
    if write_only:
        found["writeOnly"] = True
    elif always:
        found["x-always"] = True
    if not isinstance(default, Missing) and default is not None:
        plain = found.get("type") == "string" and "format" not in found
        # A text writes its default down as a text.
        found["default"] = str(default) if plain and isinstance(default, int | float) else default
    return ModelField(name, name, found, required or read_only, ANY, Facets(), place)


def direction(schema: Schema) -> Schema:
    """What a property's schema says of the side on which it stands alone."""
    return {key: True for key in ("readOnly", "writeOnly") if schema.get(key)}
