"""A block loses the indent that all its lines have, as `textwrap` has it."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.indents import dedented


@given(st.text(" \t\nab", max_size=40))
def test_it_gives_what_textwrap_gives(text: str) -> None:
    assert dedented(text) == textwrap.dedent(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("  a\n   b\n", "a\n b\n"), ("  a\n \t\n  b", "a\n\nb"), ("\ta\n  b", "\ta\n  b"), (" \n", "\n")],
)
def test_a_common_indent_goes(text: str, expected: str) -> None:
    assert dedented(text) == expected
