"""Schemas with a name of their own that are no data classes: those of marshmallow, and models made by calls."""

from __future__ import annotations

from dataclasses import dataclass

from graph.facts import Location
from graph.schema_algebra import Schema


@dataclass(frozen=True, slots=True)
class NamedField:
    """One property of a named schema."""

    name: str
    required: bool
    place: Location


@dataclass(frozen=True, slots=True)
class NamedSchema:
    """One schema with its properties; `sources` are all files that it was read from."""

    key: str
    name: str
    place: Location
    schema: Schema
    fields: tuple[NamedField, ...]
    sources: frozenset[str]
