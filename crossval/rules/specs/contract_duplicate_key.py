"""The rule about keys that stand twice in a contract."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule


@rule(Severity.ERROR, kind=FindingKind.DEFECT)
def contract_duplicate_key(pair: Pair) -> Iterator[Finding]:
    """A contract states the same key twice in one place.

    ## Why it matters
    Parsers keep one of the two without a word: an operation or a field that somebody wrote is lost.

    ## How to fix
    Merge the two, or rename one.
    """
    yield from ()
