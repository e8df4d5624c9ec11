"""What the code refuses of what a test made up: undecided at first, a failure where it was taken before."""

from __future__ import annotations

import pytest

from engine.running.state import after
from planner.cases import Case, Layer, Status, Technique
from planner.validator import Outcome, Verdict

REFUSED = "Skipped: what the test made up is refused: ValueError: no such code"


def case(status: Status, green_at: int) -> Case:
    return Case(
        id="label returns str",
        description="label returns str",
        subject="function shop.label",
        aspect="returns",
        technique=Technique.RETURNS,
        layer=Layer.UNIT,
        cites=("spec:function:shop.label",),
        status=status,
        last_passed_revision=green_at,
    )


@pytest.mark.parametrize(
    ("status", "green_at", "message", "then"),
    [
        (Status.GENERATED, 0, REFUSED, Status.INCONCLUSIVE),
        (Status.PASSED, 3, REFUSED, Status.FAILED),
        (Status.INCONCLUSIVE, 0, REFUSED, Status.INCONCLUSIVE),
        (Status.PASSED, 3, "Skipped: needs a screen", Status.INCONCLUSIVE),
    ],
)
def test_a_refusal_is_undecided_unless_the_same_was_taken_before(
    status: Status, green_at: int, message: str, then: Status
) -> None:
    outcome = Outcome(node="tests/test_shop.py::test_label", verdict=Verdict.SKIPPED, message=message)
    assert after(case(status, green_at), [outcome], 4, expected_red=False).status is then
