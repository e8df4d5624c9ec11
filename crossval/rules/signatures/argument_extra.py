"""The rule about arguments of the code that its stub does not have."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import judged, severity
from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.FUNCTION, changes=("extra",))
def argument_extra(pair: Pair) -> Iterator[Finding]:
    """The code takes an argument that the stub does not declare.

    ## Why it matters
    If the argument is required, or stands before others, calls that type-check against the stub fail or pass the
    wrong values. If it is optional, nobody who relies on the stub can use it: then this is a warning.

    ## How to fix
    Declare the argument in the stub, or give it a default and place it after the others.
    """
    for difference in pair.changed("extra"):
        breaking = f", so that calls which follow the {pair.promise} break" if pair.breaks(difference) else ""
        finding = pair.missing(
            f"The code of {pair.subject} takes argument {pair.name}, "
            f"which the {pair.promise} does not declare{breaking}",
            hint=f"Declare {pair.name} in the {pair.promise}, or remove it from the code.",
        )
        yield judged(finding, severity(pair, difference))
