"""What expressions come to that are written out."""

from __future__ import annotations

import ast
import warnings

import pytest

from graph.literals import NO_LITERAL, is_literal, literal_value, parse_quietly


@pytest.mark.parametrize(
    ("text", "value"), [("[1, 'a']", [1, "a"]), ("None", None), ("-2.5", -2.5), ("...", ...)]
)
def test_a_literal_has_its_value(text: str, value: object) -> None:
    assert literal_value(text) == value
    assert literal_value(ast.parse(text, mode="eval").body) == value


@pytest.mark.parametrize("text", ["", "name", "[1, name]", "1 +", "{[]: 1}", "(" * 5000, "-" * 100_000 + "1"])
def test_whatever_else_has_none(text: str) -> None:
    assert literal_value(text) is NO_LITERAL
    assert not is_literal(text)


def test_none_is_a_literal() -> None:
    assert is_literal("None")


def test_an_odd_spelling_is_no_reason_to_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert literal_value(r"'\d'") == r"\d"
        assert isinstance(parse_quietly("1if name else 2"), ast.IfExp)
        assert isinstance(parse_quietly(r'f"\d{name}"'), ast.JoinedStr)
