"""Numbers and units as prose writes them: spelled out, with thousands separators, in SI and IEC units."""

from __future__ import annotations

import re

import msgspec

from graph.patterns import pattern
from ingest.claims.vocabulary import ONES, STOPS, TENS

_SPELLED: dict[str, float] = {word: value for value, word in enumerate(ONES)}
_SPELLED |= {word: 10 * value for value, word in enumerate(TENS, start=2)}
_SPELLED |= {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_SPELLED |= {f"{tens}-{ONES[one]}": _SPELLED[tens] + one for tens in TENS for one in range(1, 10)}

# Factored, because each expression that holds it has to be compiled: ninety words of two parts are two lists.
_SPELLED_NUMBER = (
    rf"(?:(?:{'|'.join(TENS)})(?:-(?:{'|'.join(ONES[1:10])}))?"
    rf"|{'|'.join(sorted(ONES, key=len, reverse=True))}|hundred|thousand|million)\b"
)
_WITHOUT_GROUPS = str.maketrans("", "", ",_\u00a0\u202f ")
NUMBER = (
    r"(?:-?\d{1,3}(?:[,_\u00a0\u202f ]\d{3})+(?![\d])|-?(?:0|[1-9]\d*)(?:\.\d+)?(?!\d)|"
    rf"{_SPELLED_NUMBER})(?![\w]*\.\d|,\d)"
)
"""A pattern for one number; what looks like a version (`1.2.3`) does not match."""

_BYTES = {"b": 1, "byte": 1}
for _power, _letter in enumerate("kmgt", start=1):
    _BYTES |= {f"{_letter}b": 1000**_power, f"{_letter}ib": 1024**_power}
for _power, _name in enumerate(("kilo", "mega", "giga", "tera"), start=1):
    _BYTES[f"{_name}byte"] = 1000**_power
for _power, _name in enumerate(("kibi", "mebi", "gibi", "tebi"), start=1):
    _BYTES[f"{_name}byte"] = 1024**_power
_SECONDS = {
    **dict.fromkeys(("ms", "msec", "millisecond"), 0.001),
    **dict.fromkeys(("s", "sec", "second"), 1),
    **dict.fromkeys(("min", "minute"), 60),
    **dict.fromkeys(("h", "hr", "hour"), 3600),
    "day": 86400,
    "week": 604800,
}
_NAMES = {
    **dict.fromkeys(("character", "char", "symbol"), "characters"),
    "digit": "digits",
    "letter": "letters",
    **dict.fromkeys(("item", "element", "entry", "entrie"), "items"),
    **dict.fromkeys(("%", "percent", "per cent"), "percent"),
    "time": "times",
}
# "20k characters": behind a number and nothing between; "2 million rows".
_SCALED = pattern(r"k(?=\s|$)|\s(?P<word>thousand|million|billion)\b", re.IGNORECASE)
_SCALES = {"thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}
UNIT = r"(?:\s?%|[\s-]?[A-Za-z][\w'-]*(?:\s[a-z][\w'-]*){0,2})?"
"""A pattern for what may be a unit after a number; `normal_unit` says where it ends."""


class Measured(msgspec.Struct, frozen=True):
    """A value in a normalised unit, and how many characters of the unit's text belong to it."""

    value: float
    unit: str
    length: int


def number(text: str) -> float:
    """The value of a text that NUMBER matches; an int where it is whole."""
    bare = text.strip("` ").lower()
    if bare in _SPELLED:
        return _SPELLED[bare]
    return _whole(float(bare.translate(_WITHOUT_GROUPS)))


def measured(value: float, text: str) -> Measured:
    """A value with the unit that the text after it begins with: `30`, ` minutes at most` is 1800 seconds."""
    if scaled := _SCALED.match(text):
        times = _SCALES[(scaled["word"] or "thousand").lower()]
        more = measured(_whole(value * times), text[scaled.end() :])
        return msgspec.structs.replace(more, length=more.length + scaled.end())
    words: list[str] = []
    length = 0
    for match in re.finditer(r"[\s-]?(%|[A-Za-z][\w'-]*)", text):
        if match.start() != length or match[1].lower() in STOPS or len(words) == 3:
            break
        if words and match[1].endswith(("ing", "ed")):
            break
        words.append(match[1])
        length = match.end()
        if len(words) == 1 and _known(match[1]):
            break
    if not words:
        return Measured(value, "", 0)
    first = words[0]
    bare = first.lower().removesuffix("s") if len(first) > 2 else first.lower()
    if len(words) == 1 and bare in _BYTES and (len(first) > 1):
        return Measured(_whole(value * _BYTES[bare]), "bytes", length)
    if len(words) == 1 and bare in _SECONDS and first != "H":
        return Measured(_whole(value * _SECONDS[bare]), "seconds", length)
    return Measured(value, _NAMES.get(bare, " ".join(words)) if len(words) == 1 else " ".join(words), length)


def _known(word: str) -> bool:
    bare = word.lower().removesuffix("s") if len(word) > 2 else word.lower()
    return (bare in _BYTES and len(word) > 1) or bare in _SECONDS or bare in _NAMES


def _whole(value: float) -> float:
    """An int where the value is whole; rounded to what prose can mean."""
    value = round(value, 9)
    return int(value) if value == int(value) else value
