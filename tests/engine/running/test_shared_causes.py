"""One cause for all red tests of an application is said once; what only some of its operations do stays red."""

from __future__ import annotations

import pytest

from engine.running.shared_causes import with_shared_causes
from planner.cases import Case, Layer, Status, Technique
from planner.validator import Outcome, Verdict

OPERATIONS = ("GET /teas", "POST /teas", "GET /cups", "GET /pots")


def case(
    operation: str,
    status: Status = Status.FAILED,
    technique: Technique = Technique.SUCCESS,
    green_at: int = 0,
) -> Case:
    return Case(
        id=f"{operation} {technique}",
        description="",
        subject=operation,
        aspect="",
        technique=technique,
        layer=Layer.UNIT,
        cites=(),
        status=status,
        target={"operation": operation},
        last_passed_revision=green_at,
    )


def settled(cases: list[Case], answered: int, secured: tuple[str, ...] = OPERATIONS) -> list[Case]:
    outcomes = {
        each.id: Outcome(node=each.id, verdict=Verdict.FAILED, answered=answered)
        for each in cases
        if each.status is Status.FAILED
    }
    return list(with_shared_causes(cases, outcomes, secured))


@pytest.mark.parametrize(("answered", "words"), [(404, "behind a prefix"), (401, "`auth`"), (403, "`auth`")])
def test_what_all_operations_answer_is_said_once_with_what_to_do(answered: int, words: str) -> None:
    found = settled([case(each) for each in OPERATIONS], answered)
    assert len(found) == len(OPERATIONS)
    assert {each.status for each in found} == {Status.INCONCLUSIVE}
    assert len({each.last_error for each in found}) == 1 and words in found[0].last_error


def test_refusals_that_are_red_by_it_are_told_too_and_those_that_are_green_show_nothing() -> None:
    refused = case("POST /teas", technique=Technique.WRONG_TYPE)
    missing = case("GET /cups", Status.PASSED, Technique.ERROR)
    assert refused.id in {each.id for each in settled([*map(case, OPERATIONS), refused, missing], 404)}


@pytest.mark.parametrize("answered", [404, 401])
@pytest.mark.parametrize(
    "cases",
    [
        [*map(case, OPERATIONS[:3]), case("GET /pots", Status.PASSED)],
        [*map(case, OPERATIONS[:2])],
        [*map(case, OPERATIONS[:3]), case("GET /pots", green_at=3)],
        [case(each, Status.RED_EXPECTED) for each in OPERATIONS],
    ],
    ids=["one is taken", "few", "it was green", "predicted"],
)
def test_other_red_tests_stay_red(cases: list[Case], answered: int) -> None:
    assert settled(cases, answered) == []


def test_other_answers_have_causes_of_their_own() -> None:
    assert settled([case(each) for each in OPERATIONS], 500) == []
    assert settled([case(each) for each in OPERATIONS], 401, ()) == []


def test_what_anybody_may_ask_for_says_nothing_of_credentials() -> None:
    cases = [*map(case, OPERATIONS[:3]), case("GET /pots", Status.PASSED)]
    assert len(settled(cases, 401, OPERATIONS[:3])) == 3
