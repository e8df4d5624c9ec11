"""The rule about the status of success."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.RESPONSE, changes=("status",))
def success_status_mismatch(pair: Pair) -> Iterator[Finding]:
    """Contract and code name different statuses for the one successful answer.

    ## Why it matters
    Clients that check for the contract's status take a success for a failure.

    ## How to fix
    Answer with the contract's status (FastAPI: `status_code=` of the route), or change the contract.
    """
    for difference in pair.changed("status"):
        yield pair.missing(
            f"{pair.subject} succeeds with {difference.spec} in the contract, but with {difference.code} in the code",
            hint=f"Answer {difference.spec}, or declare {difference.code} in the contract.",
        )
