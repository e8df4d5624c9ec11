"""What the words of criteria tell of requests and of their answers."""

from __future__ import annotations

import pytest

from graph.facts import Fact, Json, Kind, Location, Tag
from planner.stories.exchanges import Exchange, UnclearExchange, exchanges_of, rows_of


def criterion(text: str = "", **aspects: Json) -> Fact:
    said = {"text": text, **aspects}
    return Fact(
        tag=Tag.SPEC, kind=Kind.CRITERION, key="US-1.1", name="", source=Location("a.md", 1, 1), aspects=said
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            'An item is read: `GET /items/5?q=a&q=b` is answered with 200 and `{"id": 5}`.',
            Exchange("GET", "/items/5", {"q": ["a", "b"]}, status="200", answer=({"id": 5},)),
        ),
        (
            'GET /items/x is refused with status code 404 and an answer that contains `{"detail": "No"}`',
            Exchange("GET", "/items/x", status="404", refused=True, answer=({"detail": "No"},), in_part=True),
        ),
        (
            'When `POST /items` is sent with `{"name": "Foo"}`, the response has status `201`.',
            Exchange("POST", "/items", body={"name": "Foo"}, status="201", in_part=False),
        ),
        (
            "`GET /me` with the header `X-Token: a b` and the cookie `s=1; t=2` returns 200 with the header `ETag`",
            Exchange(
                "GET",
                "/me",
                headers={"X-Token": "a b", "Cookie": "s=1; t=2"},
                status="200",
                told_headers={"ETag": ""},
            ),
        ),
        ("`DELETE /items/5` is rejected.", Exchange("DELETE", "/items/5", refused=True)),
        ("`GET /count` returns `3`", Exchange("GET", "/count", answer=(3,))),
        ("`GET /items/<int:item_id>` returns 200", Exchange("GET", "/items/{item_id}", status="200")),
    ],
)
def test_a_request_and_its_answer_are_read_from_the_words_around_them(text: str, told: Exchange) -> None:
    assert exchanges_of(criterion(text)) == [told]


def test_what_is_sent_for_the_sake_of_the_next_has_no_answer() -> None:
    text = 'After `POST /items` with `{"name": "Foo"}`, `GET /items/{id}` is answered with `{"name": "Foo"}`.'
    first, second = exchanges_of(criterion(text))
    assert (first.is_told, first.body) == (False, {"name": "Foo"})
    assert (second.is_told, second.path, second.answer) == (True, "/items/{id}", ({"name": "Foo"},))


def test_steps_are_read_in_their_order_and_doc_strings_are_what_stands_below_them() -> None:
    told = exchanges_of(
        criterion(
            given=['`POST /items` was sent with\n"""\n{"name": "<name>"}\n"""'],
            when=["`GET /items/1` is sent"],
            then=["the status is <status>", 'the body includes `{"name": "<name>"}`'],
            examples=[{"name": "Foo", "status": "200"}, {"name": "Bar", "status": "404"}],
        ),
        row=1,
    )
    assert [each.body for each in told] == [{"name": "Bar"}, None]
    assert (told[1].status, told[1].answer, told[1].in_part) == ("404", ({"name": "Bar"},), True)


def test_an_outline_has_as_many_rows_as_examples() -> None:
    assert rows_of(criterion("x")) == 1
    assert rows_of(criterion("x", examples=[{"a": "1"}, {"a": "2"}])) == 2


@pytest.mark.parametrize(
    "text",
    ["A title has at most 80 characters.", "`GET /items` lists the items.", "`title` is required."],
)
def test_without_a_request_and_something_told_of_its_answer_nothing_is_told(text: str) -> None:
    assert exchanges_of(criterion(text)) == []


def test_an_amount_beside_an_answer_is_no_status() -> None:
    assert exchanges_of(criterion("`GET /items` is answered within 200 ms.")) == []
    assert exchanges_of(criterion("`GET /items` returns at most 100 items.")) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("`POST /items` with `name=Foo` is answered with 200", "`name=Foo`"),
        ("`GET /items` with the header `X Token` returns 200", "the header `X Token`"),
        ("`GET /items` with the cookie `abc` returns 200", "the cookies `abc`"),
    ],
)
def test_what_cannot_be_read_beside_a_request_is_named(text: str, words: str) -> None:
    with pytest.raises(UnclearExchange, match=words):
        exchanges_of(criterion(text))
