"""Sentences that say two things of one subject: "must be given and is at most 60 characters long"."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from graph.patterns import pattern
from ingest.claims.sentences import Sentence
from ingest.claims.subjects import MODAL

_VERB = (
    rf"(?:{MODAL}|is|are|has|have|defaults?|consists?|contains?|returns?|responds?|answers?|gives?|raises?|throws?"
    r"|fails?|expires?|ranges?|accepts?|takes?|allows?|requires?|holds?|expects?)\b"
)
_AND = pattern(rf"\s+and\s+(?:also\s+)?(?={_VERB})", re.IGNORECASE, only_with=" and ")
_MOST = 3
_SUBJECT = pattern(rf"^(?P<subject>\S+(?:\s+\S+){{0,4}}?)\s+{_VERB}", re.IGNORECASE)


def parts(sentence: Sentence) -> Iterator[Sentence]:
    """The parts of a sentence with two verbs or more, each with the subject; nothing of any other sentence.

    Nothing of one with a case either, which may be that of one part alone.
    """
    first, *others = _AND.split(sentence.said)
    if not 1 <= len(others) <= _MOST or sentence.condition:
        return
    found = _SUBJECT.match(first)
    if found is None:
        return
    for said in (first, *(f"{found['subject']} {other}" for other in others)):
        yield msgspec.structs.replace(sentence, said=said)
