"""Claims of the formats of texts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.patterns import pattern
from ingest.claims.claim import Claim, Claimed
from ingest.claims.sentences import Sentence
from ingest.claims.subjects import MODAL, force
from ingest.claims.values import about_whom, claimed

_FORMATS = (
    (
        "date-time",
        r"ISO[ -]?8601 (?:timestamp|date[ -]?time|date and time|datetime)(?: string)?"
        r"|RFC 3339 (?:timestamp|date-time)",
    ),
    ("date", r"ISO[ -]?8601 date(?: string)?|ISO date|(?:the )?(?:format )?`?YYYY-MM-DD`?(?: format)?"),
    ("email", r"(?:valid )?e-?mail address|valid e-?mail"),
    ("uuid", r"(?:valid |random |version 4 )?UUID(?: ?v?4)?(?: string)?"),
    ("uri", r"(?:valid |absolute |full )?UR[LI]"),
    ("ipv4", r"(?:valid )?IPv4 address"),
    ("ipv6", r"(?:valid )?IPv6 address"),
)
_FORMAT = pattern(
    rf"^(?:(?P<subject>.*?)\s+)?(?P<verb>is|are|{MODAL}(?:\s+not)?\s+be)\s+(?:(?:an?|in|always an?)\s+)?(?:"
    + "|".join(f"(?P<f{index}>{pattern})s?" for index, (_, pattern) in enumerate(_FORMATS))
    + r"|(?P<iso>in ISO[ -]?8601 format|ISO[ -]?8601 format))$",
    re.IGNORECASE,
)


def formats(sentence: Sentence) -> Iterator[Claim]:
    """The formats of texts that a sentence claims."""
    match = _FORMAT.match(sentence.said)
    if match is None:
        return
    about, known = about_whom(match)
    if not known or (about is None and not re.match(MODAL, match["verb"], re.IGNORECASE)):
        return
    name = next((name for index, (name, _) in enumerate(_FORMATS) if match[f"f{index}"]), "date-time")
    modality, negated = force(match["verb"])
    yield claimed(Claimed.FORMAT, sentence, about, name, modality, negated)
