"""The rule about the types of attributes."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital, say_python
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=(Kind.ATTRIBUTE, Kind.FUNCTION), changes=("type",))
def attribute_type_mismatch(pair: Pair) -> Iterator[Finding]:
    """An attribute or constant has one type in the stub and another in the code.

    ## Why it matters
    Readers use the attribute as the stub says, and meet something else.

    ## How to fix
    Write one annotation on both sides, and give a constant a value of that type.
    """
    if pair.place or pair.code_fact is None:
        return
    annotated = any(pair.code_fact.aspects.get(aspect) for aspect in ("annotation", "returns"))
    for difference in pair.changed("type"):
        code = f"is {difference.code}" if annotated else f"has the value {say_python(difference.code)}"
        yield pair.differs(
            difference,
            f"{capital(pair.subject)} is {difference.spec} in the {pair.promise}, but {code} in the code",
            hint="Write one type on both sides.",
        )
