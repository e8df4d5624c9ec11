"""The rule about functions that are async on one side only."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.FUNCTION, changes=("async",))
def async_mismatch(pair: Pair) -> Iterator[Finding]:
    """A function must be awaited according to one side, and not according to the other.

    ## Why it matters
    Awaiting what is no awaitable fails with a `TypeError`; not awaiting a coroutine silently does nothing.

    ## How to fix
    Write `async def` on both sides or on neither.
    """
    for difference in pair.changed("async"):
        yield pair.differs(
            difference,
            f"{capital(pair.subject)} is {difference.spec} in the {pair.promise}, but {difference.code} in the code",
            hint="Write async def on both sides or on neither.",
        )
