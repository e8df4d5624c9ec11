"""What texts regular expressions admit is told from the expressions, and agrees with what `re` finds."""

from __future__ import annotations

import re
import time
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossval.compare.languages import Order, compared, lengths, overlap, texts

_ALL = ["".join(letters) for count in range(5) for letters in product("ab-", repeat=count)]


_ATOMS = st.sampled_from(["a", "b", "-", "[ab]", "[^a]", "ab", ".", r"\w", "(a|b)", "(?:ab|-)"])
_TIMES = st.sampled_from(["", "?", "*", "+", "{2}", "{1,2}"])
_BODY = st.lists(st.builds("(?:{}){}".format, _ATOMS, _TIMES), min_size=1, max_size=3).map("".join)
_EITHER = st.lists(_BODY, min_size=1, max_size=2).map("|".join)
_EXPRESSIONS = st.builds("{}(?:{}){}".format, st.sampled_from(["", "^"]), _EITHER, st.sampled_from(["", "$"]))


@given(_EXPRESSIONS, _EXPRESSIONS)
def test_two_expressions_overlap_where_a_text_is_found_by_both(first: str, second: str) -> None:
    both = any(re.search(first, text) and re.search(second, text) for text in _ALL)
    if both:
        assert overlap(first, second) is not False


def test_expressions_without_a_text_in_common_do_not_overlap() -> None:
    assert overlap("^[a-z]+$", "^-?[0-9]+$") is False
    assert overlap("^2[0-9]{3}$", "^-?[0-9]+$") is True


@given(_EXPRESSIONS, _EXPRESSIONS)
def test_an_order_holds_for_every_text(first: str, second: str) -> None:
    order = compared(first, second)
    assert order is not None
    for text in _ALL:
        ours, theirs = bool(re.search(first, text)), bool(re.search(second, text))
        assert ours <= theirs or order.first_more
        assert theirs <= ours or order.second_more


@given(_EXPRESSIONS)
def test_lengths_hold_for_every_text_that_is_admitted(expression: str) -> None:
    least, most = lengths(expression)
    for text in _ALL:
        if re.search(expression, text):
            assert least <= len(text) and (most is None or len(text) <= most)


@given(_EXPRESSIONS)
def test_texts_that_are_listed_are_all_that_are_admitted(expression: str) -> None:
    listed = texts(expression)
    if listed is not None:
        assert {text for text in _ALL if re.search(expression, text)} == {
            text for text in listed if text in _ALL
        }


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (r"^\d{4}$", "^[0-9]{4}$"),
        ("^[a-zA-Z0-9]+$", "^[A-Za-z0-9]+$"),
        ("^[a-z]{1,}$", "^[a-z]+$"),
        ("^(?:asc|desc)$", "^desc$|^asc$"),
        ("^[A-Z]{3}$", "^[A-Z][A-Z][A-Z]$"),
        (r"^\+?[0-9]{1,}$", "^[+]?[0-9]+$"),
        ("^a.*$", "^a"),
        (r"^a/b\-c$", r"^a\/b-c$"),
        (r"\A[ab]\Z", "^(a|b)$"),
    ],
)
def test_spellings_of_one_language_are_equal(first: str, second: str) -> None:
    assert compared(first, second) == Order(first_more=False, second_more=False)


@pytest.mark.parametrize(
    "expression", ["(?i)a", "(?=a)b", r"(a)\1", r"\bfoo", r"\p{L}", "(", "(" * 900, "a{3000}b{3000}"]
)
def test_what_is_beyond_telling_is_not_told(expression: str) -> None:
    assert compared(expression, "^a$") is None
    assert texts(expression) is None


def test_an_expression_that_explodes_costs_little() -> None:
    began = time.process_time()
    compared("^(.*a.{40})$", "^(.*b.{40})$")
    compared("^((((a?){9}){9}){9}){9}$", "^a*$")
    assert texts("^[ab]{90}$") is None
    assert time.process_time() - began < 10
