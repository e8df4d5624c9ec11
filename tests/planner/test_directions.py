"""What a schema says of requests, and what of answers."""

from __future__ import annotations

from planner.contracts.directions import as_answered, as_sent

SCHEMA = {
    "type": "object",
    "required": ["id", "name", "password"],
    "properties": {
        "id": {"type": "integer", "readOnly": True},
        "name": {"type": "string"},
        "password": {"type": "string", "writeOnly": True},
    },
}


def test_what_is_read_only_is_not_required_of_a_request() -> None:
    sent = as_sent({"type": "array", "items": SCHEMA})
    assert sent["items"]["required"] == ["name", "password"]
    assert sent["items"]["properties"] == SCHEMA["properties"]


def test_what_is_written_only_is_not_in_an_answer() -> None:
    shown = as_answered({"anyOf": [SCHEMA, {"type": "null"}]})["anyOf"][0]
    assert shown["required"] == ["id", "name"]
    assert [*shown["properties"]] == ["id", "name"]
