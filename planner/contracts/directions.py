"""A schema as requests or answers have it: what only answers have is not asked for, and the other way round."""

from __future__ import annotations

from collections.abc import Callable

from graph.facts import Json

_Owned = Callable[[dict[str, Json]], bool]
_EACH = ("items", "additionalProperties")
_SEVERAL = ("anyOf", "allOf", "oneOf", "prefixItems")


def as_sent(schema: dict[str, Json]) -> dict[str, Json]:
    """The schema for a request: what is read only is required of answers alone."""
    return _without(schema, lambda each: each.get("readOnly") is True, is_kept=True)


def as_answered(schema: dict[str, Json]) -> dict[str, Json]:
    """The schema for an answer: what is written only is not there."""
    return _without(schema, lambda each: each.get("writeOnly") is True, is_kept=False)


def _without(schema: dict[str, Json], is_other: _Owned, *, is_kept: bool) -> dict[str, Json]:
    """The schema with the properties of the other direction not required, and left out unless they are kept."""
    changed = dict(schema)
    properties = schema.get("properties")
    if isinstance(properties, dict):
        others = {name for name, each in properties.items() if isinstance(each, dict) and is_other(each)}
        changed["properties"] = {
            name: _without(each, is_other, is_kept=is_kept) if isinstance(each, dict) else each
            for name, each in properties.items()
            if is_kept or name not in others
        }
        if others and isinstance(schema.get("required"), list):
            changed["required"] = [name for name in schema["required"] if name not in others]
    for key in _EACH:
        if isinstance(schema.get(key), dict):
            changed[key] = _without(schema[key], is_other, is_kept=is_kept)
    for key in _SEVERAL:
        if isinstance(schema.get(key), list):
            changed[key] = [
                _without(each, is_other, is_kept=is_kept) if isinstance(each, dict) else each
                for each in schema[key]
            ]
    return changed
