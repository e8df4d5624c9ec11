"""The rule about operation ids."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.NOTE, looks_at=Kind.OPERATION, changes=("operationId",))
def operation_id_mismatch(pair: Pair) -> Iterator[Finding]:
    """Contract and code give an operation different ids.

    Ids that a framework makes up are not compared.

    ## Why it matters
    Clients generated from the one and from the other name their methods differently.

    ## How to fix
    Use one id on both sides.
    """
    for difference in pair.changed("operationId"):
        yield pair.differs(
            difference,
            f"{pair.subject} is called {difference.spec} in the contract, but {difference.code} in the code",
            hint="Use one operation id on both sides.",
        )
