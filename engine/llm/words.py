"""The words of a criterion, and whether a value stands in them: what a model expects has to come from somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from graph.facts import Fact, Json

_WORD = re.compile(r"[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*")
_QUOTED = re.compile(r""""([^"]+)"|`([^`]+)`|“([^”]+)”|(?<!\w)'([^']+)'(?!\w)""")
_NAME = re.compile(r"[A-Z][\w-]*(?: [A-Z][\w-]*)+")
_REFUSAL = re.compile(
    r"\b(?:refus|reject|fail|error|invalid|not|cannot|can't|never|unknown|missing|without|must|only|forbid|den[iy]"
    r"|rais|4\d\d)",
    re.IGNORECASE,
)
_NUMBERS = [
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
]
_INSIDE = re.compile(r"(?<=[a-z,;:] )[A-Z][\w-]*(?: [A-Z][\w-]*)*")


def words_of(criterion: Fact) -> str:
    """The words of a criterion: its steps, else its text."""
    aspects = criterion.aspects
    steps = [str(step) for side in ("given", "when", "then") for step in aspects.get(side) or ()]
    return "\n".join(steps) or str(aspects.get("text") or criterion.name)


def texts_in(words: str) -> list[str]:
    """What of some words may be meant as a text: what stands in quotes and names of several words, else each word."""
    quoted = [next(filter(None, found)) for found in _QUOTED.findall(words)]
    rest = _QUOTED.sub(" ", words)
    return list(dict.fromkeys([*quoted, *_NAME.findall(rest), *([] if quoted else _WORD.findall(rest))]))


def numbers_in(words: str) -> list[int | float]:
    """The numbers in some words, in digits or spelled, in their order."""
    found: list[int | float] = []
    for word in re.findall(r"-?\d+(?:\.\d+)?|[a-z]+", words.lower()):
        if word in _NUMBERS:
            found.append(_NUMBERS.index(word))
        elif not word.isalpha():
            found.append(float(word) if "." in word else int(word))
    return list(dict.fromkeys(found))


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


def unread(words: str, used: Iterable[Json], names: Iterable[str] = ()) -> list[str]:
    """The values of some words that are neither used nor within one of these names: who reads the words left them out.

    Values are what stands in quotes, numbers in digits, and names within a sentence.
    """
    quoted = [next(filter(None, found)) for found in _QUOTED.findall(words)]
    rest = _QUOTED.sub(" ", words)
    told = [*quoted, *re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?!\w)", rest), *_INSIDE.findall(rest)]
    known = [str(each) for each in used] + list(names)
    return [each for each in dict.fromkeys(told) if not any(each in one for one in known)]


def without(words: str, values: Iterable[Json]) -> str:
    """Words without the first place of each value, which can then not be named by that place again."""
    for value in sorted(map(str, values), key=len, reverse=True):
        words = words.replace(value, " ", 1)
    return words


def unnamed(value: Json, words: str, given: Iterable[Json] = ()) -> list[Json]:
    """The plain values within a value that neither the words nor what is `given` name, in their order."""
    known = {str(each) for each in given} | set(_WORD.findall(words))
    known |= {str(number) for number in numbers_in(words)}
    return [each for each in leaves(value) if not _is_named(each, known, words)]


def _is_named(value: Json, known: set[str], words: str) -> bool:
    if isinstance(value, bool) or value is None:
        return str(value) in known or str(value).lower() in words.lower()
    if isinstance(value, float) and value.is_integer() and str(int(value)) in known:
        return True
    return str(value) in known or (isinstance(value, str) and value != "" and value in words)
