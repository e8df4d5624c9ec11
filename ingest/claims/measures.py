"""Makes the claims of quantity of which number, unit and holder are known."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.patterns import pattern
from ingest.claims.bounds import GOES_ON, OR
from ingest.claims.cases import is_circumstance
from ingest.claims.claim import Claim, Claimed
from ingest.claims.numbers import measured
from ingest.claims.sentences import Sentence
from ingest.claims.subjects import force

ALLOWED = pattern(
    r"(?:is|are|(?:must|should|can|may) be) (?:allowed|permitted|accepted|possible|supported|provided"
    r"|given|present)\b",
    re.IGNORECASE,
)
LENGTH = pattern(r"^(?:long|old|of age|in length|in size|wide|inclusive|in total|each)\b,?\s*", re.IGNORECASE)


def quantity(
    sentence: Sentence,
    about: str | None,
    comparator: str,
    value: float,
    rest: str,
    verb: str,
) -> Claim | None:
    """A claim whose unit begins the rest of the clause; None where what the unit leaves of it is more than a case."""
    size = measured(value, rest)
    if rest[size.length :].lstrip().startswith(": "):
        # What a colon leads to explains.
        return None
    left = LENGTH.sub("", OR.sub("", rest[size.length :].strip(" ,:)")))
    if allowed := ALLOWED.match(left):
        # "At most 3 attempts should be allowed": without a verb before the number, this one says how it is meant.
        verb, left = verb or allowed[0], left[allowed.end() :].strip()
    condition = sentence.condition
    if not GOES_ON.match(left):
        if condition or not is_circumstance(left):
            return None
        condition = left
    modality, negated = force(verb)
    if comparator != "=" and negated:
        modality, negated = ("must" if modality == "must not" else modality), False
    return Claim(
        kind=Claimed.QUANTITY,
        subject=about,
        comparator=comparator,
        value=size.value,
        unit=size.unit,
        modality=modality,
        negated=negated,
        condition=condition,
        words=sentence.words,
        line=sentence.line,
    )


def given(claim: Claim | None) -> Iterator[Claim]:
    """The claim, if there is one."""
    if claim is not None:
        yield claim
