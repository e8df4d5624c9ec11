"""The rule about operations of a contract that no route answers."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=(Kind.OPERATION, Kind.CALLBACK), kind=FindingKind.GAP)
def operation_not_implemented(pair: Pair) -> Iterator[Finding]:
    """The contract promises an operation that the code does not have.

    Webhooks and callbacks count where the code declares others of them.

    ## Why it matters
    Clients that trust the contract get 404 or 405 where they expect an answer.

    ## How to fix
    Add the route, or take the operation out of the contract.
    """
    if pair.code_fact is None and pair.spec_fact is not None and pair.kind is Kind.CALLBACK:
        yield pair.missing(
            f"The contract says that the service sends {pair.subject}, which the code does not declare beside others",
            hint=f"Declare {pair.subject} where the others are declared, or take it out of the contract.",
        )
    elif pair.code_fact is None and pair.spec_fact is not None:
        yield pair.missing(
            f"The contract promises {pair.subject}, but no route of the code answers it",
            hint=f"Add a route for {pair.subject}, or take the operation out of the contract.",
        )
