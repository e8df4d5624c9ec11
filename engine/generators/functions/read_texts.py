"""Which classes read numbers or times out of the text that an object of them is made of, so that it has a form."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.generators.functions.calls import Parameter, parameters_of
from engine.generators.functions.facts import NoTestError, Surface
from engine.generators.functions.told_forms import told_form
from graph.facts import Fact, Kind
from planner.functions.drawn_values import words_of
from planner.functions.effects import MEASURING

_TEXT = re.compile(r"(?:(?:int|float) \| )?(?:str|bytes|AnyStr)(?: \| (?:None|int|float|bytes|str))*")
# What a text is called of which nothing else is said.
_PLAIN = frozenset(
    {"data", "expr", "expression", "line", "raw", "s", "source", "spec", "str", "string", "text", "value"}
)
_READ = re.compile(r"\b(?:int|float|Decimal|Fraction|date|datetime|time|timedelta)\b")
_MEASURES = MEASURING | {
    "height",
    "index",
    "line",
    "lines",
    "number",
    "position",
    "total",
    "weight",
    "width",
    "words",
}


def refuse_read(fact: Fact, fields: Sequence[Parameter], surface: Surface) -> None:
    """Raise NoTestError for a class of one text whose objects tell numbers or times, or have a method that parses."""
    required = [each for each in fields if each.required]
    if len(required) != 1 or not _TEXT.fullmatch(required[0].annotation or ""):
        return
    if words_of(required[0].name)[-1:] and words_of(required[0].name)[-1] not in _PLAIN:
        return
    if told_form(fact, required[0].name, surface):
        return
    given = {each.name for each in fields}
    if any(_is_read(each, given) for each in surface.members(fact)):
        raise NoTestError(f"of which form that is which a {fact.name} is made of")


def _is_read(member: Fact, given: set[str]) -> bool:
    """Whether a member tells what was read, and neither how much that is nor what the object was given."""
    if member.name.startswith("_") or member.name in given or "~" in member.key:
        return False
    if member.kind is Kind.ATTRIBUTE:
        told = str(member.aspects.get("annotation", ""))
    elif member.kind is Kind.FUNCTION and member.aspects.get("kind") in ("method", "property"):
        if member.name == "parse":
            return True
        told = (
            "" if any(each.required for each in parameters_of(member)) else str(member.aspects.get("returns"))
        )
    else:
        return False
    return _READ.search(told) is not None and not set(words_of(member.name)) & _MEASURES
