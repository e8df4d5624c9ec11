"""The rule about values that bodies return."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.FUNCTION, changes=("returned",))
def return_value_mismatch(pair: Pair) -> Iterator[Finding]:
    """The body returns a value that the stub's return type does not admit.

    ## Why it matters
    Callers use the result as the stub says, and meet something else. Only values count whose type the text shows, such
    as literals, `str(…)` and what a generator is.

    ## How to fix
    Return what the stub promises, or widen the return type in the stub.
    """
    for difference in pair.changed("returned"):
        yield pair.differs(
            difference,
            f"{capital(pair.subject)} returns {difference.spec} in the {pair.promise}, "
            f"but its body returns {difference.code}",
            hint=f"Return what the {pair.promise} promises, or widen the return type.",
        )
