"""In which order a sentence says that things are listed."""

from __future__ import annotations

import re

from crossval.compare.claims import words
from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.things import Thing
from planner.contracts.verbs import stem
from planner.stories.starting import labelled

_AGE = re.compile(r"\b(?P<which>oldest|newest|most recent|youngest)\b.*\bfirst\b", re.I)
_TIME = re.compile(r"\b(?P<which>earliest|latest)\b.*\bfirst\b", re.I)
_AS_MADE = re.compile(
    r"\bin the (?:same )?order (?:in which|that) they (?:were|are|have been) "
    r"(?:made|created|added|written|posted|placed|sent|entered|inserted|recorded)\b"
    r"|\bin (?:the )?order of (?:their )?(?:creation|insertion|entry)\b|\bin chronological order\b",
    re.I,
)
_BY = re.compile(
    r"\b(?P<how>sorted|ordered|order|sort|listed|shown)\s+(?:\w+\s+){0,2}?by\s+(?:the\s+|their\s+|its\s+)?(?P<what>.+)",
    re.I,
)
_ORDER = re.compile(r"\bfirst\b|\ba\s?(?:to|[-–])\s?z\b|\b(?:a|de)scending\b|\balphabetical", re.I)
_SOMETIMES = re.compile(r"\b(?:if|when|may|can|could|optionally)\b", re.I)
_ELSE = re.compile(r"\b(?:unless|except|but)\b", re.I)
_DOWN = re.compile(
    r"\b(?:descending|reverse|highest|largest|biggest|longest|dearest|most expensive|newest|latest)\b", re.I
)
_WHEN = re.compile(r"(?:day|date|time|moment)\s+(?:on|at|in)\s+which\s+(?:they|it)\s+(?P<doing>[a-z]+)", re.I)
_MOMENTS = frozenset({"date", "date-time"})


def told_order(text: str, thing: Thing) -> dict[str, Json] | None:
    """Whether the newest comes first, and `by` which field; None where a text tells no order, or not surely which.

    The oldest is what was made first; the earliest what has the earliest date or time, where things are given one.
    """
    if match := _AGE.search(text):
        return {"newest": match["which"].lower() != "oldest"}
    if _AS_MADE.search(text) and not _SOMETIMES.search(text):
        return {"newest": False}
    moments = [name for name, each in _comparable(thing).items() if each.get("format") in _MOMENTS]
    if match := _TIME.search(text):
        newest = match["which"].lower() == "latest"
        told = _BY.search(text)
        named = [each for each in moments if told is not None and labelled(each).match(told["what"])]
        moments = named or moments
        if not moments:
            return {"newest": newest}
        return {"newest": newest, "by": moments[0]} if len(moments) == 1 else None
    text = _ELSE.split(text, maxsplit=1)[0]
    match = _BY.search(text)
    is_one = match is not None and match["how"].lower() not in ("listed", "shown")
    if match is not None and (is_one or _ORDER.search(match["what"])) and not _SOMETIMES.search(text):
        fields = _comparable(thing)
        named = [name for name in fields if labelled(name).match(match["what"])] or [
            name
            for name, each in fields.items()
            if each.get("format") in _MOMENTS and _tells_when(name, match["what"])
        ]
        if len(named) == 1:
            return {"newest": _DOWN.search(text) is not None, "by": named[0]}
    return None


def _tells_when(name: str, text: str) -> bool:
    """Whether words tell of a field's moment by its verb: `the day on which they start` of `starts_on`."""
    when = _WHEN.match(text)
    return when is not None and stem(words(name)[0]) == stem(when["doing"].lower())


def _comparable(thing: Thing) -> dict[str, dict[str, Json]]:
    """The fields that a thing is given and shows again whose values have an order that everybody means."""
    shown = thing.shown()
    plain = {name: split_null(each)[0] for name, each in thing.given().items() if name in shown}
    return {
        name: each
        for name, each in plain.items()
        if each.get("type") in ("string", "integer", "number") and "enum" not in each
    }
