"""Reads the claims of a text: the one entrance to the grammar."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from graph.facts import Json
from graph.patterns import pattern
from ingest.claims.answers import outcomes, raised
from ingest.claims.claim import Claim, Claimed
from ingest.claims.defaults import defaults
from ingest.claims.enumerations import enumerations
from ingest.claims.formats import formats
from ingest.claims.joined import parts
from ingest.claims.obligations import required
from ingest.claims.permissions import roles
from ingest.claims.quantities import quantities
from ingest.claims.sentences import Sentence, sentences
from ingest.claims.vocabulary import ONES, TENS

_WORTH = pattern(
    r"at (?:least|most)|(?:no|not) (?:more|less|fewer|longer|larger|greater|shorter|smaller|higher)"
    r"|\bmust\b|\bshall\b|\bshould\b"
    r"|\bmay\b|\bcan(?:not)?\b|default|one of|either|allowed|valid|required|optional|mandatory|rais|throw"
    r"|\b[1-5]\d\d\b|within"
    r"|up to|max|min|between|limit|\bcaps\b|capped|restrict|only|nobody|no one|[<>≤≥]|GET|POST|PUT|PATCH|DELETE|field"
    r"|parameter|header|property"
    r"|UUID|ISO|URL|mail|exactly|consists? of|long\b|expires?|times? out|or (?:more|less|fewer|longer|older|younger)"
    r"|(?:er|re) than|range|positive|exceeding|over \d|\d ?(?:to|–|-) ?\d"
    r"|requires?\b|needs\b|\brole\b|\bretr(?:y|ies|ied)\b|\b(?:is|are) (?:used|assumed|taken|applied)\b|\bit is\b"
    r"|\bafter (?:\S+ ){1,6}(?:attempt|tries|failure|login|password)"
    r"|lasts?\b|\bdue (?:in|after)\b|lifetime|validity|timeout|ttl|\bperiod\b|inactiv|\bidle\b|paginat|per page"
    r"|\d-digit|YYYY"
    r"|\block-?out|\b(?:statuses|priorities|severities|levels|values):|\bstatus [\"'`“]|\w \| \w"
    r"|\bnew \S+ (?:have|has|start|get|receive)",
    re.IGNORECASE,
)


def worth_reading(text: str) -> bool:
    """Whether a text may claim anything: cheap, and never wrong where it says no."""
    return _WORTH.search(text) is not None


def read_claims(
    text: str,
    first_line: int = 1,
    roles_known: Iterable[str] = (),
    worth: re.Pattern[str] | None = None,
    *,
    named: bool = True,
) -> list[Claim]:
    """The claims of a text in the order of its sentences; the text begins on line `first_line` of its file.

    `roles_known` has words for persons which the text's surroundings tell (the roles of stories). With `worth`, only
    sentences in which this pattern is found are looked at, and without `named` not for requests and fields.
    """
    if not (worth or _WORTH).search(text):
        return []
    known = frozenset(role.lower() for role in roles_known)
    found: list[Claim] = []
    for sentence in sentences(text, first_line, worth or _WORTH):
        found += [*(_named(sentence) if named else ()), *_claims(sentence, known)]
    return found


def _named(sentence: Sentence) -> Iterator[Claim]:
    """The requests and fields that a sentence names; not all texts are asked for them, so that they load late."""
    from ingest.claims.fields import fields
    from ingest.claims.requests import requests

    yield from requests(sentence)
    yield from fields(sentence)


def _claims(sentence: Sentence, known: frozenset[str]) -> list[Claim]:
    """The claims of one sentence; of two verbs with one subject, where each of both claims something."""
    halves = [list(_claimed(half, known)) for half in parts(sentence)]
    if halves and all(halves):
        return [claim for half in halves for claim in half]
    return list(_claimed(sentence, known))


def premises(text: str, first_line: int = 1) -> list[Claim]:
    """The claims of a step that is presupposed (`Given`, `When`): only which requests and fields it names."""
    named = (Claimed.REQUEST, Claimed.FIELD)
    return [claim for claim in read_claims(text, first_line) if claim.kind in named]


def as_aspect(claims: Iterable[Claim]) -> dict[str, Json]:
    """The aspect `claims` of a fact, nothing where there are none."""
    entries = [claim.as_json() for claim in claims]
    return {"claims": entries} if entries else {}


def under(claims: Iterable[Claim], condition: str) -> Iterator[Claim]:
    """The claims under a condition, which each of them adds to its own."""
    for claim in claims:
        joined = " and ".join(part for part in (claim.condition, condition) if part)
        yield msgspec.structs.replace(claim, condition=joined)


def _claimed(sentence: Sentence, known: frozenset[str]) -> Iterator[Claim]:
    """What one sentence says of its subject; a kind is looked for only where a word of it stands in the sentence."""
    words = sentence.words if sentence.said in sentence.words else f"{sentence.words}\n{sentence.said}"
    for worth, read in _READERS:
        if worth.search(words):
            yield from read(sentence)
    yield from roles(sentence, known)


_READERS = (
    (
        pattern(
            r"require|mandatory|optional|omit|left|leave|given?|provide|specif|suppl|enter|present|have",
            re.IGNORECASE,
        ),
        required,
    ),
    (
        pattern(
            rf"\d|\b(?:{'|'.join((*ONES, *TENS))}|hundred|thousand|once|twice|negative|positive|empty|blank)\b",
            re.IGNORECASE,
        ),
        quantities,
    ),
    (
        pattern(r"\bof\b|either|values|options|choices|\b(?:be|are)\b|accepts|takes|s:\s", re.IGNORECASE),
        enumerations,
    ),
    (pattern(r"[1-5]\d\d"), outcomes),
    (pattern(r"rais|throw|thrown|fails? with", re.IGNORECASE), raised),
    (pattern(r"default|\bused\b|\bassumed\b|\btaken\b|\bit is\b|\bapplied\b", re.IGNORECASE), defaults),
    (pattern(r"ISO|UUID|UR[IL]|mail|IPv|RFC|YYYY", re.IGNORECASE), formats),
)
