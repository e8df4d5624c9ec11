"""The rule about contracts that break the OpenAPI specification."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule


@rule(Severity.ERROR, kind=FindingKind.DEFECT)
def contract_invalid(pair: Pair) -> Iterator[Finding]:
    """A contract breaks the rules of the OpenAPI specification.

    ## Why it matters
    Tools read such a contract differently or not at all, and what it means is anybody's guess.

    ## How to fix
    Correct the contract at the line that is named.
    """
    yield from ()
