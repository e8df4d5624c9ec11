"""Schemas with a name of their own that are no data classes: those of marshmallow, and models made by calls."""

from __future__ import annotations

import msgspec

from graph.facts import Location
from graph.schema_algebra import Schema


class NamedField(msgspec.Struct, frozen=True):
    """One property of a named schema."""

    name: str
    required: bool
    place: Location


class NamedSchema(msgspec.Struct, frozen=True):
    """One schema with its properties; `sources` are all files that it was read from."""

    key: str
    name: str
    place: Location
    schema: Schema
    fields: tuple[NamedField, ...]
    sources: frozenset[str]
