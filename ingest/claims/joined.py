"""Sentences that say two things of one subject: "must be given and is at most 60 characters long"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.patterns import pattern
from ingest.claims.sentences import Sentence
from ingest.claims.subjects import MODAL

_VERB = (
    rf"(?:{MODAL}|is|are|has|have|defaults?|consists?|contains?|returns?|responds?|answers?|gives?|raises?|throws?"
    r"|fails?|expires?|ranges?|accepts?|takes?|allows?|requires?|holds?|expects?)\b"
)
_AND = pattern(rf"\s+and\s+(?:also\s+)?(?={_VERB})", re.IGNORECASE, only_with=" and ")
_SUBJECT = pattern(rf"^(?P<subject>\S+(?:\s+\S+){{0,4}}?)\s+{_VERB}", re.IGNORECASE)


def parts(sentence: Sentence) -> Iterator[Sentence]:
    """Both halves of a sentence with two verbs, each with the subject; nothing of any other sentence.

    Nothing of one with a case either, which may be that of one half alone.
    """
    halves = _AND.split(sentence.said)
    if len(halves) != 2 or sentence.condition:
        return
    first, second = halves
    found = _SUBJECT.match(first)
    if found is None:
        return
    for said in (first, f"{found['subject']} {second}"):
        yield sentence._replace(said=said)
