"""The rule about null."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import judged, severity
from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital, thing
from graph.facts import Kind

_USES = (Kind.PARAMETER, Kind.BODY, Kind.RESPONSE, Kind.SCHEMA, Kind.FIELD)


@rule(Severity.ERROR, looks_at=_USES, changes=("nullable",))
def nullable_mismatch(pair: Pair) -> Iterator[Finding]:
    """Only one side allows null.

    An optional field of a request that the code writes as `X | None = None` is no difference.

    ## Why it matters
    The code refuses a null that the contract allows, or returns one to clients that do not expect it.

    ## How to fix
    Allow null on both sides, or on neither.
    """
    for difference in pair.changed("nullable"):
        one, other = ("contract", "code") if difference.spec else ("code", "contract")
        finding = pair.differs(
            difference,
            f"{capital(thing(pair))} may be null in the {one}, but not in the {other}",
            hint="Allow null on both sides, or on neither.",
        )
        yield judged(finding, severity(pair, difference))
