from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from crossval.findings import Witness
from crossval.report.frames import columns, cut, frame


def rows(lines: list[str], line: int, width: int, fact: str = "code:function:shop.total") -> list[str]:
    return [row.text for row in frame(Witness(fact, "a.py", line), lambda path: lines, width)]


def test_line_numbers_stand_in_line_and_the_place_is_marked() -> None:
    lines = [f"line {number}" for number in range(1, 12)]
    assert rows(lines, 10, 40) == ["code a.py:10", "   9 | line 9", "> 10 | line 10", "  11 | line 11"]


def test_the_first_and_the_last_line_of_a_file_have_one_neighbour() -> None:
    assert rows(["one", "two"], 1, 40) == ["code a.py:1", "> 1 | one", "  2 | two"]
    assert rows(["one", "two"], 2, 40) == ["code a.py:2", "  1 | one", "> 2 | two"]


def test_a_very_long_line_is_cut_around_what_the_finding_is_about() -> None:
    line = '{"x": 1, ' * 50_0 + '"409": {"description": "sold out"}' + "}" * 500
    shown = rows([line], 1, 60, "spec:response:GET /books#409")[1]
    assert '"409": {"description"' in shown
    assert shown.startswith("> 1 | …") and shown.endswith("…")
    assert columns(shown) <= 60


def test_a_long_line_keeps_its_start_where_the_place_is_seen_there_or_nowhere() -> None:
    line = "def total(" + "argument, " * 50 + ")"
    assert rows([line], 1, 40)[1].startswith("> 1 | def total(argument")
    assert rows([line], 1, 40, "code:function:shop.other")[1].startswith("> 1 | def total(argument")


def test_tabs_are_shown_as_columns_and_wide_characters_count_twice() -> None:
    assert rows(["\tx"], 1, 40)[1] == "> 1 |     x"
    assert columns("値段") == 4
    assert columns("e\u0301") == 1


@given(st.text(), st.integers(4, 40), st.integers(0, 10))
def test_what_is_cut_fits_into_the_width(text: str, width: int, start: int) -> None:
    assert columns(cut(text, width, min(start, len(text)))) <= width


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=20))
def test_what_fits_is_not_cut(text: str) -> None:
    assert cut(text, 40) == text
