"""The rule about feature files that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule


@rule(Severity.ERROR, kind=FindingKind.DEFECT)
def feature_unreadable(pair: Pair) -> Iterator[Finding]:
    """A feature file breaks the Gherkin syntax.

    ## Why it matters
    Its scenarios are neither compared nor tested.

    ## How to fix
    Correct the syntax at the line that is named.
    """
    yield from ()
