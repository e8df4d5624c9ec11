"""What belongs together by its names, which no schema tells: what begins before it ends, a password said twice."""

from __future__ import annotations

import re
from typing import Any

from crossval.compare.components import split_null
from engine.generators.values.days import TO_COME, later
from graph.facts import Json
from planner.contracts.resolving import EXAMPLE
from planner.contracts.violations import keeps

_PAIRS = (
    ("start", "end"), ("starts", "ends"), ("started", "ended"), ("begin", "end"), ("begins", "ends"), ("from", "to"),
    ("from", "until"), ("since", "until"), ("min", "max"), ("minimum", "maximum"), ("low", "high"), ("lower", "upper"),
    ("opens", "closes"), ("open", "close"), ("opening", "closing"), ("in", "out"), ("checkin", "checkout"),
    ("departure", "arrival"), ("arrival", "departure"), ("pickup", "dropoff"), ("first", "last"), ("issued", "expires"),
)  # fmt: skip
# Who travels departs and then arrives, a guest arrives and then departs: what is declared first is meant.
_EITHER = frozenset({("departure", "arrival"), ("arrival", "departure")})
_DAYS = frozenset({"date", "date-time"})
_LATER = {"time": "14:45:00Z"}
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_PASSWORD = re.compile(r"(?i)^(?:new_?)?password1?$")
_REPEATED = re.compile(
    r"(?i)^(?:(?:confirm(?:ed|ation)?|re|re_?type|repeat(?:ed)?|verify)_?(?:new_?)?password"
    r"|(?:new_?)?password_?(?:2|confirm(?:ed|ation)?|again|repeat(?:ed)?))$"
)
_TOLD = frozenset({EXAMPLE, "default", "enum", "const"})


def in_order(body: Json, fields: dict[str, Json]) -> Json:
    """The object with a later or larger value of each field that ends what another begins, where it was no later.

    Of two days whose names do not tell, the one that is declared first begins. A password that is to be repeated is the
    same.
    """
    if not isinstance(body, dict):
        return body
    changed: dict[str, Any] = dict(body)
    pairs = [(first, last) for first in body for last in body if _belong(first, last, [*fields])]
    for first, last in pairs or _days(body, fields):
        if not _TOLD & set(fields.get(last, {})):
            changed[last] = _after(body[first], body[last], split_null(fields.get(last, {}))[0])
    passwords = [name for name in body if _PASSWORD.search(name)]
    for name in body if len(passwords) == 1 else ():
        if _REPEATED.search(name) and not _TOLD & set(fields.get(name, {})):
            changed[name] = changed[passwords[0]]
    return changed


def _belong(first: str, last: str, declared: list[str]) -> bool:
    """Whether the names are the same but for one word, which begins in the first what it ends in the last."""
    ours, theirs = ([word.lower() for word in _WORDS.findall(name)] for name in (first, last))
    if len(ours) != len(theirs):
        return False
    differing = [(one, other) for one, other in zip(ours, theirs, strict=True) if one != other]
    if len(differing) != 1 or differing[0] not in _PAIRS:
        return False
    is_turned = first in declared and last in declared and declared.index(first) > declared.index(last)
    return not (differing[0] in _EITHER and is_turned)


def _days(body: dict[str, Any], fields: dict[str, Json]) -> list[tuple[str, str]]:
    """The only two days of a body, in the order in which they are declared."""
    formats = {name: split_null(each)[0].get("format") for name, each in fields.items() if name in body}
    days = [name for name, each in formats.items() if each in _DAYS]
    return [(days[0], days[1])] if len(days) == 2 and formats[days[0]] == formats[days[1]] else []


def _after(first: Json, last: Json, schema: dict[str, Json]) -> Json:
    if isinstance(first, str) and isinstance(last, str) and first >= last:
        if (clock := _LATER.get(str(schema.get("format")))) is not None:
            return clock if clock > first else last
        after = later(first, 2) if schema.get("format") in TO_COME else None
        return after if after is not None and keeps(schema, after) else last
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in (first, last))
    if not numbers or first < last:
        return last
    steps = [each for each in (1, schema.get("multipleOf")) if isinstance(each, int | float) and each > 0]
    return next((first + each for each in steps if keeps(schema, first + each)), last)
