"""The types that a schema in normal form names, and the one that a value has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graph.facts import Json


def type_of_names(names: Iterable[str]) -> str | list[str]:
    """The `type` keyword for these names: sorted, a single one as a string, `integer` within `number`."""
    distinct = set(names)
    if "number" in distinct:
        distinct.discard("integer")
    ordered = sorted(distinct)
    return ordered[0] if len(ordered) == 1 else ordered


def types_of(schema: Mapping[str, Json]) -> set[str]:
    """The names of the types that a schema admits by its `type`, none where it has no such keyword."""
    named = schema.get("type", [])
    return set(named) if isinstance(named, list) else {named}


def type_of(value: Json) -> str:
    """The name of the narrowest type that a value has: a number without a fraction is an integer."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "integer" if value.is_integer() else "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def admits(types: set[str], value: Json) -> bool:
    """Whether a value has one of these types; a number may be an integer."""
    name = type_of(value)
    return name in types or (name == "integer" and "number" in types)


def common_types(first: Mapping[str, Json], second: Mapping[str, Json]) -> set[str]:
    """The types that both schemas admit: of numbers and integers, integers."""
    one, other = types_of(first), types_of(second)
    common = one & other
    if "integer" in one | other and "number" in one | other:
        common.add("integer")
    return common
