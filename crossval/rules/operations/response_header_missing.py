"""The rule about headers that responses lack."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import judged
from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import thing
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.RESPONSE)
def response_header_missing(pair: Pair) -> Iterator[Finding]:
    """The contract promises a response header that the code does not send.

    Headers that servers and proxies add are left out. A header that the contract leaves optional is a warning.

    ## Why it matters
    Clients that page, cache or follow by this header cannot.

    ## How to fix
    Send the header, or take it out of the contract.
    """
    if pair.code_fact is not None or ".headers." not in pair.place:
        return
    required = any(difference.spec is True for difference in pair.changed("required"))
    finding = pair.missing(
        f"The contract promises {thing(pair)}, but the code does not send it",
        hint=f"Send {pair.name}, or take it out of the contract.",
    )
    yield judged(finding, Severity.ERROR if required else Severity.WARNING)
