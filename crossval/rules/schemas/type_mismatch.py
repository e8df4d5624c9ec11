"""The rule about types."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import judged, severity
from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital, thing, type_name
from graph.facts import Kind

_USES = (Kind.PARAMETER, Kind.BODY, Kind.RESPONSE, Kind.SCHEMA, Kind.FIELD)


@rule(Severity.ERROR, looks_at=_USES, changes=("type",))
def type_mismatch(pair: Pair) -> Iterator[Finding]:
    """Contract and code give a value different types.

    ## Why it matters
    Requests that follow the contract are refused, or clients cannot read what they get. Where the code only takes
    more types than documented it is a warning, where it only answers with fewer a note.

    ## How to fix
    Give both sides the same type.
    """
    for difference in pair.changed("type"):
        finding = pair.differs(
            difference,
            f"{capital(thing(pair))} is {type_name(difference.spec)} in the contract, "
            f"but {type_name(difference.code)} in the code",
            hint="Give both sides the same type.",
        )
        yield judged(finding, severity(pair, difference))
