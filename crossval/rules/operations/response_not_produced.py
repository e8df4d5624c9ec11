"""The rule about declared statuses that the code never answers with."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import listing
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.RESPONSE)
def response_not_produced(pair: Pair) -> Iterator[Finding]:
    """The contract declares a status that the code never answers with.

    It speaks up only where every status of the handler is known, and never about statuses that a server, a proxy
    or a middleware may answer instead of the handler.

    ## Why it matters
    The case that the contract describes (a missing book, say) is answered in some other way, or not handled at all.

    ## How to fix
    Answer with the status where the contract says so, or take the response out of the contract.
    """
    if pair.code_fact is None and pair.spec_fact is not None and pair.place.count(".") == 1:
        given = pair.code.value if pair.code else []
        yield pair.missing(
            f"The contract declares answer {pair.name} for {pair.subject}, but the code only answers {listing(given)}",
            hint=f"Answer {pair.name} where the contract says so, or take the response out of the contract.",
        )
