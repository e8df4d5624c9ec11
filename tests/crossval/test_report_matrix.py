"""The traceability matrix as a spreadsheet reads it."""

from __future__ import annotations

import csv
import io

import pytest

from crossval.findings import Finding, Witness
from crossval.report.matrix import COLUMNS, matrix
from crossval.report.threads import Strand, Thread
from graph.facts import Fact, Kind, Location, Tag
from tests.crossval.test_report_hostile import HOSTILE
from tests.crossval.test_report_laws import FORBIDDEN


def fact(tag: Tag, kind: Kind, key: str, path: str = "a.py", **aspects: object) -> Fact:
    return Fact(tag=tag, kind=kind, key=key, name=key, source=Location(path, 3, 4), aspects=dict(aspects))


def rows(*threads: Thread) -> list[dict[str, str]]:
    text = matrix(threads)
    assert text.split("\n", 1)[0] == ",".join(f'"{name}"' for name in COLUMNS)
    return list(csv.DictReader(io.StringIO(text), strict=True))


def thread(fact: Fact, *strands: Strand, criteria: tuple[Thread, ...] = (), findings: int = 0) -> Thread:
    found = Finding(
        rule="criterion-not-tested", subject="s", aspect="a", message="m", spec=Witness("x", "s.md", 1)
    )
    return Thread(
        fact,
        (),
        tuple(each for each in strands if each.fact.tag is not Tag.TEST),
        tuple(each for each in strands if each.fact.tag is Tag.TEST),
        (found,) * findings,
        criteria,
    )


STORY = fact(Tag.SPEC, Kind.STORY, "US-3", "s.md", want="to order a book")
FIRST = fact(
    Tag.SPEC, Kind.CRITERION, "US-3.1", "s.md", text="An order that cannot be met is answered with 409."
)
SECOND = fact(Tag.SPEC, Kind.CRITERION, "US-3.2", "s.md", text="Shipping is free.")
ORDER = Strand(fact(Tag.CODE, Kind.FUNCTION, "shop.order", "shop.py"), 0.666, "names it")
CONTRACT = Strand(fact(Tag.SPEC, Kind.OPERATION, "POST /orders", "o.yaml"), 0.9, "both say")
OVER = Strand(fact(Tag.TEST, Kind.TEST, "t.py::test_order", "t.py"), 0.6, "calls it", ORDER.fact.id)
ALONE = Strand(fact(Tag.TEST, Kind.TEST, "t.py::test_free", "t.py"), 1.0, "cites it")


def test_each_criterion_has_a_row_for_each_code_with_each_test_of_it() -> None:
    first = thread(FIRST, ORDER, CONTRACT, OVER, ALONE, findings=2)
    found = rows(thread(STORY, criteria=(first, thread(SECOND))))
    assert [(each["criterion"], each["code"], each["test"]) for each in found] == [
        ("US-3.1", "code:function:shop.order", "test:test:t.py::test_order"),
        ("US-3.1", "", "test:test:t.py::test_free"),
        ("US-3.2", "", ""),
    ]
    assert {each["story"] for each in found} == {"US-3"}
    assert found[0] == {
        "story": "US-3",
        "criterion": "US-3.1",
        "text": "An order that cannot be met is answered with 409.",
        "place": "s.md:3",
        "code": "code:function:shop.order",
        "code_place": "shop.py:3",
        "code_confidence": "0.67",
        "code_reason": "names it",
        "test": "test:test:t.py::test_order",
        "test_place": "t.py:3",
        "test_confidence": "0.6",
        "test_reason": "calls it",
        "findings": "criterion-not-tested, criterion-not-tested",
    }


def test_a_story_has_a_row_of_its_own_only_where_something_is_tied_to_it_or_it_has_no_criteria() -> None:
    assert [each["criterion"] for each in rows(thread(STORY, criteria=(thread(SECOND),)))] == ["US-3.2"]
    assert [each["criterion"] for each in rows(thread(STORY, ALONE, criteria=(thread(SECOND),)))] == [
        "",
        "US-3.2",
    ]
    (alone,) = rows(thread(STORY))
    assert (alone["criterion"], alone["text"], alone["code"]) == ("", "to order a book", "")
    (free,) = rows(thread(SECOND))
    assert (free["story"], free["criterion"]) == ("", "US-3.2")


@pytest.mark.parametrize(
    "formula", ["=1+1", "+1", "-1", "@SUM(A1)", "  =1", "\t=1", "\r=1", "＝1", "=cmd|' /C calc'!A0"]
)
def test_no_cell_is_a_formula(formula: str) -> None:
    hostile = fact(Tag.SPEC, Kind.CRITERION, formula, formula, text=formula)
    tie = Strand(fact(Tag.TEST, Kind.TEST, "t", formula), 1.0, formula)
    for cell in rows(thread(hostile, tie))[0].values():
        assert not cell.strip().startswith(("=", "+", "-", "@", "＝"))


@pytest.mark.parametrize("words", HOSTILE.values(), ids=HOSTILE)
def test_hostile_words_are_words(words: str) -> None:
    hostile = fact(Tag.SPEC, Kind.CRITERION, words, words[:300], text=words)
    text = matrix([thread(hostile, Strand(fact(Tag.CODE, Kind.FUNCTION, words, words[:300]), 0.5, words))])
    text.encode()
    assert FORBIDDEN.search(text) is None
    assert len(text.splitlines()) == 2
    assert len(next(csv.reader([text.splitlines()[1]], strict=True))) == len(COLUMNS)
