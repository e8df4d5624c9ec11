"""Texts with gaps are filled as Python fills them, or not at all."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ingest.web.constants.text_filling import filled, formatted

VALUES = st.one_of(st.text("ab%{", max_size=3), st.integers(0, 99))


def test_percent_signs_name_values_by_place_and_by_key() -> None:
    assert formatted("<slug:%s>/%d", ["a", 3], several=True) == "<slug:a>/3"
    assert formatted("/%(name)s", {"name": "books"}, several=False) == "/books"
    assert formatted("100%%", [], several=True) == "100%"


def test_what_python_would_refuse_or_shape_is_not_known() -> None:
    assert formatted("%s %s", ["a"], several=True) is ...
    assert formatted("%05d", 3, several=False) is ...
    assert formatted("%d", "a", several=False) is ...
    assert filled("{:>3}", ["a"], {}) is ...
    assert filled("{0.real}", [1], {}) is ...
    assert filled("{}", [], {}) is ...
    assert filled("{}", [None], {}) is ...


@given(st.lists(VALUES, max_size=3), st.text("ab/", max_size=3))
def test_places_are_filled_as_python_fills_them(values: list[str | int], between: str) -> None:
    assert filled(between.join("{}" for _ in values), values, {}) == between.join(map(str, values))
    assert formatted(between.join("%s" for _ in values), values, several=True) == between.join(
        map(str, values)
    )
