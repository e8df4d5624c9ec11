"""The rule about ids that are named and do not exist."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital
from graph.facts import Kind


@rule(Severity.WARNING, looks_at=Kind.CRITERION, kind=FindingKind.DEFECT)
def reference_dangling(pair: Pair) -> Iterator[Finding]:
    """Code or a test names the id of a story or criterion that does not exist.

    ## Why it matters
    What it implements or verifies is gone, renamed or mistyped, so that nobody can follow it.

    ## How to fix
    Name the id that the story or criterion has now, or take the reference out.
    """
    if pair.place == "cites":
        yield pair.missing(
            f"{capital(pair.subject)} names {pair.name}, which is the id of no story or criterion",
            hint="Name an id that exists.",
            aspect="cites",
        )
