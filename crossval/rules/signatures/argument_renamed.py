"""The rule about arguments whose names differ."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.FUNCTION, changes=("name",))
def argument_renamed(pair: Pair) -> Iterator[Finding]:
    """An argument has one name in the stub and another in the code.

    ## Why it matters
    A call that passes the argument by keyword type-checks, and fails with a `TypeError` when it runs.

    ## How to fix
    Use one name on both sides, or make the argument positional-only on both.
    """
    for difference in pair.changed("name"):
        yield pair.differs(
            difference,
            f"Argument {difference.spec} of {pair.subject} is called {difference.code} in the code",
            hint=f"Rename it to {difference.spec} in the code, or to {difference.code} in the {pair.promise}.",
        )
