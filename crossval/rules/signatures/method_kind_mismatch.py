"""The rule about how methods are reached."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.FUNCTION, changes=("kind",))
def method_kind_mismatch(pair: Pair) -> Iterator[Finding]:
    """A method is an instance, class or static method or a property in the stub, and another of these in the code.

    ## Why it matters
    A call that type-checks passes one argument too many or too few, or calls what is no function.

    ## How to fix
    Decorate the method alike on both sides.
    """
    for difference in pair.changed("kind"):
        if not pair.place and pair.code_fact is not None and pair.code_fact.kind is Kind.FUNCTION:
            yield pair.differs(
                difference,
                f"{capital(pair.subject)} is declared as {difference.spec} in the {pair.promise}, "
                f"but defined as {difference.code} in the code",
                hint="Decorate the method alike on both sides.",
            )
