"""Suppressions of rules that do not exist."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule


@rule(Severity.WARNING, kind=FindingKind.DEFECT)
def suppression_unknown_rule(pair: Pair) -> Iterator[Finding]:
    """A suppression names no rule, or one that does not exist.

    ## Why it matters
    A misspelt suppression silences nothing, while its author believes that the matter is settled.

    ## How to fix
    Name the rule as reports show it, in brackets: `# crossfact: ignore[response-undeclared] reason`. The command
    `crossfact rules` lists all names; families, kinds and globs are not accepted here.
    """
    return iter(())
