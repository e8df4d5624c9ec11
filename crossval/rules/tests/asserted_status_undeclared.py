"""The rule about statuses that tests expect and the contract does not declare."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.WARNING, looks_at=Kind.TEST, changes=("status",))
def asserted_status_undeclared(pair: Pair) -> Iterator[Finding]:
    """A test expects a status of an operation that the contract does not declare.

    ## Why it matters
    Either clients that were made of the contract have no branch for this answer, or the test holds the code to
    something that nobody promised.

    ## How to fix
    Declare the response in the contract, or correct the test.
    """
    for difference in pair.changed("status"):
        assert pair.code is not None, "a test expects it"
        others = difference.code
        more = f" and {others} other{'s' if others != 1 else ''}" if others else ""
        test, verb = pair.code.fact.removeprefix("test:test:"), "expect" if more else "expects"
        yield pair.missing(
            f"{test}{more} {verb} {pair.name} of {pair.subject}, which the contract does not declare",
            hint=f"Declare response {pair.name} for {pair.subject} in the contract, or correct the test.",
            aspect=f"responses.{pair.name}",
        )
