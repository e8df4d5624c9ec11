"""The rule about steps of scenarios that no step definition takes."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital
from graph.facts import Kind


@rule(Severity.WARNING, looks_at=Kind.CRITERION, kind=FindingKind.GAP)
def step_undefined(pair: Pair) -> Iterator[Finding]:
    """No step definition takes this step of a scenario.

    ## Why it matters
    The scenario cannot run, and some runners pass over it in silence.

    ## How to fix
    Write the step definition, or word the step as the definition has it.
    """
    if pair.place == "steps" and pair.spec is not None:
        yield pair.missing(
            f"{capital(pair.subject)} has the step `{pair.name}`, which no step definition takes",
            hint="Write a step definition for it.",
            aspect="steps",
        )
