"""The rule about patterns."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import judged, severity
from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital, thing
from graph.facts import Json, Kind

_USES = (Kind.PARAMETER, Kind.BODY, Kind.RESPONSE, Kind.SCHEMA, Kind.FIELD)


@rule(Severity.ERROR, looks_at=_USES, changes=("pattern",))
def pattern_mismatch(pair: Pair) -> Iterator[Finding]:
    """Contract and code demand different patterns of a text, or only one side demands one.

    Two patterns that admit the same texts are one pattern, however they are spelled (`^\\d\\d$` and
    `^[0-9]{2}$`), and one that lists its values (`^(asc|desc)$`) is the same as an `enum` of them. Look-around, back
    references and flags are compared as they are written.

    ## Why it matters
    The code refuses texts that the contract allows, or lets through what the contract forbids.

    ## How to fix
    Use one pattern on both sides.
    """
    for difference in pair.changed("pattern"):
        finding = pair.differs(
            difference,
            f"{capital(thing(pair))} {_pattern(difference.spec)} in the contract, "
            f"but {_pattern(difference.code)} in the code",
            hint="Use one pattern on both sides.",
        )
        yield judged(finding, severity(pair, difference))


def _pattern(pattern: Json) -> str:
    return "may be any text" if pattern is None else f"must match {pattern}"
