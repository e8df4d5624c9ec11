"""Suppressions that do not say why."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule


@rule(Severity.WARNING, kind=FindingKind.DEFECT)
def suppression_without_reason(pair: Pair) -> Iterator[Finding]:
    """A suppression gives no reason, so it silences nothing.

    ## Why it matters
    Whoever meets the suppression later cannot tell a decision from a shortcut, and nobody dares to remove it.

    ## How to fix
    Write the reason behind the brackets: `# crossfact: ignore[response-undeclared] the gateway answers this`.
    """
    return iter(())
