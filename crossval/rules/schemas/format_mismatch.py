"""The rule about formats."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import judged, severity
from crossval.findings import Finding, Severity
from crossval.pairs import Direction, Pair
from crossval.rules.rule import rule
from crossval.wording import capital, thing
from graph.facts import Json, Kind

_USES = (Kind.PARAMETER, Kind.BODY, Kind.RESPONSE, Kind.SCHEMA, Kind.FIELD)


@rule(Severity.ERROR, looks_at=_USES, changes=("format",))
def format_mismatch(pair: Pair) -> Iterator[Finding]:
    """Contract and code give a text different formats, or only one side demands one.

    ## Why it matters
    The code refuses texts that the contract allows, or lets through what the contract forbids. In an answer a
    plain text may well have the format, so that this is only a note.

    ## How to fix
    Use the type that carries the format (`datetime`, `UUID`, `EmailStr`, …), or state the code's format in the
    contract.
    """
    for difference in pair.changed("format"):
        finding = pair.differs(
            difference,
            f"{capital(thing(pair))} is {_text(difference.spec)} in the contract, "
            f"but {_text(difference.code)} in the code",
            hint="Use the type that carries the format, or state the code's format in the contract.",
        )
        doubtful = difference.code is None and pair.direction is Direction.RESPONSE
        yield judged(finding, Severity.NOTE if doubtful else severity(pair, difference))


def _text(form: Json) -> str:
    return "any text" if form is None else f"a text of format {form}"
