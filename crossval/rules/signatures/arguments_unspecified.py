"""The rule about stubs that say nothing of a function's arguments."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import listing
from graph.facts import Kind


@rule(Severity.NOTE, looks_at=Kind.FUNCTION, changes=("unspecified",))
def arguments_unspecified(pair: Pair) -> Iterator[Finding]:
    """The stub has `*args` or `**kwargs` where the code names the arguments.

    ## Why it matters
    Type checkers let calls pass that fail with a `TypeError`, and editors cannot complete the names.

    ## How to fix
    Write the arguments of the code into the stub.
    """
    for difference in pair.changed("unspecified"):
        taken = listing(difference.code) if difference.code else "no arguments"
        stars = listing([name for name in difference.spec if name.startswith("*")])
        yield pair.differs(
            difference,
            f"The stub of {pair.subject} takes {stars}, but the code takes {taken}",
            hint="Write the arguments of the code into the stub.",
        )
