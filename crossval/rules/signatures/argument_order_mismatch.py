"""The rule about the order of arguments."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.FUNCTION, changes=("order",))
def argument_order_mismatch(pair: Pair) -> Iterator[Finding]:
    """Stub and code take the same arguments in a different order.

    ## Why it matters
    A call that passes them by position type-checks, and silently swaps the values.

    ## How to fix
    Put the arguments into one order, or make them keyword-only on both sides.
    """
    for difference in pair.changed("order"):
        yield pair.missing(
            f"The arguments of {pair.subject} are ordered {', '.join(difference.spec)} in the {pair.promise}, "
            f"but {', '.join(difference.code)} in the code",
            hint="Put the arguments into one order.",
        )
