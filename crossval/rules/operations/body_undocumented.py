"""The rule about request bodies that the contract does not describe."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import judged
from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.BODY)
def body_undocumented(pair: Pair) -> Iterator[Finding]:
    """The code reads a request body that the contract does not describe.

    ## Why it matters
    Where the code requires it, every request that follows the contract fails: an error. Otherwise it is a warning.

    ## How to fix
    Describe the body in the contract, or stop reading it.
    """
    if pair.spec_fact is not None:
        return
    required = any(difference.code is True for difference in pair.changed("required"))
    finding = pair.missing(
        f"The code {'requires' if required else 'reads'} a body for {pair.subject}, "
        "which the contract does not describe",
        hint="Describe the body in the contract, or stop reading it.",
    )
    yield judged(finding, Severity.ERROR if required else Severity.WARNING)
