"""Suppressions that silence nothing."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule


@rule(Severity.WARNING, kind=FindingKind.DEFECT)
def unused_suppression(pair: Pair) -> Iterator[Finding]:
    """A suppression names a rule that finds nothing where the suppression stands.

    ## Why it matters
    The disagreement that it excused is gone, or was never there. Left in place, the note would silently excuse
    the next one on these lines.

    ## How to fix
    Delete the rule's name from the suppression, or the whole suppression where it names no other rule. If the
    finding is still there but its evidence has moved, move the suppression to its line.
    """
    return iter(())
