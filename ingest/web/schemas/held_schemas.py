"""Schemas that a library holds the body against: what they leave out is checked by nothing."""

from __future__ import annotations

from graph.schema_algebra import Schema
from ingest.web.syntax.flow_words import BOUNDS

_PAIRS = (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum"))


def held(schema: Schema, needed: bool | None) -> Schema:
    """A field's schema with what its rules surely do not check; `needed` tells whether it must be there, if known.

    Of the form of texts nothing is said: what a handler makes of them is often told by an error of its own.
    """
    free: frozenset[str] = frozenset()
    if isinstance(schema.get("type"), str | list) and "enum" not in schema:
        free = (BOUNDS | {"enum", "pattern"}) - schema.keys()
        for pair in _PAIRS:
            free -= frozenset(pair) if schema.keys() & set(pair) else frozenset()
    free |= {"required"} if needed is False else frozenset()
    return {**schema, "x-unchecked": sorted(free)} if free else schema
