"""The rule about bodies that may end without a result."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.FUNCTION, changes=("ends",))
def return_missing(pair: Pair) -> Iterator[Finding]:
    """The body returns values, but can also end without a `return`, and the stub does not admit `None`.

    ## Why it matters
    Callers that trust the stub fail on `None`, often far away from here.

    ## How to fix
    Return a value or raise at the end of the body, or add `None` to the return type in the stub.
    """
    for difference in pair.changed("ends"):
        yield pair.differs(
            difference,
            f"{capital(pair.subject)} returns {difference.spec} in the {pair.promise}, "
            "but its body can end without a return",
            hint="Return a value or raise at the end of the body, or add None to the return type.",
        )
