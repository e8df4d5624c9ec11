"""The rule about media types of bodies and responses."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import judged, severity
from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital, listing, thing
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=(Kind.BODY, Kind.RESPONSE), changes=("content",))
def media_type_mismatch(pair: Pair) -> Iterator[Finding]:
    """Contract and code name different media types for a body or a response.

    ## Why it matters
    A client that sends or expects one format meets another, and cannot read the answer or is refused.

    ## How to fix
    Serve what the contract names, or name in the contract what the code serves.
    """
    for difference in pair.changed("content"):
        finding = pair.differs(
            difference,
            f"{capital(thing(pair))} is {listing(difference.spec)} in the contract, "
            f"but {listing(difference.code)} in the code",
            hint="Use the media type of the contract, or name the code's in the contract.",
        )
        yield judged(finding, severity(pair, difference))
