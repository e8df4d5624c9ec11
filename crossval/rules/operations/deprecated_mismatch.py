"""The rule about deprecation."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital, thing
from graph.facts import Kind


@rule(Severity.WARNING, looks_at=(Kind.OPERATION, Kind.PARAMETER), changes=("deprecated",))
def deprecated_mismatch(pair: Pair) -> Iterator[Finding]:
    """Only one side marks an operation or a parameter as deprecated.

    ## Why it matters
    Clients keep building on what is about to go, or move away from what stays.

    ## How to fix
    Mark it on both sides, or on neither.
    """
    for difference in pair.changed("deprecated"):
        one, other = ("contract", "code") if difference.spec else ("code", "contract")
        yield pair.differs(
            difference,
            f"{capital(thing(pair))} is deprecated in the {one}, but not in the {other}",
            hint="Mark it as deprecated on both sides, or on neither.",
        )
