"""Names that are sent in camel case, and what is made of them when they come back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.web.schemas.camel_case import camelised, in_camel_case, underscored

WORDS = st.lists(st.text("abcxyz", min_size=2, max_size=5), min_size=1, max_size=4)


@pytest.mark.parametrize(
    ("name", "sent"),
    [("book_title", "bookTitle"), ("line_2", "line2"), ("_hidden", "Hidden"), ("two__words", "two_Words")],
)
def test_names_are_sent_as_the_library_writes_them(name: str, sent: str) -> None:
    assert camelised(name) == sent


@pytest.mark.parametrize(("sent", "name"), [("v2Counter", "v_2_counter"), ("fooBar2", "foo_bar_2")])
def test_names_come_back_as_the_library_documents_it(sent: str, name: str) -> None:
    assert underscored(sent) == name


@given(WORDS)
def test_words_alone_come_back_as_they_were_sent(words: list[str]) -> None:
    name = "_".join(words)
    assert underscored(camelised(name)) == name


def test_values_are_no_names() -> None:
    schema = {
        "type": "object",
        "properties": {"of_kind": {"enum": ["big_one"], "default": "big_one"}},
        "required": ["of_kind"],
    }
    assert in_camel_case(schema) == {
        "type": "object",
        "properties": {"ofKind": {"enum": ["big_one"], "default": "big_one"}},
        "required": ["ofKind"],
    }
