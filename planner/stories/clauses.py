"""What a clause says of a thing, as a field of it and the value: `has 14 litres free`, `is no longer loaded`.

A number is of the field that has its words, counting or not (`3 boats` of `boat_count`); a flag is one that has all
the words; a word in quotes or capitals is of the field named in front of it, or alone a choice of one field.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from crossval.compare.claims import words as words_of
from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.resources import singular
from planner.stories.amounts import has_cents
from planner.stories.step_words import choices

Fields = Mapping[str, dict[str, Json]]

_SUBJECT = re.compile(
    r"(?:the\s+(?P<noun>[a-z]+)(?:\s+[\"“](?P<name>[^\"”]+)[\"”])?|[\"“](?P<alone>[^\"”]+)[\"”]|(?P<it>it|its))\s+(?P<rest>.+)",
    re.I,
)
_NOTHING = re.compile(r"no\s+(?P<what>[a-z ]+?)\s+(?:is|are)\s+(?:shown|given|set|told|there)", re.I)
_ADVERBS = re.compile(
    r"\b(?:still|now|then|also|already|currently|(?:marked|shown|listed) as|in total|altogether)\b\s*", re.I
)
_NUMBER = re.compile(r"(?<![\w.\"“-])(?P<number>-?\d+(?:\.\d+)?|no|one)(?![\w.]*\w)", re.I)
_COUNTED = {"no": 0, "one": 1}
_FLAG = re.compile(
    r"(?P<before>(?:[a-z]+\s+)?)(?:is|are|has|have)\s+(?P<not>(?:no longer|not|no)\s+)?(?P<words>[a-z][a-z -]*)",
    re.I,
)
_VALUED = re.compile(
    r"(?:has|shows|is|gets|carries)\s+(?:(?:in|at|of|the|an?)\s+)*(?P<field>(?:[a-z]+\s+){0,3})(?:of\s+|is\s+)?"
    r"(?P<value>[\"“][^\"”]*[\"”]|(?-i:[A-Z][A-Z_]{2,}))",
    re.I,
)
_VOID = re.compile(r"(?:has|shows)\s+(?:no|no longer an?)\s+(?P<what>[a-z ]+)", re.I)
_COUNTING = frozenset({"count", "number", "total", "quantity", "sum"})
_SMALL = frozenset(
    {
        *(
            "a",
            "an",
            "the",
            "of",
            "in",
            "with",
            "and",
            "at",
            "for",
            "to",
            "its",
            "their",
            "only",
            "just",
            "exactly",
        ),
        *("has", "have", "is", "are", "shows", "show", "costs", "cost", "weighs", "counts", "takes", "holds"),
        *("contains", "got", "gets", "reaches", "totals", "there", "more"),
    }
)


class Clause(msgspec.Struct, frozen=True):
    """What is told of which thing: by its noun, its name, or neither for the one that was spoken of last."""

    noun: str
    name: str
    rest: str


def clause_in(step: str) -> Clause | None:
    """The thing that a clause is about, and what it says of it; None where it has no such form."""
    if match := _NOTHING.fullmatch(step):
        return Clause("", "", f"has no {match['what']}")
    match = _SUBJECT.fullmatch(step)
    if match is None:
        return None
    rest = _ADVERBS.sub("", match["rest"]).strip()
    return Clause((match["noun"] or "").lower(), match["name"] or match["alone"] or "", rest)


def told_field(rest: str, fields: Fields) -> tuple[str, Json] | None:
    """The field of which a clause tells, and its value; None where none or several may be meant."""
    plain = {name: split_null(each)[0] for name, each in fields.items()}
    return (
        _valued(rest, plain)
        or _flag(rest, plain)
        or _figure(rest, plain)
        or _void(rest, {name: each for name, each in fields.items() if split_null(each)[1]})
    )


def _figure(rest: str, fields: Fields) -> tuple[str, Json] | None:
    numbers = list(_NUMBER.finditer(rest))
    if len(numbers) != 1 or re.search(r"[\"“]", rest):
        return None
    told = numbers[0]["number"].lower()
    words = _bare(rest.replace(numbers[0][0], " ", 1))
    value = _COUNTED.get(told, float(told) if "." in told else int(told) if told not in _COUNTED else 0)
    kinds = ("integer", "number") if isinstance(value, int) else ("number",)
    typed = {name: _bare(name) for name, each in fields.items() if each.get("type") in kinds}
    same = [name for name, each in typed.items() if each == words and words]
    if len(same) == 1:
        return same[0], value
    within = [name for name, each in typed.items() if words and each and (words < each or each < words)]
    is_sure = len(within) == 1 and not (has_cents(within[0]) and "cent" not in words)
    return (within[0], value) if is_sure and not same and told not in _COUNTED else None


def _flag(rest: str, fields: Fields) -> tuple[str, Json] | None:
    match = _FLAG.fullmatch(rest)
    if match is None:
        return None
    words = _stripped(f"{match['before']}{match['words']}")
    flags = [name for name, each in fields.items() if each.get("type") == "boolean"]
    found = [name for name in flags if words and _stripped(name) == words]
    return (found[0], match["not"] is None) if len(found) == 1 else None


def _valued(rest: str, fields: Fields) -> tuple[str, Json] | None:
    match = _VALUED.fullmatch(rest)
    if match is None:
        return None
    value = match["value"].strip('"“”')
    names = [*words_of(match["field"])]
    texts = {name: each for name, each in fields.items() if each.get("type") == "string"}
    chosen = {
        name: choice
        for name, each in texts.items()
        for choice in choices(each)
        if isinstance(choice, str) and choice.lower() == value.lower()
    }
    found = _ending(names, texts)
    found = [name for name in found if list(words_of(name)) == names] or found
    found = found if names else list(chosen)
    if len(found) != 1 or (choices(texts[found[0]]) and found[0] not in chosen):
        return None
    return found[0], chosen.get(found[0], value)


def _void(rest: str, fields: Fields) -> tuple[str, Json] | None:
    match = _VOID.fullmatch(rest)
    names = [*words_of(match["what"])] if match is not None else []
    found = _ending(names, fields)
    return (found[0], None) if len(found) == 1 else None


def _ending(names: list[str], fields: Fields) -> list[str]:
    """The fields whose names end with these words: `reason` of `closed_reason`."""
    return [name for name in fields if names and list(words_of(name))[-len(names) :] == names]


def _bare(text: str) -> set[str]:
    """The words that say which number is meant, in the singular."""
    words = {each for each in words_of(text) if each not in _SMALL}
    return {singular(each) for each in words} - _COUNTING or {singular(each) for each in words}


def _stripped(text: str) -> list[str]:
    """The words of a flag or of what is said of one, in their order."""
    return [each for each in words_of(text) if each not in _SMALL and each != "was"]
