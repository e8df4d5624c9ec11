"""An expression that is compiled later matches as one that is compiled at once."""

from __future__ import annotations

import re

import pytest

from graph.patterns import pattern


def test_it_matches_as_the_compiled_one() -> None:
    later, now = (
        pattern(r"(?P<word>[a-z]+)\d", re.IGNORECASE),
        re.compile(r"(?P<word>[a-z]+)\d", re.IGNORECASE),
    )
    for _ in range(2):
        found, expected = later.search("12 Ab3"), now.search("12 Ab3")
        assert found and expected and found["word"] == expected["word"] == "Ab"
    assert later.sub("-", "a1b2") == now.sub("-", "a1b2") == "--"
    assert later.flags == now.flags


def test_it_is_compiled_when_it_is_used() -> None:
    broken = pattern("(")
    with pytest.raises(re.error):
        broken.search("(")
