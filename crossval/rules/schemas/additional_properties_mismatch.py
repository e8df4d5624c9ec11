"""The rule about fields that are not named."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import judged, severity
from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital, thing
from graph.facts import Kind

_USES = (Kind.PARAMETER, Kind.BODY, Kind.RESPONSE, Kind.SCHEMA, Kind.FIELD)


@rule(Severity.ERROR, looks_at=_USES, changes=("additionalProperties",))
def additional_properties_mismatch(pair: Pair) -> Iterator[Finding]:
    """Only one side takes fields that it does not name.

    ## Why it matters
    The code refuses requests with further fields that the contract lets pass, or accepts silently what the
    contract forbids. Where the contract does not speak of further fields it is a warning.

    ## How to fix
    Say the same on both sides: `additionalProperties: false` and `extra="forbid"` belong together.
    """
    for difference in pair.changed("additionalProperties"):
        if pair.spec_fact is None or pair.code_fact is None:
            return
        one, other = ("contract", "code") if difference.spec is False else ("code", "contract")
        finding = pair.differs(
            difference,
            f"{capital(thing(pair))} takes no further fields in the {one}, but the {other} allows them",
            hint="Forbid further fields on both sides, or on neither.",
        )
        level = Severity.WARNING if difference.spec is None else severity(pair, difference)
        yield judged(finding, level)
