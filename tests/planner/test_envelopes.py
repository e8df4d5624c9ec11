"""Tests of where the thing stands that an answer tells of."""

from __future__ import annotations

import pytest

from graph.facts import Json
from planner.contracts.envelopes import is_sure, unwrapped

SPOT: dict[str, Json] = {
    "type": "object",
    "properties": {"id": {"type": "integer"}, "label": {"type": "string"}},
}
TEXT: dict[str, Json] = {"type": "string"}


@pytest.mark.parametrize(
    "beside",
    [{}, {"meta": {"type": "object"}}, {"success": {"type": "boolean"}, "error": TEXT}, {"request_id": TEXT}],
)
def test_the_only_object_that_identifies_something_is_in_an_envelope(beside: dict[str, Json]) -> None:
    assert unwrapped({"type": "object", "properties": {"spot": SPOT, **beside}}) == ("spot", SPOT)


@pytest.mark.parametrize(
    "properties",
    [
        {"id": {"type": "integer"}, "owner": SPOT},
        {"owner": SPOT, "total": {"type": "number"}},
        {"from": SPOT, "to": SPOT},
        {"order_id": {"type": "integer"}, "data": SPOT},
        {"data": {"type": "array", "items": SPOT}},
    ],
)
def test_a_thing_that_has_another_in_it_is_no_envelope(properties: dict[str, Json]) -> None:
    schema = {"type": "object", "properties": properties}
    assert unwrapped(schema) == ("", schema)


def test_an_envelope_may_be_empty_where_its_field_is_not_required_or_may_be_null() -> None:
    maybe = {"properties": {"data": {"anyOf": [SPOT, {"type": "null"}]}}, "required": ["data"]}
    assert unwrapped(maybe)[0] == "data"
    assert not is_sure(maybe, "data")
    assert not is_sure({"properties": {"data": SPOT}}, "data")
    assert is_sure({"properties": {"data": SPOT}, "required": ["data"]}, "data")
    assert is_sure(SPOT, "")
