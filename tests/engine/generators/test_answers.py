"""What is asserted of an answer's shape."""

from __future__ import annotations

from engine.generators.operations.answers import shape, unshadowed
from engine.generators.operations.echoes import echoed
from engine.generators.source import Expression
from planner.generator import Assertion


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


def test_the_one_thing_of_a_list_comes_back_with_what_it_was_sent_with() -> None:
    one = {"id": {"type": "integer"}, "genre_id": {"type": "integer"}, "title": {"type": "string"}}
    items = {"type": "object", "required": [*one], "properties": one}
    shown = {
        "type": "object",
        "required": ["lines"],
        "properties": {"lines": {"type": "array", "items": items}},
    }
    line = {"id": 1, "genre_id": Expression('genre.json()["id"]'), "title": "A", "other": 2}
    found = [each.text for each in echoed({"lines": [line]}, shown, "order", "spec:a")]
    assert found == [
        'assert [each["genre_id"] for each in order["lines"]] == [genre.json()["id"]]',
        'assert [each["title"] for each in order["lines"]] == ["A"]',
    ]
    assert not list(echoed({"lines": [line, line]}, shown, "order", "spec:a"))


def test_a_loop_over_a_list_leaves_the_name_of_an_answer_alone_that_is_still_needed() -> None:
    loop = [Assertion("for genre in book['genres']:"), Assertion("    assert genre['genre'] == 1")]
    before = ['genre = client.post("/genres")']
    assert [each.text for each in unshadowed(loop, before)] == [
        "for genre_item in book['genres']:",
        "    assert genre_item['genre'] == 1",
    ]
    assert unshadowed(loop, ["tea = client.get('/teas')"]) == loop
