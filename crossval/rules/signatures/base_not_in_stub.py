"""The rule about base classes of the code that its stub leaves out."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital, listing
from graph.facts import Kind


@rule(Severity.WARNING, looks_at=Kind.CLASS, changes=("inherits",))
def base_not_in_stub(pair: Pair) -> Iterator[Finding]:
    """The code derives a class from a public base that the stub's class does not have.

    ## Why it matters
    Type checkers miss all that the class inherits, and refuse it where the base is asked for. Structural bases such as
    `Iterable` and bases that no stub defines do not count.

    ## How to fix
    Derive the class from the base in the stub as well.
    """
    for difference in pair.changed("inherits"):
        yield pair.differs(
            difference,
            f"{capital(pair.subject)} derives from {listing(difference.code)} in the code, but not in the stub",
            hint="Derive the class from the base in the stub as well.",
        )
