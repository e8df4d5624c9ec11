"""Whether a value keeps a schema, statement by statement, so that each statement can be left unchecked on purpose."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Any
from uuid import UUID

import msgspec

from crossval.compare.components import split_null
from graph.facts import Json

_LONGEST_MATCHED = 2000
_NEAR = 1e-9


class Violation(msgspec.Struct, frozen=True):
    """One statement of a schema that a value does not keep: the place of the value, and the keyword."""

    place: str
    keyword: str


def keeps(schema: dict[str, Json], value: Any) -> bool:
    """Whether a value is as its schema says: an example that breaks its own schema is no example."""
    return next(violations(schema, value, ""), None) is None


def violations(schema: dict[str, Json], value: Any, place: str) -> Iterator[Violation]:
    """The statements that a JSON value breaks. What the schema says of alternatives is taken as a whole."""
    plain, nullable = split_null(schema)
    if value is None and (nullable or plain.get("type") == "null" or not plain):
        return
    alternatives = plain.get("anyOf") or plain.get("oneOf")
    if isinstance(alternatives, list):
        if not any(next(violations(each, value, place), None) is None for each in alternatives):
            yield Violation(place, "type")
        return
    for part in plain.get("allOf", ()):
        yield from violations(part, value, place)
    kinds = plain.get("type")
    if kinds is not None and not any(
        _is(each, value) for each in ([kinds] if isinstance(kinds, str) else kinds)
    ):
        yield Violation(place, "type")
        return
    if isinstance(plain.get("enum"), list) and value not in plain["enum"]:
        yield Violation(place, "enum")
    if isinstance(value, bool):
        return
    if isinstance(value, str):
        yield from _of_text(plain, value, place)
    elif isinstance(value, int | float):
        yield from _of_number(plain, value, place)
    elif isinstance(value, list):
        yield from _of_list(plain, value, place)
    elif isinstance(value, dict):
        yield from _of_object(plain, value, place)


def _is(kind: str, value: Any) -> bool:
    match kind:
        case "string":
            return isinstance(value, str)
        case "integer":
            return isinstance(value, int | float) and not isinstance(value, bool) and value == int(value)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "boolean":
            return isinstance(value, bool)
        case "array":
            return isinstance(value, list)
        case "object":
            return isinstance(value, dict)
    return value is None


def _of_text(schema: dict[str, Json], value: str, place: str) -> Iterator[Violation]:
    if len(value) < schema.get("minLength", 0):
        yield Violation(place, "minLength")
    if len(value) > schema.get("maxLength", len(value)):
        yield Violation(place, "maxLength")
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and len(value) <= _LONGEST_MATCHED and not _matches(pattern, value):
        yield Violation(place, "pattern")
    reader = _FORMATS.get(str(schema.get("format")))
    if reader is not None:
        try:
            reader(value)
        except ValueError:
            yield Violation(place, "format")


def _matches(pattern: str, value: str) -> bool:
    try:
        return re.search(pattern, value) is not None
    except (re.error, RecursionError, OverflowError):
        return True


def _of_number(schema: dict[str, Json], value: float, place: str) -> Iterator[Violation]:
    checks: dict[str, Callable[[Any], bool]] = {
        "minimum": lambda limit: value >= limit,
        "maximum": lambda limit: value <= limit,
        "exclusiveMinimum": lambda limit: value > limit,
        "exclusiveMaximum": lambda limit: value < limit,
    }
    for keyword, holds in checks.items():
        limit = schema.get(keyword)
        if isinstance(limit, int | float) and not isinstance(limit, bool) and not holds(limit):
            yield Violation(place, keyword)
    multiple = schema.get("multipleOf")
    if isinstance(multiple, int | float) and multiple > 0:
        parts = value / multiple
        if abs(parts - round(parts)) > _NEAR:
            yield Violation(place, "multipleOf")


def _of_list(schema: dict[str, Json], value: list[Any], place: str) -> Iterator[Violation]:
    if len(value) < schema.get("minItems", 0):
        yield Violation(place, "minItems")
    if len(value) > schema.get("maxItems", len(value)):
        yield Violation(place, "maxItems")
    if schema.get("uniqueItems") is True and any(each in value[:at] for at, each in enumerate(value)):
        yield Violation(place, "uniqueItems")
    items = schema.get("items")
    if isinstance(items, dict):
        for each in value:
            yield from violations(items, each, f"{place}[]")


def _of_object(schema: dict[str, Json], value: dict[str, Any], place: str) -> Iterator[Violation]:
    for name in schema.get("required", ()):
        if name not in value:
            yield Violation(f"{place}.{name}", "required")
    for name, each in schema.get("properties", {}).items():
        if name in value:
            yield from violations(each, value[name], f"{place}.{name}")
    if schema.get("additionalProperties") is False:
        for name in value:
            if name not in schema.get("properties", {}):
                yield Violation(f"{place}.{name}", "additionalProperties")


def _email(text: str) -> None:
    if not re.fullmatch(r"[^@\s]+@[^@\s]+", text):
        raise ValueError(text)


def _uri(text: str) -> None:
    if not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:\S", text):
        raise ValueError(text)


_FORMATS: dict[str, Callable[[str], object]] = {
    "date": date.fromisoformat,
    "date-time": datetime.fromisoformat,
    "uuid": UUID,
    "email": _email,
    "uri": _uri,
}
