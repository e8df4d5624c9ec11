"""The rule about parameters that the code looks for in another place."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.PARAMETER, changes=("in",))
def parameter_location_mismatch(pair: Pair) -> Iterator[Finding]:
    """Contract and code place a parameter differently: in the query, a header or a cookie.

    ## Why it matters
    The client sends it where the contract says, and the code never sees it.

    ## How to fix
    Move the parameter on one side.
    """
    for difference in pair.changed("in"):
        yield pair.differs(
            difference,
            f"Parameter {pair.name} of {pair.subject} is a {difference.spec} parameter in the contract, but the code "
            f"reads it as a {difference.code} parameter",
            hint=f"Read {pair.name} as a {difference.spec} parameter, or move it in the contract.",
        )
