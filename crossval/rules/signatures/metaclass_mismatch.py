"""The rule about the metaclasses of classes."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital
from graph.facts import Kind


@rule(Severity.WARNING, looks_at=Kind.CLASS, changes=("metaclass",))
def metaclass_mismatch(pair: Pair) -> Iterator[Finding]:
    """The code makes a class by another metaclass than the stub says.

    ## Why it matters
    Type checkers take calls of the class and its own operators, such as iterating over it, from the metaclass; a class
    that inherits from two with unlike metaclasses cannot be made at all.

    ## How to fix
    Write the same metaclass on both sides.
    """
    for difference in pair.changed("metaclass"):
        yield pair.differs(
            difference,
            f"{capital(pair.subject)} has the metaclass {difference.spec} in the stub, "
            f"but {difference.code} in the code",
            hint="Write the same metaclass on both sides.",
        )
