"""The rule about bounds."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import judged, severity
from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital, say, thing
from graph.facts import Json, Kind

_USES = (Kind.PARAMETER, Kind.BODY, Kind.RESPONSE, Kind.SCHEMA, Kind.FIELD)

_BOUNDS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "uniqueItems": "no item twice",
    "minProperties": "at least {} fields",
    "maxProperties": "at most {} fields",
}


@rule(Severity.ERROR, looks_at=_USES, changes=_BOUNDS)
def bound_mismatch(pair: Pair) -> Iterator[Finding]:
    """Contract and code bound a number, a length or a count differently, or only one side does.

    ## Why it matters
    The code refuses requests that keep the contract's bounds, or answers with values beyond them. Where the code
    merely takes more than documented it is a warning.

    ## How to fix
    State the same bound on both sides.
    """
    for difference in pair.changed(*_BOUNDS):
        finding = pair.differs(
            difference,
            f"{capital(thing(pair))} allows {_bound(difference.change, difference.spec)} in the contract, "
            f"but {_bound(difference.change, difference.code)} in the code",
            hint=f"State the same {difference.change} on both sides.",
        )
        yield judged(finding, severity(pair, difference))


def _bound(keyword: str, value: Json) -> str:
    if value is None:
        return "items twice" if keyword == "uniqueItems" else "any " + _measure(keyword)
    if isinstance(value, dict):
        keyword, value = next(iter(value.items()))
    told = _BOUNDS[keyword].format(say(value))
    return told.removesuffix("s") if value == 1 and keyword.startswith(("min", "max")) else told


def _measure(keyword: str) -> str:
    if keyword.endswith("Length"):
        return "length"
    if keyword.endswith("Items"):
        return "number of items"
    return "number of fields" if keyword.endswith("Properties") else "number"
