"""The rule about contracts that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule


@rule(Severity.ERROR, kind=FindingKind.DEFECT)
def contract_unreadable(pair: Pair) -> Iterator[Finding]:
    """A contract cannot be read at all.

    ## Why it matters
    Nothing in it is compared with the code, so that silence means nothing.

    ## How to fix
    Correct the syntax at the line that is named.
    """
    yield from ()
