"""The rule about acceptance criteria that no test cites."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.NOTE, looks_at=Kind.CRITERION, kind=FindingKind.GAP)
def criterion_not_tested(pair: Pair) -> Iterator[Finding]:
    """No test cites this acceptance criterion, nor the story that it belongs to.

    ## Why it matters
    In a project whose tests say which criteria they verify, a criterion that none cites is probably not verified.

    ## How to fix
    Write a test that cites the id of the criterion, or cite it in the test that already verifies it.
    """
    if pair.place == "tests" and pair.spec is not None and pair.code is None:
        yield pair.missing(
            f"No test cites {pair.subject}, and none cites its story as a whole",
            hint=f'Cite it in the test that verifies it: @pytest.mark.spec("{pair.name}").',
        )
