"""Tests of fields that begin and end one thing."""

from __future__ import annotations

import pytest

from engine.generators.values.in_order import in_order
from engine.generators.values.schema_values import valid
from graph.facts import Json


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("starts", "ends"),
        ("start_date", "end_date"),
        ("startsAt", "endsAt"),
        ("valid_from", "valid_until"),
        ("minPrice", "maxPrice"),
    ],
)
def test_what_ends_comes_after_what_begins(first: str, last: str) -> None:
    for field in (
        {"type": "string", "format": "date"},
        {"type": "string", "format": "time"},
        {"type": "integer"},
    ):
        schema = {"type": "object", "required": [last, first], "properties": {last: field, first: field}}
        made = valid(schema)
        assert made[first] < made[last], field


@pytest.mark.parametrize(
    ("one", "other"), [("start_date", "end_time"), ("start", "finished"), ("inside", "outside")]
)
def test_other_names_do_not_belong_together(one: str, other: str) -> None:
    body: Json = {one: 5, other: 5}
    assert in_order(body, {one: {"type": "integer"}, other: {"type": "integer"}}) == body


@pytest.mark.parametrize(
    ("first", "last"), [("arrival", "departure"), ("departure", "arrival"), ("lent_on", "returned_on")]
)
def test_of_two_days_the_one_that_is_declared_first_begins(first: str, last: str) -> None:
    for field in ({"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}):
        schema = {"type": "object", "required": [last, first], "properties": {first: field, last: field}}
        made = valid(schema)
        assert made[first] < made[last], field


def test_days_of_other_forms_or_more_of_them_tell_nothing() -> None:
    day, time = {"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}
    body: Json = {"born": "2026-03-01", "made": "2026-03-01", "seen": "2026-03-01"}
    assert in_order(body, {"born": day, "made": time}) == body
    assert in_order(body, {"born": day, "made": day, "seen": day}) == body


def test_a_value_that_is_told_and_a_bound_stay() -> None:
    body: Json = {"min": 5, "max": 5}
    assert in_order(body, {"max": {"type": "integer", "default": 5}}) == body
    assert in_order(body, {"max": {"type": "integer", "maximum": 5}}) == body
    assert in_order(body, {"max": {"type": "integer", "maximum": 6}}) == {"min": 5, "max": 6}
    assert in_order(body, {"max": {"type": "integer", "exclusiveMaximum": 6}}) == body
    assert in_order(body, {"max": {"type": "integer", "exclusiveMaximum": 7}}) == {"min": 5, "max": 6}


def test_the_next_number_is_one_that_the_schema_has() -> None:
    body: Json = {"min": 5, "max": 5}
    assert in_order(body, {"max": {"type": "integer", "multipleOf": 5}}) == {"min": 5, "max": 10}
    assert in_order(body, {"max": {"type": "integer", "multipleOf": 5, "maximum": 9}}) == body


@pytest.mark.parametrize("name", ["confirm_password", "passwordConfirmation", "password2", "re_password"])
def test_a_password_that_is_to_be_repeated_is_the_same(name: str) -> None:
    text: Json = {"type": "string"}
    schema: dict[str, Json] = {"type": "object", "required": [name, "password"]}
    made = valid({**schema, "properties": {name: text, "password": text}})
    assert made[name] == made["password"]
    assert in_order({"password": "a", "old_password": "b"}, {}) == {"password": "a", "old_password": "b"}
