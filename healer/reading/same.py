"""Says of two source texts or values whether they are one value."""

from __future__ import annotations

from graph.facts import Json
from graph.literals import NO_LITERAL, literal_value


def same_value(one: Json, other: Json) -> bool:
    """Whether two source texts or values say the same value; `1`, `1.0` and `True` are three."""
    return _key(one) == _key(other)


def _key(value: Json) -> tuple[str, str]:
    if isinstance(value, str):
        told = literal_value(value.strip())
        if told is NO_LITERAL:
            return "text", " ".join(value.split()).strip("`")
        value = told
    return type(value).__name__, repr(value)
