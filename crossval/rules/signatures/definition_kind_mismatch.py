"""The rule about names that mean different kinds of thing."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=(Kind.FUNCTION, Kind.CLASS, Kind.ATTRIBUTE), changes=("kind",))
def definition_kind_mismatch(pair: Pair) -> Iterator[Finding]:
    """A name is a function, a class or an attribute in the stub, and another of these in the code.

    ## Why it matters
    What type-checks against the stub, such as calling it or inheriting from it, fails when it runs.

    ## How to fix
    Define the name as the same kind of thing on both sides.
    """
    if (
        pair.place
        or pair.spec_fact is None
        or pair.code_fact is None
        or pair.spec_fact.kind is pair.code_fact.kind
    ):
        return
    for difference in pair.changed("kind"):
        yield pair.differs(
            difference,
            f"{capital(pair.subject)} is declared as {difference.spec} in the {pair.promise}, "
            f"but defined as {difference.code} in the code",
            hint=f"Define {pair.name} as the same kind of thing on both sides.",
        )
