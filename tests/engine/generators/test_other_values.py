"""Another value than the one that is there: valid, different, and of the same kind."""

from __future__ import annotations

import pytest

from engine.generators.values.other_values import other
from engine.generators.values.schema_values import NoValueError
from graph.facts import Json
from planner.contracts.violations import keeps


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string", "contentEncoding": "base64"}, "dGV4dA=="),
        ({"type": "string", "format": "byte"}, "dGV4dA=="),
        ({"type": "string", "format": "email"}, "reader@example.org"),
        ({"type": "array", "items": {"type": "string"}}, ["Text"]),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 2}, [1, 2]),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, ["a"]),
        ({"type": "integer", "maximum": 3}, 3),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, None),
    ],
    ids=str,
)
def test_another_value_keeps_the_schema_and_differs(schema: dict[str, Json], value: Json) -> None:
    changed = other(schema, value, "thing")
    assert changed != value
    assert keeps(schema, changed)
    if "base64" in schema.values() or "byte" in schema.values():
        assert changed == "b3RoZXI="


def test_where_nothing_else_is_allowed_none_is_made_up() -> None:
    with pytest.raises(NoValueError):
        other({"enum": ["only"]}, "only", "thing")


def test_what_keys_of_a_callers_own_name_is_not_emptied_or_changed() -> None:
    person = {"type": "object", "properties": {"age": {"type": "integer"}}}
    people: dict[str, Json] = {"type": "object", "additionalProperties": person}
    with pytest.raises(NoValueError):
        other(people, {"Ada": {"age": 3}}, "people")
