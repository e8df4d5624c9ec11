"""The rule about claims of prose that the contract contradicts."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import told_by_spec
from crossval.claim_findings import contradicted
from crossval.compare.claims import ClaimPair
from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.CRITERION)
def claim_contract_mismatch(pair: Pair) -> Iterator[Finding]:
    """A story or a description claims one thing, and the contract states another.

    ## Why it matters
    Whoever builds by the contract does not build what was agreed upon, and both cannot be tested.

    ## How to fix
    Decide which of the two holds, and write it in both places.
    """
    if isinstance(pair, ClaimPair) and pair.against == "contract":
        hint = "Write the same in the story and in the contract."
        yield told_by_spec(contradicted(pair, f"{pair.target} states {pair.stated} in the contract", hint))
