"""Splits sentences into conditions and what is required then: `WHEN a vehicle is rented THE SYSTEM SHALL …`.

That is EARS, the Easy Approach to Requirements Syntax (Mavin et al., RE 2009): `WHEN` an event, `WHILE` a state, `IF`
an unwanted one `THEN`, `WHERE` a feature, each in front of `the system shall`. Sentences of the same build without
“shall” are split alike: `When a vehicle is rented, its state becomes rented`, `Renting a vehicle sets its state to …`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

_WORDS = r"when(?:ever)?|while|as long as|if|where|once|after|as soon as|upon|on"
_SYSTEM = (
    r"(?:the|an?|this|our)\s+(?:(?!the\b|an?\b|this\b|our\b)[\w-]+\s+){0,2}?"
    r"(?:system|service|api|application|app|server|backend|platform)"
)
_SHALL = re.compile(
    rf"(?P<before>.*?)\b(?P<subject>{_SYSTEM}|[a-z]+ing\b[^,]*?|it|(?:the|this|that|such an?)\s+(?:request|attempt))\s+"
    r"(?:shall|must|will|should)\s+(?P<response>.+)",
    re.I,
)
_PLAIN = re.compile(
    rf"(?P<before>(?:{_WORDS})\b[^,]+),\s*(?:then\s+)?(?:{_SYSTEM}\s+)?(?P<response>.+)", re.I
)
_DOING = re.compile(
    r"(?P<before>[a-z]+ing\s+[^,;]+?)\s+(?P<response>(?:sets|changes|marks|makes|leaves|moves|puts|turns)\b.+"
    r"|is\s+(?:answered|refused|rejected)\b.+)",
    re.I,
)
_CONDITION = re.compile(rf"(?:^|,?\s+(?:and\s+)?)(?P<word>{_WORDS})\s+", re.I)
_LATER = frozenset({"while", "as long as", "where"})


class Condition(msgspec.Struct, frozen=True):
    """One condition of a sentence; `is_state` says that its word is one for what holds, and not for what happens."""

    words: str
    is_state: bool = False


class Requirement(msgspec.Struct, frozen=True):
    """What a sentence requires under its conditions; `doing` is what is done where that is its subject."""

    conditions: tuple[Condition, ...]
    response: str
    doing: str = ""


def required_in(sentence: str) -> Requirement | None:
    """The conditions of a sentence and what it requires then; None where it is of another build."""
    text = " ".join(sentence.split()).rstrip(".! ")
    if (match := _SHALL.fullmatch(text)) is not None:
        before = re.sub(r",?\s*\bthen\s*$", "", match["before"], flags=re.I).strip(" ,")
        conditions = tuple(_conditions(before))
        if before and not conditions:
            return None
        doing = match["subject"] if match["subject"].lower().split()[0].endswith("ing") else ""
        return Requirement(conditions, match["response"], doing)
    if (match := _PLAIN.fullmatch(text)) is not None:
        return Requirement(tuple(_conditions(match["before"])), match["response"])
    if (match := _DOING.fullmatch(text)) is not None:
        return Requirement((), match["response"], match["before"])
    return None


def _conditions(text: str) -> Iterator[Condition]:
    found = [
        each
        for each in _CONDITION.finditer(text)
        if each["word"].lower() not in ("on", "upon") or "," in each[0] or each.start() == 0
    ]
    if not found or found[0].start() > 0:
        return
    for match, following in zip(found, [*found[1:], None], strict=True):
        words = text[match.end() : following.start() if following is not None else len(text)]
        yield Condition(words.strip(" ,"), match["word"].lower() in _LATER)
