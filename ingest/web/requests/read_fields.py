"""The fields of a request's body as they were read, and the object that they are together."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from graph.facts import Location
from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.constants.constants import Missing
from ingest.web.requests.inner_fields import Inner


class Field(msgspec.Struct, frozen=True):
    """One field of a body: its schema, whether it must be there (None: not known), where it is read, and what is
    taken of it."""

    schema: Schema
    required: bool | None
    place: Location
    inner: Inner | None = None


def field_of(default: object, place: Location, required: bool | None) -> Field:
    """A field of a JSON body of whose values only the default is known."""
    schema = unknown("the type of the field is not said")
    if default is not None and not isinstance(default, Missing):
        schema = {**schema, "default": default}
    return Field(schema, required, place)


def as_texts(fields: dict[str, Field], sent: dict[str, Field]) -> dict[str, Field]:
    """The fields of a JSON body as a form has them, whose values are texts, or may be what is `sent` with it."""
    texts = {}
    for name, found in fields.items():
        kept = {key: value for key, value in found.schema.items() if key in ("default", "x-unchecked")}
        text = found.schema.get("type", "string") == "string" and name not in sent
        texts[name] = found if text else replace(found, schema={**unknown("a form holds texts"), **kept})
    return texts


def taken_too(old: Inner | None, new: Inner | None) -> Inner | None:
    """What several uses take of one field together; nothing where it is a list for one and an object for another."""
    if old is None or new is None:
        return old or new
    names = {**old.names, **{name: needed or old.names.get(name) for name, needed in new.names.items()}}
    return Inner(names, old.many) if old.many is new.many else None


def object_of(fields: dict[str, Field], complete: bool) -> Schema:
    """The object that has these fields, and no others where it is `complete`."""
    if not fields:
        return unknown("which fields the body has cannot be known")
    properties = {name: {**_whole(found), "x-line": found.place.line} for name, found in fields.items()}
    whole: Schema = {"type": "object", "properties": properties}
    required = sorted(name for name, found in fields.items() if found.required)
    if required:
        whole["required"] = required
    if complete:
        whole["x-complete"] = True
    # Whether the rest must be there is not known either: what is not listed as required is no promise.
    return normalise(whole)


def _whole(found: Field) -> Schema:
    """The field's schema with what is taken of it, where nothing else tells its type."""
    schema = _optional(found)
    if found.inner is None or schema.keys() & {"type", "enum"}:
        return schema
    kept = {
        key: value for key, value in schema.items() if key not in ("x-unknown", "x-any-type", "x-unchecked")
    }
    if "required" in schema.get("x-unchecked", ()):
        kept["x-unchecked"] = ["required"]
    names = found.inner.names
    whole = object_of({name: field_of(None, found.place, needed) for name, needed in names.items()}, False)
    return {**kept, **({"type": "array", "items": whole} if found.inner.many else whole)}


def _optional(found: Field) -> Schema:
    """The field's schema; where a default stands for a missing value, nothing requires it."""
    free = found.schema.get("x-unchecked", [])
    if found.required and "required" in free:
        return {**found.schema, "x-unchecked": [each for each in free if each != "required"]}
    return {**found.schema, "x-unchecked": [*free, "required"]} if found.required is False else found.schema
