"""The words of a criterion, and whether a value stands in them: what a model expects has to come from somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from graph.facts import Fact, Json

_WORD = re.compile(r"[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*")
_REFUSAL = re.compile(
    r"\b(?:refus|reject|fail|error|invalid|not|cannot|can't|never|unknown|missing|without|must|only|forbid|den[iy]"
    r"|rais|4\d\d)",
    re.IGNORECASE,
)
_NUMBERS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def words_of(criterion: Fact) -> str:
    """The words of a criterion: its steps, else its text."""
    aspects = criterion.aspects
    steps = [str(step) for side in ("given", "when", "then") for step in aspects.get(side) or ()]
    return "\n".join(steps) or str(aspects.get("text") or criterion.name)


def tells_refusal(words: str) -> bool:
    """Whether words speak of something that does not succeed."""
    return _REFUSAL.search(words) is not None


def leaves(value: Json) -> Iterator[Json]:
    """The plain values within lists and objects."""
    if isinstance(value, dict):
        for each in value.values():
            yield from leaves(each)
    elif isinstance(value, list):
        for each in value:
            yield from leaves(each)
    else:
        yield value


def unnamed(value: Json, words: str, given: Iterable[Json] = ()) -> list[Json]:
    """The plain values within a value that neither the words nor what is `given` name, in their order."""
    known = {str(each) for each in given} | set(_WORD.findall(words))
    known |= {str(number) for number, word in enumerate(_NUMBERS) if word in {each.lower() for each in known}}
    return [each for each in leaves(value) if not _is_named(each, known, words)]


def _is_named(value: Json, known: set[str], words: str) -> bool:
    if isinstance(value, bool) or value is None:
        return str(value) in known or str(value).lower() in words.lower()
    if isinstance(value, float) and value.is_integer() and str(int(value)) in known:
        return True
    return str(value) in known or (isinstance(value, str) and value != "" and value in words)
