"""Tests of what a page's requests come to: what must be sent before, and what of an answer holds for everybody."""

from __future__ import annotations

from graph.facts import Fact, Json, Kind, Location, Tag
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.contracts.operations import Operation, read_operations
from planner.stories.asked import asked_in
from planner.stories.conversations import exchanges_in, rows_in

MADE = {"id": 7, "title": "Milk", "done": False, "created_at": "2026-01-01T10:00:00Z", "owner": {"id": 1}}
ROWS: list[Json] = [
    {"method": "POST", "path": "/todos", "line": 1, "body": {"title": "Milk"}, "answer": MADE},
    {"method": "GET", "path": "/todos/7", "line": 2, "status": "200", "answer": MADE},
    {"method": "DELETE", "path": "/todos/7", "line": 3},
    {"method": "GET", "path": "/todos/7", "line": 4, "status": "404", "answer": {"detail": "None such"}},
    {"method": "GET", "path": "/todos/9", "line": 5, "answer": MADE},
    {"method": "GET", "path": "/sums", "line": 6, "query": [["a", "1"], ["a", "2"]], "answer": {"sum": 3}},
    {"method": "GET", "path": "/todos", "line": 7, "headers": {"X-Token": "t"}, "answer": []},
]
CONTRACT = """\
openapi: 3.1.0
info: {title: Notes, version: '1'}
paths:
  /todos:
    post: {responses: {'201': {description: Made, content: {application/json: {schema: {}}}}}}
  /todos/{number}:
    get: {responses: {'200': {description: One, content: {application/json: {schema: {}}}}}}
    delete: {responses: {'204': {description: Gone}}}
  /sums:
    get: {responses: {'200': {description: Sum, content: {application/json: {schema: {}}}}}}
"""


def page(rows: list[Json] = ROWS) -> Fact:
    place, told = Location("README.md", 1, 9), {"requests": rows}
    return Fact(tag=Tag.SPEC, kind=Kind.PAGE, key="README.md", name="README.md", source=place, aspects=told)


def operations() -> list[Operation]:
    document = Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root="")
    return read_operations(Memory([OpenApiReader().read(document)]))


def test_each_request_of_a_page_is_a_row() -> None:
    assert rows_in(page()) == len(ROWS)
    (made,) = exchanges_in(page(), 0)
    assert (made.method, made.path, made.body) == ("POST", "/todos", {"title": "Milk"})


def test_only_what_holds_for_everybody_is_told_of_an_answer() -> None:
    (made,) = exchanges_in(page(), 0)
    assert made.answer == ({"title": "Milk", "done": False},)
    assert exchanges_in(page(), 3)[-1].answer == ()


def test_what_a_path_names_is_made_and_changed_before() -> None:
    told = [(each.method, each.path, each.is_told) for each in exchanges_in(page(), 3)]
    assert told == [
        ("POST", "/todos", False),
        ("DELETE", "/todos/{id}", False),
        ("GET", "/todos/{id}", True),
    ]


def test_what_was_there_when_a_page_was_written_is_not_expected_of_a_thing_that_is_kept() -> None:
    (kept,) = asked_in(page(), operations(), 4)
    assert (kept.exchange.answer, kept.exchange.status) == ((), "200")
    (worked_out,) = asked_in(page(), operations(), 5)
    assert (worked_out.exchange.answer, worked_out.exchange.status) == (({"sum": 3},), "200")
    assert worked_out.exchange.query == {"a": ["1", "2"]}


def test_a_request_with_credentials_is_no_example_since_they_are_nobodys() -> None:
    assert exchanges_in(page(), 6) == []
