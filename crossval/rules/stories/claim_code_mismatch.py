"""The rule about claims of prose that the code contradicts."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.claim_findings import contradicted
from crossval.compare.claims import ClaimPair
from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.CRITERION)
def claim_code_mismatch(pair: Pair) -> Iterator[Finding]:
    """A story or a docstring claims one thing, and the code does another.

    ## Why it matters
    What was promised to people is not what they get.

    ## How to fix
    Change the code, or correct what the story or docstring says.
    """
    if isinstance(pair, ClaimPair) and pair.against == "code":
        hint = "Change the code, or what is claimed."
        other = (
            f"the code has {pair.stated}"
            if pair.subject.startswith("function ")
            else f"{pair.target} has {pair.stated} in the code"
        )
        yield contradicted(pair, other, hint)
