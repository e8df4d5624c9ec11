"""The rule about how arguments can be passed."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import judged, severity
from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.FUNCTION, changes=("kind",))
def argument_kind_mismatch(pair: Pair) -> Iterator[Finding]:
    """An argument can be passed in other ways in the stub than in the code.

    ## Why it matters
    A call by position or by keyword type-checks, and fails with a `TypeError` when it runs. Where the code allows
    more than the stub says, this is a warning.

    ## How to fix
    Make the argument positional-only, keyword-only or both on the two sides alike.
    """
    for difference in pair.changed("kind"):
        if pair.place:
            finding = pair.differs(
                difference,
                f"Argument {pair.name} of {pair.subject} is {difference.spec} in the {pair.promise}, "
                f"but {difference.code} in the code",
                hint=f"Make {pair.name} {difference.spec} in the code, or {difference.code} in the {pair.promise}.",
            )
            yield judged(finding, severity(pair, difference))
