"""Which classes read what an object of them is made of: numbers or times out of a text, which so has a form, or what
stands below certain keys."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.generators.functions.calls import Parameter, parameters_of
from engine.generators.functions.constructors import holds_by_itself
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
_RECORD = re.compile(r"(?:\w+\.)*(?:dict|Dict|Mapping)\[str, .*\]")
_HOLDING = frozenset({"__getitem__", "__len__", "__iter__", "__contains__"})
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
    """Raise NoTestError for a class of one text whose objects tell numbers or times, or have a method that parses, and
    for one of a dictionary by texts that is no dictionary itself."""
    required = [each for each in fields if each.required]
    if len(required) == 1 and _RECORD.fullmatch(required[0].annotation or ""):
        if not (_HOLDING & {each.name for each in surface.members(fact)} or holds_by_itself(fact, surface)):
            raise NoTestError(f"which keys the {required[0].name} of a {fact.name} have")
        return
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
