"""The words and values of a step, and the fields of requests and answers that they are for."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Sequence

import msgspec

from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.resources import singular
from planner.stories.scenarios import UnclearStep

_TOKEN = re.compile(
    r"[\"“']([^\"”']+)[\"”']|(\d{4}-\d\d-\d\d(?:[Tt]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:?\d\d)?)?)(?![\w-])"
    r"|(?<![\w.])(-?\d+(?:\.\d+)?)(?![\w.]*\w)|([A-Za-z][\w’'-]*)"
)
ARTICLES = frozenset({"a", "an", "the", "another", "one", "my", "our", "his", "her", "their", "that", "this"})
FILLERS = frozenset(
    {
        *(
            *ARTICLES,
            "i",
            "we",
            "he",
        ),
        *(
            "she",
            "they",
            "you",
            "it",
            "its",
            "of",
            "in",
            "for",
            "to",
            "with",
            "at",
            "on",
            "by",
            "from",
            "into",
            "and",
        ),
        *(
            "is",
            "are",
            "was",
            "were",
            "has",
            "have",
            "had",
            "been",
            "be",
            "which",
            "who",
            "there",
            "named",
            "called",
        ),
        *("titled", "exists", "exist", "already", "new", "again", "now", "then", "also"),
    }
)
"""Words that say nothing of what is sent."""
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_SURE = re.compile(r"\d{4}-\d\d-\d\d|[A-Z]{2,}(?:_[A-Z]+)*")
"""What is a value though it stands in no quotes: a day, a code in capitals."""


class Token(msgspec.Struct, frozen=True):
    """One word of a step, in small letters, or a value in it: a text in quotes, or a number."""

    text: str
    value: Json = None

    @property
    def is_value(self) -> bool:
        """Whether it is a value, and no word."""
        return self.value is not None


def tokens_of(step: str) -> list[Token]:
    """The words and values of a step, in their order."""
    return [Token(m[1] or m[2] or m[3] or m[4].lower(), _value(m)) for m in _TOKEN.finditer(step)]


def several(tokens: Sequence[Token], nouns: Collection[str]) -> str:
    """The things of which a step says that there are several: `with 3 hives`, which is no value of anything."""
    for one, behind in itertools.pairwise(tokens):
        is_number = isinstance(one.value, int) and not isinstance(one.value, bool)
        if is_number and singular(behind.text) in nouns and singular(behind.text) != behind.text:
            return behind.text
    return ""


def _value(match: re.Match[str]) -> Json:
    if match[1] is not None or match[2] is not None:
        return match[1] or match[2]
    if match[3] is not None:
        return float(match[3]) if "." in match[3] else int(match[3])
    return None


def choices(schema: dict[str, Json]) -> list[Json]:
    """The values that a field may have, where it has few."""
    found = split_null(schema)[0].get("enum", [])
    return found if isinstance(found, list) else []


def told_value(text: str, schema: dict[str, Json], step: str) -> Json:
    """What is told of a field, as its schema has it. Raises UnclearStep for what it cannot be."""
    plain = split_null(schema)[0]
    bare = text.strip("\"“”'")
    if plain.get("type") == "boolean" and bare.lower() in ("true", "false"):
        return bare.lower() == "true"
    if plain.get("type") in ("integer", "number") and _NUMBER.fullmatch(bare):
        return float(bare) if "." in bare else int(bare)
    is_said = bare != text or bare in plain.get("enum", ()) or _SURE.fullmatch(bare) is not None
    if plain.get("type") == "string" and is_said and bare in plain.get("enum", (bare,)):
        return bare
    raise UnclearStep(f"which value is meant by “{step}”")
