"""Of which type a value is, as its schema tells by itself or by its parts."""

from __future__ import annotations

from crossval.compare.components import split_null
from graph.facts import Json


def kind_of(schema: dict[str, Json]) -> Json:
    """The type of what a schema describes; that of an object is known by its parts, too."""
    plain = split_null(schema)[0]
    parts = [each for each in plain.get("allOf") or () if isinstance(each, dict)]
    if "type" in plain or not ("properties" in plain or parts):
        return plain.get("type")
    return "object" if "properties" in plain else kind_of(parts[0])
