"""The rule about ids that two stories or criteria share."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule


@rule(Severity.ERROR, kind=FindingKind.DEFECT)
def story_id_duplicate(pair: Pair) -> Iterator[Finding]:
    """Two stories or criteria have the same id.

    ## Why it matters
    Tests and findings that cite the id may mean either.

    ## How to fix
    Give one of them another id.
    """
    yield from ()
