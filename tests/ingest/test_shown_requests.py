"""Tests of the requests that pages show, and of what is shown as their answers."""

from __future__ import annotations

import pytest

from graph.facts import Json
from ingest.shown_requests import shown_requests, shows_requests

POST = {"method": "POST", "path": "/todos", "body": {"title": "Milk"}}


def rows(text: str) -> list[dict[str, Json]]:
    assert shows_requests(text)
    return [{name: each for name, each in row.items() if name != "line"} for row in shown_requests(text)]


@pytest.mark.parametrize(
    "command",
    [
        """$ curl -X POST http://localhost:8000/todos -H 'Content-Type: application/json' -d '{"title": "Milk"}'""",
        """curl localhost:8000/todos -d '{"title": "Milk"}'""",
        """curl --json '{"title": "Milk"}' \\\n  --silent $HOST/todos""",
        """curl -sS -XPOST "https://api.example.org/todos" --data '{\n  "title": "Milk"\n}' | jq .""",
        "http POST :8000/todos title=Milk",
        """POST /todos HTTP/1.1\nContent-Type: application/json\n\n{"title": "Milk"}""",
    ],
)
def test_a_request_is_read_however_it_is_written(command: str) -> None:
    assert rows(f"# Use\n\n```sh\n{command}\n```\n") == [POST]


@pytest.mark.parametrize(
    "below",
    [
        '```sh\n{}\nHTTP/1.1 201 Created\nContent-Type: application/json\n\n{{"id": 1}}\n```\n',
        '```sh\n{}\n```\n\nThe response is 201:\n\n```json\n{{"id": 1}}\n```\n',
        '```sh\n{}\n```\n```http\nHTTP/1.1 201 Created\n\n{{"id": 1}}\n```\n',
    ],
)
def test_what_is_shown_below_a_request_is_its_answer(below: str) -> None:
    text = below.format("""curl localhost/todos -d '{"title": "Milk"}'""")
    assert rows(text) == [POST | {"status": "201", "answer": {"id": 1}}]


def test_several_requests_of_one_block_have_each_their_answer() -> None:
    text = '```console\n$ curl localhost/a?x=1\n{"a": 1}\n$ curl localhost/b\n[2]\n```\n'
    assert rows(text) == [
        {"method": "GET", "path": "/a", "query": [["x", "1"]], "answer": {"a": 1}},
        {"method": "GET", "path": "/b", "answer": [2]},
    ]


@pytest.mark.parametrize(
    "command",
    [
        "curl localhost/todos/<id>",
        "curl localhost/todos/{id}",
        "curl -H 'X-Token: $TOKEN' localhost/todos",
        "curl -d @file.json localhost/todos",
        "curl -F file=@a.txt localhost/todos",
        "curl -o out.txt localhost/todos",
        "curl -d 'a=1&b=2' localhost/todos",
        "curl https://example.org",
        "curl 'localhost/todos",
    ],
)
def test_a_request_that_nobody_can_send_as_it_stands_is_left_out(command: str) -> None:
    assert rows(f"```sh\n{command}\n```\n") == []


def test_a_block_under_another_heading_or_far_below_is_no_answer() -> None:
    request = "```sh\ncurl localhost/todos\n```\n"
    for between in ("\n# Settings\n\n", f"\n{'Words about something else. ' * 9}\n\n"):
        assert rows(f'{request}{between}```json\n{{"a": 1}}\n```\n') == [{"method": "GET", "path": "/todos"}]


def test_an_answer_that_is_cut_short_says_only_its_status() -> None:
    text = '```sh\ncurl -i localhost/todos\nHTTP/1.1 200 OK\n\n{"items": [...]}\n```\n'
    assert rows(text) == [{"method": "GET", "path": "/todos", "status": "200"}]
