"""The rule about base classes of a stub that the code's class lacks."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital, listing
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.CLASS, changes=("bases",))
def base_missing(pair: Pair) -> Iterator[Finding]:
    """The stub derives a class from a base that the code's class does not have.

    ## Why it matters
    `isinstance` and `except` clauses that rely on the stub do not match, and inherited methods are not there.

    ## How to fix
    Derive the class from the base, or remove the base from the stub.
    """
    for difference in pair.changed("bases"):
        yield pair.differs(
            difference,
            f"{capital(pair.subject)} derives from {listing(difference.spec)} in the stub, "
            f"but from {listing(difference.code)} in the code",
            hint="Derive the class from the same bases on both sides.",
        )
