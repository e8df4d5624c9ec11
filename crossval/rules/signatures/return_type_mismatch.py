"""The rule about return types."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import judged, severity
from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.FUNCTION, changes=("returns",))
def return_type_mismatch(pair: Pair) -> Iterator[Finding]:
    """A function is annotated to return one type in the stub and another in the code.

    ## Why it matters
    Callers use the result as the stub says, and meet something else. Where all that the code returns fits the
    stub, this is a note.

    ## How to fix
    Write one return type on both sides.
    """
    for difference in pair.changed("returns"):
        finding = pair.differs(
            difference,
            f"{capital(pair.subject)} returns {difference.spec} in the {pair.promise}, "
            f"but {difference.code} in the code",
            hint="Write one return type on both sides.",
        )
        yield judged(finding, severity(pair, difference))
