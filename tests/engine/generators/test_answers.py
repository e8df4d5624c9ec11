"""What is asserted of an answer's shape."""

from __future__ import annotations

from engine.generators.operations.answers import shape


def test_what_is_always_null_is_asked_to_be() -> None:
    envelope = {"type": "object", "required": ["data"], "properties": {"data": {"type": "null"}}}
    assert 'assert answer["data"] is None' in [each.text for each in shape(envelope, "answer", "spec:a", 3)]
