"""The rule about acceptance criteria that no code names."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.NOTE, looks_at=Kind.CRITERION, kind=FindingKind.GAP)
def criterion_not_implemented(pair: Pair) -> Iterator[Finding]:
    """Nothing in the code is linked with this acceptance criterion, nor with its story.

    ## Why it matters
    In a project whose code names the criteria that it implements, one that none names was probably forgotten.

    ## How to fix
    Implement it, or name its id where the code already does.
    """
    if pair.place == "implementation":
        yield pair.missing(
            f"No code implements {pair.subject}, as far as ids and links tell",
            hint=f"Name {pair.name} in the docstring or a comment of the code that implements it.",
            aspect="exists",
        )
