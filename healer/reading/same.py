"""Says of two source texts or values whether they are one value."""

from __future__ import annotations

import ast

from graph.facts import Json


def same_value(one: Json, other: Json) -> bool:
    """Whether two source texts or values say the same value; `1`, `1.0` and `True` are three."""
    return _key(one) == _key(other)


def _key(value: Json) -> tuple[str, str]:
    if isinstance(value, str):
        try:
            value = ast.literal_eval(value.strip())
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            return "text", " ".join(str(value).split()).strip("`")
    return type(value).__name__, repr(value)
