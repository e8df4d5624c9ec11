"""The rule about parameters that only docstrings know."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import listing
from graph.facts import Kind


@rule(Severity.WARNING, looks_at=Kind.FUNCTION, changes=("documented",))
def docstring_parameter_unknown(pair: Pair) -> Iterator[Finding]:
    """A docstring describes a parameter that the function does not take.

    ## Why it matters
    Readers pass the argument and meet a `TypeError`; often it was renamed or removed.

    ## How to fix
    Describe the parameters that there are.
    """
    for difference in pair.changed("documented"):
        plural = "s" if len(difference.spec) > 1 else ""
        yield pair.differs(
            difference,
            f"The docstring of {pair.subject} describes parameter{plural} {listing(difference.spec)}, "
            "which the code does not take",
            hint="Describe the parameters that there are.",
        )
