"""The rule about arguments of a stub that the code does not take."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.FUNCTION, changes=("missing",))
def argument_missing(pair: Pair) -> Iterator[Finding]:
    """The stub declares an argument that the code does not take.

    ## Why it matters
    A call that passes the argument type-checks, and fails with a `TypeError` when it runs.

    ## How to fix
    Take the argument in the code, or remove it from the stub.
    """
    for _ in pair.changed("missing"):
        yield pair.missing(
            f"The {pair.promise} declares argument {pair.name} of {pair.subject}, which the code does not take",
            hint=f"Take {pair.name} in the code, or remove it from the {pair.promise}.",
        )
