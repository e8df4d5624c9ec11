"""A value that differs from another one, so that a test sees whether a change was kept."""

from __future__ import annotations

import contextlib

from crossval.compare.components import split_null
from engine.generators.values.days import TO_COME, later
from engine.generators.values.named_texts import another_named_text
from engine.generators.values.schema_values import NoValueError, step, valid
from graph.facts import Json
from planner.contracts.resolving import EXAMPLE
from planner.contracts.violations import keeps

_FORMATS: dict[str, str] = {
    "date": "2026-02-28",
    "date-time": "2026-02-28T08:15:00Z",
    "time": "08:15:00Z",
    "duration": "PT2H",
    "email": "author@example.org",
    "uri": "https://example.org/other",
    "url": "https://example.org/other",
    "uuid": "9c1d4f7a-2b3e-4d5c-8f6a-1e2d3c4b5a69",
    "decimal": "2.50",
    "byte": "b3RoZXI=",
}
_LIKE = (int, float)


def other(schema: dict[str, Json], value: Json, name: str = "") -> Json:
    """A value that a schema takes and that is not this one. Raises NoValueError where none is known."""
    plain, nullable = split_null(schema)
    invented = {key: each for key, each in schema.items() if key not in (EXAMPLE, "default")}
    candidates: list[Json] = [*plain.get("enum", ())]
    if isinstance(value, str):
        formed = another_named_text(name, value) if "format" not in plain else None
        candidates += [formed] if formed is not None else _other_texts(plain, value)
    candidates += [plain.get("default"), schema.get(EXAMPLE)]
    with contextlib.suppress(NoValueError):
        candidates.append(valid(invented, name))
    match value:
        case bool():
            candidates.append(not value)
        case int() | float():
            candidates += [value + step(plain), value - step(plain)]
        case dict():
            candidates += _other_objects(plain, value)
        case list():
            candidates += _other_lists(plain, value)
    for each in candidates:
        if each in ({}, []) and value:
            continue  # Where nothing is left, what was there may have been asked for elsewhere.
        is_like = value is None or type(each) in (type(value), *_LIKE)
        if each is not None and each != value and is_like and keeps(schema, each):
            return each
    if nullable and value is not None:
        return None
    raise NoValueError(f"another value for {name or 'the body'}")


def _other_texts(schema: dict[str, Json], value: str) -> list[Json]:
    encoded = "byte" if schema.get("contentEncoding") == "base64" else schema.get("format")
    known = _FORMATS.get(str(encoded))
    if known is not None:
        after = later(value, 28) if known <= value and encoded in TO_COME else None
        return [*([after] if after is not None else []), known]
    ends = [value[:-1] + last for last in ("y", "z", "1", "2", "B", "C")]
    # Blanks at an end may be cut off.
    return [f"Another {value[:1].lower()}{value[1:]}".rstrip(), f"{value}y", *ends]


def _other_lists(schema: dict[str, Json], value: list[Json]) -> list[Json]:
    """The list with another first item."""
    items = schema.get("items")
    if not value or not isinstance(items, dict):
        return []
    try:
        return [[other(items, value[0], "item"), *value[1:]]]
    except NoValueError:
        return []


def _other_objects(schema: dict[str, Json], value: dict[str, Json]) -> list[Json]:
    """The object with its first property that can be another; keys of a caller's own may be named elsewhere, too."""
    if isinstance(schema.get("additionalProperties"), dict) and not schema.get("properties"):
        return []
    for name, each in value.items():
        try:
            return [{**value, name: other(schema.get("properties", {}).get(name, {}), each, name)}]
        except NoValueError:
            continue
    return []
