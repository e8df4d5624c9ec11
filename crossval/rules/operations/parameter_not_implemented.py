"""The rule about parameters of a contract that the code does not read."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Direction, Pair
from crossval.rules.rule import rule
from crossval.wording import thing
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.PARAMETER)
def parameter_not_implemented(pair: Pair) -> Iterator[Finding]:
    """The contract offers a parameter that the code does not read.

    ## Why it matters
    Clients send it and believe that it works: a filter that filters nothing, a page that never turns.

    ## How to fix
    Read the parameter in the handler, or take it out of the contract. Where the code reads it under a name that is
    spelled otherwise (`page_size` for `pageSize`), give it the contract's name: in FastAPI as `alias`.
    """
    for difference in pair.changed("name"):
        yield pair.differs(
            difference,
            f"The contract offers {thing(pair)}, but the code reads it as {difference.code}",
            hint=f"Read it as {difference.spec}, or name it {difference.code} in the contract.",
        )
    if pair.direction is Direction.REQUEST and pair.code_fact is None:
        yield pair.missing(
            f"The contract offers {thing(pair)}, but the code does not read it",
            hint=f"Read {pair.name} in the handler, or take it out of the contract.",
        )
