"""What the words of a sentence say is set: `sets its status to accepted and the listing's status to sold`."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from planner.contracts.operations import State
from planner.contracts.resources import singular
from planner.stories.acting import Acting

_VALUE = (
    r"(?:state\s+|status\s+)?(?:an?\s+)?"
    r"(?P<value>[`\"“'][\w. -]+[`\"”']|-?\d+(?:\.\d+)?(?![\w.%])|[a-z][\w-]*(?:\s+[a-z]+){0,3}?)"
)
_OWNER = r"(?:(?:its|his|her|their|the)|the\s+(?P<owner>[a-z]+)['’]s|(?=`))"
_FIELD = re.compile(
    rf"(?:(?:set|change|update|put|turn|reset|move|switch)s?\s+)?{_OWNER}\s*`?(?P<field>[a-z_]+)`?\s+"
    r"(?:(?:is|are|becomes?|changes|is set|stays|remains|goes)\s+)?(?:back\s+)?(?:to\s+|as\s+|at\s+)?"
    rf"{_VALUE}(?:\s+again)?",
    re.I,
)
_WHOLE = re.compile(
    r"(?:mark|store|save|leave|make|keep|put|set|move|turn|record)s?\s+(?:it|the\s+(?P<what>[a-z]+))\s+(?:back\s+)?"
    rf"(?:to\s+be\s+|to\s+|as\s+|in\s+|with\s+)?(?:the\s+)?{_VALUE}(?:\s+again)?"
    r"|(?:it|the\s+(?P<noun>[a-z]+))\s+(?:is|becomes?|stays|remains|is\s+(?:marked|set|stored)\s+(?:as|to))\s+"
    r"(?:now\s+)?"
    rf"{_VALUE.replace('value', 'then')}(?:\s+again)?",
    re.I,
)
_GIVES = re.compile(
    rf"(?:give|assign)s?\s+(?:it|the\s+(?P<what>[a-z]+))\s+(?:the|an?)\s+`?(?P<field>[a-z_]+)`?\s+(?:of\s+)?{_VALUE}",
    re.I,
)
_NUMBERED = re.compile(
    r"(?:show|have|has|count|start with|begin with)s?\s+(?:an?\s+)?(?P<number>\d+|no)\s+"
    r"(?P<field>[a-z]+(?:[ _][a-z]+){0,2})",
    re.I,
)
_MARKS = "`\"“”'"
_PARTS = re.compile(r",\s*(?:and\s+|but\s+)?|;\s*|\s+(?:and|but)\s+", re.I)
_BUT = re.compile(r"\b(?:instead of|unless|except|or)\b", re.I)


class Set(msgspec.Struct, frozen=True):
    """What is set: the noun of the thing, the field (empty where only a state is told), the value as written."""

    noun: str
    field: str
    value: str


def set_in(text: str, noun: str, acting: Acting) -> Iterator[Set]:
    """What a text says is set; `noun` is the thing that “it” stands for. Parts of another form are left out."""
    if _BUT.search(text):
        return
    for part in _PARTS.split(text.strip(" ,;")):
        words = part.strip()
        if (match := _FIELD.fullmatch(words)) is not None:
            owner = singular(match["owner"].lower()) if match["owner"] else noun
            value = _value(match["value"], owner, acting)
            if value and acting.is_thing(owner):
                yield Set(owner, match["field"], value)
        elif (match := _GIVES.fullmatch(words)) is not None:
            owner = singular(match["what"].lower()) if match["what"] else noun
            if acting.is_thing(owner) and (value := _value(match["value"], owner, acting)):
                yield Set(owner, match["field"], value)
        elif (match := _NUMBERED.fullmatch(words)) is not None and acting.is_thing(noun):
            yield Set(noun, match["field"], "0" if match["number"].lower() == "no" else match["number"])
        elif (match := _WHOLE.fullmatch(words)) is not None:
            said = match["what"] or match["noun"]
            owner = singular(said.lower()) if said else noun
            state = acting.standing(owner, (match["value"] or match["then"]).strip(_MARKS))
            if state is not None:
                yield _as_set(owner, state)


def _as_set(noun: str, state: State) -> Set:
    """A state as what is set: a flag by its field, a word alone."""
    if isinstance(state.value, bool):
        return Set(noun, state.field, str(state.value).lower())
    return Set(noun, "", f'"{state.value}"')


def _value(told: str, noun: str, acting: Acting) -> str:
    """A value as a step has it: in quotes where it is a word for how a thing stands, else as it is written."""
    bare = told.strip(_MARKS)
    if bare != told:
        return f'"{bare}"'
    state = acting.standing(noun, bare)
    if state is not None and isinstance(state.value, str):
        return f'"{state.value}"'
    return bare if re.fullmatch(r"-?\d+(?:\.\d+)?|true|false", bare) else ""
