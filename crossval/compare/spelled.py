"""What the patterns of two schemas say of texts: where they differ, which values and which lengths they spell out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crossval.compare.languages import compared, lengths, texts
from crossval.pairs import Difference, Stricter
from graph.facts import Json
from graph.schema_algebra import Schema

_LISTED = re.compile(r"\^?\(?(?:\?:)?([\w-]+(?:\|[\w-]+)+)\)?\$?")
_SHORTHANDS = (("[0-9]", r"\d"), ("[A-Za-z0-9_]", r"\w"), ("[a-zA-Z0-9_]", r"\w"))


def pattern_difference(spec: str, code: str) -> Iterator[Difference]:
    """The difference of two patterns, none where they admit the same texts."""
    if spec == code or _spelling(spec) == _spelling(code):
        return
    order = compared(spec, code)
    if order is None or (order.first_more and order.second_more):
        stricter = Stricter.NEITHER
    elif order.first_more or order.second_more:
        stricter = Stricter.CODE if order.first_more else Stricter.SPEC
    else:
        return
    yield Difference(change="pattern", spec=spec, code=code, stricter=stricter)


def values_of(schema: Schema) -> list[Json] | None:
    """The values that a schema lists, without null."""
    values = schema.get("enum")
    return [value for value in values if value is not None] if isinstance(values, list) else None


def spelled_values(schema: Schema) -> list[Json] | None:
    """The texts that a pattern lists, as `^(asc|desc)$` does; None where it does no such thing."""
    pattern = schema.get("pattern")
    if not isinstance(pattern, str) or schema.get("type") != "string":
        return None
    found = texts(pattern)
    return None if found is None else list(found)


def length_is_spelled(keyword: str, one: Schema, other: Schema) -> bool:
    """Whether a length that only the first schema states is one that the other's pattern demands anyway."""
    bound, pattern = one.get(keyword), other.get("pattern")
    if keyword in other or not isinstance(bound, int) or not isinstance(pattern, str):
        return False
    least, most = lengths(pattern)
    if keyword == "minLength":
        return least >= bound
    return keyword == "maxLength" and most is not None and most <= bound


def _spelling(pattern: str) -> str:
    listed = _LISTED.fullmatch(pattern)
    if listed is not None:
        # `^a|b$` is how some write that a text is one of these.
        return listed.group(1)
    for long, short in _SHORTHANDS:
        pattern = pattern.replace(long, short)
    return re.sub(r"\\([/\-_])", r"\1", pattern).replace("(?:", "(")
