"""The rule about request bodies that the code does not read."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.BODY)
def body_not_implemented(pair: Pair) -> Iterator[Finding]:
    """The contract describes a request body that the code does not read.

    ## Why it matters
    What the client sends is thrown away without a word.

    ## How to fix
    Read the body in the handler, or take it out of the contract.
    """
    if pair.code_fact is None:
        yield pair.missing(
            f"The contract describes a body for {pair.subject}, but the code does not read one",
            hint="Read the body in the handler, or take it out of the contract.",
        )
