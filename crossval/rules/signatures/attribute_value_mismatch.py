"""The rule about the values of constants."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital, say_python
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.ATTRIBUTE, changes=("value",))
def attribute_value_mismatch(pair: Pair) -> Iterator[Finding]:
    """A constant has one value in the stub and another in the code.

    ## Why it matters
    Type checkers and readers of the stub reckon with a value that the program does not have.

    ## How to fix
    Write one value on both sides, or only the type in the stub.
    """
    for difference in pair.changed("value"):
        values = f"{say_python(difference.spec)} in the {pair.promise}, but {say_python(difference.code)} in the code"
        yield pair.differs(
            difference,
            f"{capital(pair.subject)} is {values}",
            hint=f"Write one value on both sides, or only the type in the {pair.promise}.",
        )
