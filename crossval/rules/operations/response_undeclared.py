"""The rule about statuses that the contract does not declare."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.RESPONSE)
def response_undeclared(pair: Pair) -> Iterator[Finding]:
    """The code can answer with a status that the contract does not declare.

    ## Why it matters
    Clients generated from the contract have no branch for this answer.

    ## How to fix
    Declare the response in the contract, or stop answering with it.
    """
    if pair.spec_fact is not None or pair.code_fact is None:
        return
    exception = pair.code_fact.aspects.get("exception")
    cause = f" ({exception})" if exception and exception != "HTTPException" else ""
    yield pair.missing(
        f"{pair.subject} can answer {pair.name}{cause}, which the contract does not declare",
        hint=f"Declare response {pair.name} for {pair.subject} in the contract, or stop answering with it.",
    )
