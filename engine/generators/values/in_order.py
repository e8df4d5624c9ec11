"""What belongs together by its names, which no schema tells: what begins before it ends, a password said twice."""

from __future__ import annotations

import re
from typing import Any

from crossval.compare.components import split_null
from engine.generators.values.violations import keeps
from graph.facts import Json
from planner.contracts.resolving import EXAMPLE

_PAIRS = (
    ("start", "end"), ("starts", "ends"), ("started", "ended"), ("begin", "end"), ("begins", "ends"), ("from", "to"),
    ("from", "until"), ("since", "until"), ("min", "max"), ("minimum", "maximum"), ("low", "high"), ("lower", "upper"),
    ("opens", "closes"), ("open", "close"), ("opening", "closing"), ("in", "out"), ("checkin", "checkout"),
    ("departure", "arrival"), ("pickup", "dropoff"), ("first", "last"), ("issued", "expires"),
)  # fmt: skip
_LATER = {"date": "2026-03-31", "date-time": "2026-03-31T14:45:00Z", "time": "14:45:00Z"}
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_PASSWORD = re.compile(r"(?i)^(?:new_?)?password1?$")
_REPEATED = re.compile(
    r"(?i)^(?:(?:confirm(?:ed|ation)?|re|re_?type|repeat(?:ed)?|verify)_?(?:new_?)?password"
    r"|(?:new_?)?password_?(?:2|confirm(?:ed|ation)?|again|repeat(?:ed)?))$"
)
_TOLD = frozenset({EXAMPLE, "default", "enum", "const"})


def in_order(body: Json, fields: dict[str, Json]) -> Json:
    """The object with a later or larger value of each field that ends what another begins, where it was no later.

    A password that is to be repeated is the same.
    """
    if not isinstance(body, dict):
        return body
    changed: dict[str, Any] = dict(body)
    for first in body:
        for last in body:
            if _belong(first, last) and not _TOLD & set(fields.get(last, {})):
                changed[last] = _after(body[first], body[last], split_null(fields.get(last, {}))[0])
    passwords = [name for name in body if _PASSWORD.search(name)]
    for name in body if len(passwords) == 1 else ():
        if _REPEATED.search(name) and not _TOLD & set(fields.get(name, {})):
            changed[name] = changed[passwords[0]]
    return changed


def _belong(first: str, last: str) -> bool:
    """Whether the names are the same but for one word, which begins in the first what it ends in the last."""
    ours, theirs = ([word.lower() for word in _WORDS.findall(name)] for name in (first, last))
    if len(ours) != len(theirs):
        return False
    differing = [(one, other) for one, other in zip(ours, theirs, strict=True) if one != other]
    return len(differing) == 1 and differing[0] in _PAIRS


def _after(first: Json, last: Json, schema: dict[str, Json]) -> Json:
    if isinstance(first, str) and isinstance(last, str) and first >= last:
        later = _LATER.get(str(schema.get("format")))
        return later if later is not None and later > first else last
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in (first, last))
    if not numbers or first < last:
        return last
    steps = [each for each in (1, schema.get("multipleOf")) if isinstance(each, int | float) and each > 0]
    return next((first + each for each in steps if keeps(schema, first + each)), last)
