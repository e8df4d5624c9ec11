"""The rule about stubs that say nothing of a function's arguments."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import listing
from graph.facts import Kind


@rule(Severity.NOTE, looks_at=Kind.FUNCTION)
def arguments_unspecified(pair: Pair) -> Iterator[Finding]:
    """The stub lets a function take any arguments, by `*args` and `**kwargs` of any type, and the code does not.

    ## Why it matters
    Type checkers let every call pass, also those that fail with a `TypeError`.

    ## How to fix
    Write the arguments of the code into the stub.
    """
    for difference in pair.changed("unspecified"):
        taken = listing(difference.code) if difference.code else "no arguments"
        yield pair.differs(
            difference,
            f"The stub lets {pair.subject} take any arguments, but the code takes {taken}",
            hint="Write the arguments of the code into the stub.",
        )
