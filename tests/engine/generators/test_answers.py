"""What is asserted of an answer's shape."""

from __future__ import annotations

from engine.generators.operations.answers import echoed, shape


def test_what_is_always_null_is_asked_to_be() -> None:
    envelope = {"type": "object", "required": ["data"], "properties": {"data": {"type": "null"}}}
    assert 'assert answer["data"] is None' in [each.text for each in shape(envelope, "answer", "spec:a", 3)]


def test_a_time_of_day_comes_back_to_the_minute_whatever_its_zone_and_seconds_are_called() -> None:
    fields = {
        "end_time": {"type": "string", "format": "time"},
        "on": {"type": "string", "format": "date-time"},
    }
    shown = {"type": "object", "required": ["end_time", "on"], "properties": fields}
    sent = {"end_time": "14:45:00Z", "on": "2026-01-31T12:30:00Z"}
    told = [each.text for each in echoed(sent, shown, "slot", "spec:a")]
    assert told == ['assert slot["end_time"][:5] == "14:45"']
    assert not list(echoed(sent, {**shown, "required": ["on"]}, "slot", "spec:a"))
