"""Finds the constants of the code that say what a claim limits, and what they hold in the claim's own unit."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from crossval.compare.claims import words
from crossval.link.claims.readings import TAILS
from graph.facts import Fact, Json, Tag

_PRODUCT = re.compile(r"\d[\d_]*(?:\s*\*\s*\d[\d_]*)*")
_DURATION = re.compile(
    r"(?:datetime\.)?timedelta\((?P<unit>weeks|days|hours|minutes|seconds)=(?P<count>\d[\d_]*)\)"
)
_LIMITS = frozenset(
    {"max", "maximum", "min", "minimum", "limit", "length", "number", "of", "count", "num", "allowed"}
)
_ENDS = frozenset(
    {"timeout", "ttl", "expiry", "expire", "expiration", "lifetime", "age", "validity", "duration"}
)
_SECONDS = {
    **dict.fromkeys(("second", "sec"), 1),
    **dict.fromkeys(("minute", "min"), 60),
    **dict.fromkeys(("hour", "hr"), 3600),
    "day": 86_400,
    "week": 604_800,
}
_BYTES = {"byte": 1, "kb": 1000, "mb": 1000**2, "gb": 1000**3, "kib": 1024, "mib": 1024**2, "gib": 1024**3}
# Which attempts count towards a limit goes without saying.
_FAILED = frozenset({"failed", "unsuccessful", "wrong", "invalid", "consecutive"})
_UNCOUNTED = ("percent", "times", "months", "years", "length")


class Constant(NamedTuple):
    """A constant that a claim speaks of, its value as written, and whether that is what is claimed."""

    fact: Fact
    value: int | str
    agrees: bool


def is_constant(fact: Fact) -> bool:
    """Whether an attribute is a module's or class's constant with a whole number or a duration as its value."""
    value = str(fact.aspects.get("value", ""))
    known = _PRODUCT.fullmatch(value) is not None or _DURATION.fullmatch(value) is not None
    return fact.tag is Tag.CODE and fact.name.isupper() and known


def constants(claim: Json, attributes: Iterable[Fact]) -> Iterator[Constant]:
    """The constants whose name says exactly what a quantity limits: `MAX_LOGIN_ATTEMPTS`, `SESSION_TIMEOUT_MINUTES`."""
    unit = claim.get("unit", "")
    subject = frozenset(words(claim.get("subject") or "")) - _LIMITS - TAILS
    if not subject or unit in _UNCOUNTED or claim.get("condition") or claim.get("negated"):
        return
    for fact in attributes:
        text = str(fact.aspects["value"])
        if unit in ("seconds", "bytes"):
            factor = _factor(fact, unit, claim, subject)
        else:
            factor = _counts(fact, unit, claim, subject) and not _DURATION.fullmatch(text)
        if factor:
            held = _value(text) * (1 if _DURATION.fullmatch(text) else factor)
            yield Constant(fact, _shown(text), held in _meant(claim["value"], unit))


def default_constants(claim: Json, attributes: Iterable[Fact]) -> Iterator[Constant]:
    """The constants whose name says exactly of what a claimed default is: `DEFAULT_PAGE_SIZE`."""
    value, unit = claim.get("value"), claim.get("unit", "")
    subject = frozenset(words(claim.get("subject") or "")) - {"default"}
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not subject or not whole or claim.get("condition") or claim.get("negated"):
        return
    for fact in attributes:
        name, text = frozenset(words(fact.name)), str(fact.aspects["value"])
        if "default" not in name or _DURATION.fullmatch(text):
            continue
        told = [_SECONDS[word] for word in name if word in _SECONDS] if unit == "seconds" else [1]
        if unit in ("bytes", "percent") or len(told) != 1 or name - {"default"} - set(_SECONDS) != subject:
            continue
        yield Constant(fact, _shown(text), _value(text) * told[0] == value)


def _counts(fact: Fact, unit: str, claim: Json, subject: frozenset[str]) -> bool:
    """Whether a constant counts what is claimed, its name saying that it is the most or the least."""
    if claim["comparator"] not in (">=", "<="):
        return False
    wanted = {"max", "maximum"} if claim["comparator"] == "<=" else {"min", "minimum"}
    name = frozenset(words(fact.name))
    rest, own = name - _LIMITS - _FAILED, frozenset(words(unit)) - {"character", "item"} - _FAILED
    subject -= _FAILED
    told = "length" in name or "len" in name or unit not in ("characters", "digits", "letters")
    fits = rest == subject or rest == subject | own or (bool(own) and rest == own)
    return bool(name & wanted) and told and fits


def _factor(fact: Fact, unit: str, claim: Json, subject: frozenset[str]) -> int:
    """How many seconds or bytes one of a constant's is, 0 where it is not about the claim's subject or not known."""
    name, text = frozenset(words(fact.name)), str(fact.aspects["value"])
    units = _SECONDS if unit == "seconds" else _BYTES
    told = [units[word] for word in name if word in units]
    if unit == "seconds":
        fits = claim["comparator"] == "=" and name - _LIMITS - _ENDS - set(_SECONDS) == subject
        # Libraries take time-outs in seconds.
        usual = int("timeout" in name or _DURATION.fullmatch(text) is not None)
        fits = fits and bool(told or name & _ENDS)
    else:
        fits = claim["comparator"] == "<=" and name - _LIMITS - {"size"} - set(_BYTES) == subject
        fits = fits and bool(name & {"max", "maximum", "limit"})
        usual = int("size" in name and _value(text) >= 1024)
    return (told[0] if told else usual) if fits and len(told) < 2 else 0


def _meant(value: float, unit: str) -> tuple[float, ...]:
    """What a claimed value may be; whoever says megabytes may mean those of 1,048,576 bytes."""
    powers = range(1, 4) if unit == "bytes" else ()
    return value, *(value / 1000**power * 1024**power for power in powers)


def _value(text: str) -> int:
    if duration := _DURATION.fullmatch(text):
        return int(duration["count"]) * _SECONDS[duration["unit"].removesuffix("s")]
    return math.prod(int(each) for each in re.findall(r"\d[\d_]*", text))


def _shown(text: str) -> int | str:
    bare = text.replace("_", "")
    return int(bare) if bare.isdigit() else text
