"""Values for schemas: each statement is kept by valid values, and broken alone by the others."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.generators.values.other_values import other
from engine.generators.values.patterns import matching_text
from engine.generators.values.schema_values import (
    NoValueError,
    inside,
    outside,
    unknown_value,
    valid,
    wrong_type,
)
from graph.facts import Json
from planner.contracts.violations import keeps, violations

BOUNDED = st.one_of(
    st.builds(
        lambda low, size: {"type": "string", "minLength": low, "maxLength": low + size},
        st.integers(1, 50),
        st.integers(0, 50),
    ),
    st.builds(
        lambda low, size: {"type": "integer", "minimum": low, "maximum": low + size},
        st.integers(-1000, 1000),
        st.integers(0, 1000),
    ),
    st.builds(
        lambda low, size: {"type": "number", "exclusiveMinimum": low, "exclusiveMaximum": low + size},
        st.integers(-1000, 1000),
        st.integers(3, 1000),
    ),
    st.builds(
        lambda low, size: {
            "type": "array",
            "items": {"type": "string"},
            "minItems": low,
            "maxItems": low + size,
        },
        st.integers(1, 10),
        st.integers(0, 10),
    ),
)


def broken(schema: dict[str, Any], value: Any) -> list[str]:
    return [each.keyword for each in violations(schema, value, "body")]


@given(BOUNDED)
def test_each_bound_is_kept_inside_and_alone_broken_outside(schema: dict[str, Any]) -> None:
    assert broken(schema, valid(schema, "title")) == []
    for bound in set(schema) - {"type", "items"}:
        assert broken(schema, inside(schema, bound, "title")) == []
        assert broken(schema, outside(schema, bound, "title")) == [bound]


@pytest.mark.parametrize("name", ["date", "date-time", "email", "uuid", "uri", "ipv4"])
def test_formats_have_values_that_keep_them(name: str) -> None:
    schema = {"type": "string", "format": name}
    assert broken(schema, valid(schema)) == []


@pytest.mark.parametrize(
    ("pattern", "least", "most"),
    [
        (r"^[a-z]{3}-\d{2,4}$", 0, None),
        (r"^\w+@\w+\.com$", 12, 14),
        (r"^97[89]-\d{10}$", 0, None),
        (r"^(a|b)+[^x]?$", 3, 5),
        (r"[^\W\d_]+", 4, 4),
    ],
)
def test_a_text_is_made_that_a_pattern_matches(pattern: str, least: int, most: int | None) -> None:
    text = matching_text(pattern, least, most)
    assert text is not None
    assert re.fullmatch(pattern, text)
    assert least <= len(text) <= (most or len(text))


@pytest.mark.parametrize("pattern", ["(?=x)a", r"(a)\1", "(", "a" * 600])
def test_no_text_is_guessed_for_a_pattern_that_is_not_understood(pattern: str) -> None:
    assert matching_text(pattern) is None


def test_an_object_has_what_it_must_have_and_no_more() -> None:
    schema = {
        "type": "object",
        "required": ["title", "id"],
        "properties": {
            "title": {"type": "string"},
            "id": {"type": "integer", "readOnly": True},
            "note": {"type": "string"},
        },
    }
    assert valid(schema) == {"title": "Title"}
    assert valid(schema, whole=True) == {"title": "Title", "note": "Note"}


def test_values_of_another_type_and_unlisted_ones_break_just_that() -> None:
    for kind in ("string", "integer", "number", "boolean", "array", "object"):
        assert broken({"type": kind}, wrong_type({"type": kind}, "body")) == ["type"]
    assert broken(
        {"type": "string", "enum": ["a", "none-of-them"]}, unknown_value({"enum": ["a", "none-of-them"]})
    ) == ["enum"]
    assert unknown_value({"enum": [1, 5]}) == 6
    assert unknown_value({"enum": ["Male", "no"]}) == "none"
    assert unknown_value({"enum": ["none", "no", "x"]}) == "-"
    assert unknown_value({"enum": ["a", "x", "-"]}) == "none-of-them"


@pytest.mark.parametrize("location", ["query", "header", "cookie", "form"])
def test_what_is_sent_as_text_cannot_be_a_text_of_another_type(location: str) -> None:
    for schema in ({"type": "string"}, {"type": "array", "items": {"type": "string"}}, {}):
        with pytest.raises(NoValueError):
            wrong_type(schema, location)
    for schema in ({"type": "integer"}, {"type": "array", "items": {"type": "number"}}):
        assert wrong_type(schema, location) == "not-a-number"
    day = {"type": "string", "format": "date"}
    assert broken(day, wrong_type(day, location)) == ["format"]


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"x-unknown": "computed"},
        {"type": "string", "pattern": "(?=x)a"},
        {"type": "object", "properties": {"a": {}}, "required": ["a"]},
    ],
)
def test_where_a_schema_does_not_say_enough_no_value_is_guessed(schema: dict[str, Any]) -> None:
    with pytest.raises(NoValueError):
        valid(schema, "title")


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "boolean"}, True),
        ({"type": "string", "minLength": 1, "maxLength": 5}, "Title"),
        ({"type": "integer", "minimum": 1, "maximum": 2}, 2),
        ({"enum": ["a", "b"], "type": "string"}, "a"),
        ({"type": "string", "format": "date"}, "2026-01-31"),
        ({"type": "string", "pattern": "^97[89][0-9]{3}$"}, "978000"),
    ],
)
def test_another_value_is_valid_and_differs(schema: dict[str, Json], value: Json) -> None:
    found = other(schema, value)

    assert found != value
    assert keeps(schema, found)


def test_there_is_no_other_value_of_one() -> None:
    with pytest.raises(NoValueError):
        other({"type": "string", "enum": ["a"]}, "a")


def test_an_example_is_preferred_and_one_that_breaks_its_schema_is_none() -> None:
    assert valid({"type": "string", "example": "Milk"}, "title") == "Milk"
    assert valid({"type": "string", "maxLength": 3, "example": "Milk"}, "title") != "Milk"


def test_a_text_of_a_format_and_a_pattern_is_that_of_the_format_and_none_is_empty_that_need_not_be() -> None:
    decimal = {"type": "string", "format": "decimal", "pattern": r"^-?\d{0,3}(?:\.\d{0,6})?$"}
    assert valid(decimal, "latitude") == "1.50"
    assert valid({"type": "string", "pattern": "^[a-z]*$"}, "code") != ""


def test_of_listed_values_one_is_chosen_that_asks_for_nothing_further() -> None:
    assert valid({"enum": ["CUSTOM", "DAY", "WEEK"]}) == "DAY"
    assert valid({"enum": ["other", "custom"]}) == "other"
    assert valid({"enum": ["customer", "day"]}) == "customer"


def test_of_several_objects_one_is_sent_with_what_tells_which_one_it_is() -> None:
    kinds = [
        {"type": "object", "required": ["peak"],
         "properties": {"kind": {"enum": [kind], "default": kind}, "peak": {"type": "integer"}}}
        for kind in ("ramp", "sine")
    ]  # fmt: skip
    assert valid({"anyOf": kinds, "discriminator": {"propertyName": "kind"}}) == {"kind": "ramp", "peak": 1}
    assert valid({"anyOf": kinds}) == {"peak": 1}
