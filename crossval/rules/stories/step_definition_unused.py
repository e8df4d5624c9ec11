"""The rule about step definitions that no feature reaches."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.NOTE, looks_at=Kind.CRITERION, kind=FindingKind.GAP)
def step_definition_unused(pair: Pair) -> Iterator[Finding]:
    """No step of any feature reaches this step definition.

    ## Why it matters
    It looks like something that is checked, and nothing runs it.

    ## How to fix
    Delete it, or mend the wording that keeps steps from reaching it.
    """
    if pair.place == "steps" and pair.spec is None:
        yield pair.missing(
            f"No step of any feature reaches the step definition `{pair.name}`",
            hint="Delete it, or mend its wording.",
            aspect="steps",
        )
