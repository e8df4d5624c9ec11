"""Planning again: what a person changed and what is green is never lost."""

from __future__ import annotations

import msgspec

from planner.cases import Case, Layer, Status, Technique, Term
from planner.merging import merged

FACT = "spec:response:GET /a#200"


def case(identifier: str, points: float = 10.0, **changes: object) -> Case:
    base = Case(
        id=identifier,
        description="as planned",
        subject="GET /a",
        aspect="responses.200",
        technique=Technique.SUCCESS,
        layer=Layer.INTEGRATION,
        cites=(FACT,),
        priority=points,
        why=(Term("technique", points, "because"),),
    )
    return msgspec.structs.replace(base, **changes)


def test_new_cases_come_behind_the_known_ones_by_falling_priority() -> None:
    result = merged([case("old", 1.0)], [case("low", 2.0), case("old", 1.0), case("high", 9.0)], {FACT})
    assert [each.id for each in result] == ["old", "high", "low"]


def test_the_words_and_the_status_of_a_known_case_stay() -> None:
    known = case("a", description="my words", status=Status.PASSED, node="tests/x.py::test_a", digest="d")
    (result,) = merged([known], [case("a", 30.0)], {FACT})
    assert result == msgspec.structs.replace(known, priority=30.0, why=(Term("technique", 30.0, "because"),))


def test_a_priority_that_a_person_set_stays() -> None:
    known = case("a", priority=99.0)
    (result,) = merged([known], [case("a", 30.0)], {FACT})
    assert (result.priority, result.why) == (99.0, known.why)


def test_a_case_that_the_specs_no_longer_ask_for_is_obsolete_and_comes_back() -> None:
    known = case("a", status=Status.PASSED, node="tests/x.py::test_a")
    (gone,) = merged([known], [], {FACT})
    assert gone.status is Status.OBSOLETE
    (back,) = merged([gone], [case("a")], {FACT})
    assert back.status is Status.GENERATED


def test_a_case_by_hand_is_obsolete_only_when_a_fact_that_it_cites_is_gone() -> None:
    by_hand = case("mine", why=(), priority=0.0)
    assert merged([by_hand], [], {FACT}) == [by_hand]
    assert merged([by_hand], [], set())[0].status is Status.OBSOLETE


def test_planning_twice_is_planning_once() -> None:
    once = merged([case("old")], [case("old"), case("new")], {FACT})
    assert merged(once, [case("old"), case("new")], {FACT}) == once


def test_a_case_about_members_gets_those_of_today_and_its_test_is_written_anew() -> None:
    before, now = {"members": ["spec:function:a"]}, {"members": ["spec:function:a", "spec:function:b"]}
    known = case(
        "a", target=before, cites=("spec:function:a",), status=Status.PASSED, node="tests/x.py::test_a"
    )
    planned = case("a", target=now, cites=("spec:function:a", "spec:function:b"))
    (result,) = merged([known], [planned], {"spec:function:a", "spec:function:b"})
    assert (result.target, result.cites) == (planned.target, planned.cites)
    assert result.status is Status.GENERATED
    (same,) = merged([msgspec.structs.replace(result, status=Status.PASSED)], [planned], planned.cites)
    assert same.status is Status.PASSED
