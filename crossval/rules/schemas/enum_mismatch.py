"""The rule about the values of enumerations."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import judged, severity
from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital, listing, say, thing
from graph.facts import Json, Kind

_USES = (Kind.PARAMETER, Kind.BODY, Kind.RESPONSE, Kind.SCHEMA, Kind.FIELD)


@rule(Severity.ERROR, looks_at=_USES, changes=("enum",))
def enum_mismatch(pair: Pair) -> Iterator[Finding]:
    """Contract and code list different values, or only one side has a list.

    ## Why it matters
    The code refuses a value that the contract allows, or returns one that clients do not know.

    ## How to fix
    List the same values on both sides.
    """
    for difference in pair.changed("enum"):
        finding = pair.differs(
            difference,
            f"{capital(thing(pair))} allows {_values(difference.spec)} in the contract, "
            f"but {_by_code(difference.code)}",
            hint="List the same values on both sides.",
        )
        yield judged(finding, severity(pair, difference))


def _by_code(values: Json) -> str:
    if isinstance(values, dict):
        return f"the code answers {listing([say(value) for value in values['answered']])}"
    return f"{_values(values)} in the code"


def _values(values: Json) -> str:
    return "any value" if values is None else f"only {listing([say(value) for value in values])}"
