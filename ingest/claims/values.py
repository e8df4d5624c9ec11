"""What claims of values share: of whom they speak, and how they are made."""

from __future__ import annotations

import re

from graph.facts import Json
from graph.patterns import pattern
from ingest.claims.claim import Claim, Claimed
from ingest.claims.sentences import Sentence
from ingest.claims.subjects import subject

# "Omitting `model` defaults to `inherit`", "an omitted model defaults to `inherit`".
_OMITTED = pattern(r"(?:omitting\s+|(?:an?\s+|the\s+)?(?:omitted|unspecified|missing)\s+)", re.IGNORECASE)
_OPTIONAL = pattern(r"\s+(?:is|are) (?:optional|required|not required) and$", re.IGNORECASE)


def claimed(
    kind: Claimed,
    sentence: Sentence,
    about: str | None,
    value: Json,
    modality: str,
    negated: bool,
    unit: str = "",
) -> Claim:
    """A claim that a value stands for its subject, in the words of the sentence."""
    return Claim(
        kind=kind,
        subject=about,
        comparator="=",
        value=value,
        unit=unit,
        modality=modality,
        negated=negated,
        condition=sentence.condition,
        words=sentence.words,
        line=sentence.line,
    )


def about_whom(match: re.Match[str]) -> tuple[str | None, bool]:
    """The subject, and whether the words before the verb could be understood."""
    written = match.groupdict().get("subject")
    if not written or not written.strip():
        return None, True
    if written.strip().lower() in (
        "it",
        "this",
        "the value",
        "value",
        "must",
        "the default",
        "and",
        "always",
    ):
        return None, True
    about = subject(_OMITTED.sub("", _OPTIONAL.sub("", written.strip()), count=1))
    return about, about is not None
