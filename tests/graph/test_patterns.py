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


def test_a_cheap_expression_decides_first() -> None:
    broken = pattern("(", only_with="x")
    assert broken.search("abc") is None
    assert broken.match("abc") is None
    assert list(broken.finditer("abc")) == []
    with pytest.raises(re.error):
        broken.search("aXc")


def test_with_a_cheap_expression_it_matches_the_same() -> None:
    later = pattern(r"(\d+) or (\d+)", only_with=" or ")
    for _ in range(2):
        assert [match[1] for match in later.finditer("1 or 2, 3 or 4")] == ["1", "3"]
        assert later.search("no") is None
        assert later.fullmatch("5 or 6")


@pytest.mark.parametrize("text", ["by Default", "DEFAULTS to 3", "zero OR more", "zero", "faults", ""])
@pytest.mark.parametrize("words", ["default|or more", "(?:default|or more)"])
def test_plain_words_decide_like_an_expression_of_them(words: str, text: str) -> None:
    later = pattern(r"(?i).*(?:default|or more).*", only_with=words)
    assert (later.search(text) is None) == (re.search("default|or more", text, re.IGNORECASE) is None)


def test_a_text_with_none_of_the_plain_words_is_not_looked_at() -> None:
    broken = pattern("(", only_with="default|or more")
    assert broken.search("no such word") is None
    with pytest.raises(re.error):
        broken.search("one OR more")
