"""The rule about stories without acceptance criteria."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital
from graph.facts import Kind


@rule(Severity.NOTE, looks_at=Kind.CRITERION, kind=FindingKind.GAP)
def story_without_criteria(pair: Pair) -> Iterator[Finding]:
    """A story has no acceptance criteria, though others on its page have some.

    ## Why it matters
    Nobody can tell when it is done, and no test can be derived from it.

    ## How to fix
    Write down what must hold when the story is done.
    """
    if pair.place == "criteria":
        yield pair.missing(
            f"{capital(pair.subject)} has no acceptance criteria",
            hint="Write down what must hold when it is done.",
        )
