"""Answers stay small and inert."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from crossval.report.escape import clean
from engine.mcp import bounds
from engine.mcp.asked import Paged

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)


@given(st.lists(st.integers(0, 30_000), max_size=8), st.integers(1, 5))
def test_pages_together_are_the_whole_list_in_its_order(lengths: list[int], limit: int) -> None:
    items = [f"{number} {'x' * length}" for number, length in enumerate(lengths)]
    found: list[str] = []
    offset: int | None = 0
    while offset is not None:
        records, offset = bounds.page(items, Paged(offset=offset, limit=limit), lambda item: item)
        assert records or not items
        found += records
    assert found == items


@given(_JSON)
def test_a_small_value_is_left_as_it_is(value: Any) -> None:
    if len(msgspec.json.encode(value)) < 1_000:
        assert bounds.value(value) == value


@given(st.integers(0, 300), st.integers(2_000, 20_000), st.sampled_from("xé\u202e\x00"))
def test_a_large_value_is_cut(count: int, length: int, character: str) -> None:
    value = [character * length] * count
    assert len(msgspec.json.encode(bounds.value({"deep": [value, {"a": value}]}))) < 100_000


def test_what_is_left_out_says_so() -> None:
    assert bounds.value(list(range(200)))[-1] == "… 100 more"
    assert bounds.value("x" * 5_000).endswith("… (1000 more characters)")
    deep: Any = "end"
    for _ in range(50):
        deep = [deep]
    assert "…" in str(bounds.value(deep))


@given(_JSON)
def test_nothing_hidden_is_left_in_a_document(value: Any) -> None:
    def texts(inner: Any) -> list[str]:
        if isinstance(inner, dict):
            return [*inner, *(text for item in inner.values() for text in texts(item))]
        if isinstance(inner, list):
            return [text for item in inner for text in texts(item)]
        return [inner] if isinstance(inner, str) else []

    assert all(text == clean(text) for text in texts(bounds.inert(value)))
