"""The rule about defaults."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital, say, thing
from graph.facts import Kind

_USES = (Kind.PARAMETER, Kind.BODY, Kind.RESPONSE, Kind.SCHEMA, Kind.FIELD)


@rule(Severity.ERROR, looks_at=_USES, changes=("default",))
def default_mismatch(pair: Pair) -> Iterator[Finding]:
    """Contract and code state different defaults for what a client may leave out.

    ## Why it matters
    Clients that leave the value out get something else than the contract tells them.

    ## How to fix
    State the same default on both sides.
    """
    for difference in pair.changed("default"):
        yield pair.differs(
            difference,
            f"{capital(thing(pair))} defaults to {say(difference.spec)} in the contract, "
            f"but to {say(difference.code)} in the code",
            hint="State the same default on both sides.",
        )
