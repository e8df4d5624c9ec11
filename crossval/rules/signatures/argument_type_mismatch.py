"""The rule about the types of arguments."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import judged, severity
from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.FUNCTION, changes=("type",))
def argument_type_mismatch(pair: Pair) -> Iterator[Finding]:
    """An argument is annotated with one type in the stub and with another in the code.

    ## Why it matters
    Callers check against the stub, the body against the code: what one side lets through, the other does not
    expect. Where the code accepts all that the stub allows, this is a warning.

    ## How to fix
    Write one annotation on both sides.
    """
    # Without a place it is a property's type, of which another rule speaks.
    for difference in pair.changed("type") if pair.place else ():
        finding = pair.differs(
            difference,
            f"Argument {pair.name} of {pair.subject} is {difference.spec} in the {pair.promise}, "
            f"but {difference.code} in the code",
            hint="Write one annotation on both sides.",
        )
        yield judged(finding, severity(pair, difference))
