"""Plain patterns of ignore files mean what the library for all of them says."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.discovery import ignore

_PARTS = (
    "a",
    "B",
    "_",
    ".",
    "~",
    "@",
    "-",
    "+",
    "7",
    "*",
    "?",
    "/",
    "!",
    "[",
    "[ab]",
    "]",
    "$",
    ",",
    "\\",
    "#",
    " ",
)


def alike(line: str) -> None:
    """One rule by the short way and by the long way."""
    if ignore._explodes(line):
        return
    short, long = ignore._rule(line), ignore._any_rule(line)
    if short is None or long is None:
        assert short is long
        return
    assert (short.ignore, short.of_path) == (long.ignore, long.of_path)
    assert re.sub(r"\\(?=[~@+-])", "", short.expression) == re.sub(r"\\(?=[~@+-])", "", long.expression)


@given(st.lists(st.sampled_from(_PARTS), max_size=8).map("".join))
def test_any_pattern_gives_the_same_rule(line: str) -> None:
    alike(line)


@pytest.mark.parametrize(
    "line",
    [
        "build",
        "build/",
        "/dist/",
        "*.py[co]",
        "*.egg-info/",
        "!keep.py",
        "docs/_build/",
        "**/x",
        "a*b?",
        ".env ",
        "*$py.class",
        "*.py,cover",
        "[_-[]",
    ],
)
def test_a_usual_pattern_gives_the_same_rule(line: str) -> None:
    alike(line)


@pytest.mark.parametrize("line", ["build", "/dist/", "*.egg-info/", "!keep.py", "*.py[cod]", "*$py.class"])
def test_a_usual_pattern_is_plain(line: str) -> None:
    assert ignore._PLAIN.fullmatch(line)
