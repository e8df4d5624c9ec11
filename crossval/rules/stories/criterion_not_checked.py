"""The rule about tests that are linked with a criterion and check something else."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital, listing
from graph.facts import Kind


@rule(Severity.WARNING, looks_at=Kind.CRITERION, kind=FindingKind.CONTRADICTION)
def criterion_not_checked(pair: Pair) -> Iterator[Finding]:
    """The tests linked with a criterion check another answer or error than it claims.

    ## Why it matters
    The criterion counts as tested, and nobody would notice if it did not hold.

    ## How to fix
    Check what the criterion claims, or cite the criterion that the test is about.
    """
    if pair.place != "checks" or pair.code is None:
        return
    claim = pair.differences[0]
    what = "the answer" if claim.change == "outcome" else "the error"
    yield pair.missing(
        f"{capital(pair.subject)} claims {what} {claim.spec}, but its tests only check {listing(claim.code)}",
        hint=f"Check {claim.spec} in a test that cites {pair.name}.",
        aspect="tests",
    )
