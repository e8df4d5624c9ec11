"""The rule about what may be left out."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import judged, severity
from crossval.findings import Finding, Severity
from crossval.pairs import Direction, Pair
from crossval.rules.rule import rule
from crossval.wording import capital, thing
from graph.facts import Kind

_USES = (Kind.PARAMETER, Kind.BODY, Kind.RESPONSE, Kind.SCHEMA, Kind.FIELD)


@rule(Severity.ERROR, looks_at=_USES, changes=("required",))
def required_mismatch(pair: Pair) -> Iterator[Finding]:
    """Only one side requires a parameter, a body or a field.

    ## Why it matters
    The code refuses requests that leave out what the contract lets them leave out, or its answers lack what the
    contract promises. Where the code merely asks for less it is a warning.

    ## How to fix
    Require it on both sides, or on neither.
    """
    if pair.spec_fact is None or pair.code_fact is None:
        return
    for difference in pair.changed("required"):
        if pair.direction is Direction.RESPONSE and not difference.spec:
            told = "is optional in the contract, but always there in what the code returns"
        elif pair.direction is Direction.RESPONSE and difference.code is None:
            told = "is required in the contract, but has a default in the code, as others that it leaves optional"
        elif pair.direction is Direction.RESPONSE:
            told = "is always there according to the contract, but may be missing from what the code returns"
        elif difference.spec:
            told = "is required in the contract, but optional in the code"
        else:
            told = "is optional in the contract, but required in the code"
        finding = pair.differs(
            difference, f"{capital(thing(pair))} {told}", hint="Require it on both sides, or on neither."
        )
        lenient = pair.kind is Kind.BODY and pair.place == "body"
        yield judged(finding, Severity.WARNING if lenient else severity(pair, difference))
