"""Requests as people say them, and what must be so before they are sent."""

from __future__ import annotations

import re

import pytest

from graph.facts import Fact, Json, Kind, Location, Tag
from planner.contracts.placeholders import told_values
from planner.stories.circumstances import circumstances, made_thing
from planner.stories.exchanges import Exchange, UnclearExchange, exchanges_of
from planner.stories.spoken import written
from planner.stories.told_facts import addressed


def criterion(text: str = "", **aspects: Json) -> Fact:
    said = {"text": text, **aspects}
    return Fact(
        tag=Tag.SPEC, kind=Kind.CRITERION, key="US-1.1", name="", source=Location("a.md", 1, 1), aspects=said
    )


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("the client GETs `/health`", "the client `GET /health`"),
        ('the client POSTs `{"a": 1}` to `/x`', 'the client `POST /x` with the body `{"a": 1}`'),
        ('I send a DELETE request to "/x/1"', "I send a `DELETE /x/1`"),
        ('I POST {"a": {"b": 1}} to /x.', 'I `POST /x` with the body `{"a": {"b": 1}}`.'),
        ("a GET request is sent to the endpoint /x/{id}, then", "a `GET /x/{id}`, then"),
        ("the client PATCHes `/a/1` with `{}`", "the client `PATCH /a/1` with `{}`"),
        ('sends `{"a": 1}` to `POST /x`', 'sends `POST /x` with the body `{"a": 1}`'),
        ("with body '{\"u\": 1}'", 'with body `{"u": 1}`'),
        ("`GET /items/5` returns 200", "`GET /items/5` returns 200"),
        ("POST the form to us", "POST the form to us"),
        ("the GETs of last week", "the GETs of last week"),
    ],
)
def test_a_spoken_request_is_put_as_it_is_written(said: str, meant: str) -> None:
    assert written(said) == meant


def test_a_scenario_of_spoken_steps_is_one_exchange() -> None:
    (told,) = exchanges_of(
        criterion(
            given=["the app process is running and accepting connections"],
            when=['the client POSTs `{"user": "ada"}` to `/login`'],
            then=[
                'the response is still HTTP 401 with body `{"error": "no", "at": "<time>"}`',
                "the failed attempt is recorded against `ada`",
            ],
        )
    )
    assert told == Exchange(
        "POST", "/login", body={"user": "ada"}, status="401", answer=({"error": "no"},), in_part=True
    )


@pytest.mark.parametrize("story", ["Take orders with POST /orders", "Orders: `POST /orders`. Then wait"])
def test_what_is_sent_to_no_path_goes_to_the_one_that_its_story_names(story: str) -> None:
    sent = 'the client `POST /orders` with the body `{"item": "pen"}`'
    assert addressed('the client POSTs `{"item": "pen"}`', story) == sent


@pytest.mark.parametrize(
    ("step", "story"),
    [
        ('the client POSTs `{"item": "pen"}`', "Take orders"),
        ('the client POSTs `{"item": "pen"}`', "POST /orders or POST /carts"),
        ('the client POSTs `{"item": "pen"}`', "Change an order by PUT /orders"),
        ('the client POSTs `{"item": "pen"}` to `/carts`', "POST /orders"),
        ("the client POSTs two orders", "POST /orders"),
        ('the client POSTs `{"item": "pen"}` and POSTs `{"item": "ink"}`', "POST /orders"),
    ],
)
def test_a_step_is_left_as_it_is_where_its_story_does_not_tell_where_it_is_sent(
    step: str, story: str
) -> None:
    assert addressed(step, story) == step


@pytest.mark.parametrize(
    ("when", "missing"),
    [
        ('the client POSTs `{"user": "ada"}`', "the path to which"),
        ("the client POSTs `/orders` twice", "what “twice” says of POST /orders"),
        ("the client POSTs any credentials to `/login`", "what “any credentials” says of"),
        ('the client POSTs `{"id": N+1}` to `/orders`', "the values that"),
    ],
)
def test_a_request_of_which_more_is_said_than_can_be_sent_is_told_with_what_is_missing(
    when: str, missing: str
) -> None:
    with pytest.raises(UnclearExchange, match=re.escape(missing)):
        exchanges_of(criterion(when=[when], then=["the response is HTTP 201"]))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"id": N+1, "item": "widget"}', ({"item": "widget"}, True)),
        ('{"id": 1, ...}', ({"id": 1}, True)),
        ('{"id": "<uuid>", "done": true}', ({"done": True}, True)),
        ('{"why": "it\'s ..."}', ({"why": "it's ..."}, False)),
        ("[]", ([], False)),
    ],
)
def test_what_an_answer_leaves_open_is_left_out(text: str, told: tuple[Json, bool]) -> None:
    assert told_values(text) == told


@pytest.mark.parametrize("text", ["order_id", "[<any>]"])
def test_what_tells_no_value_is_no_answer(text: str) -> None:
    with pytest.raises(ValueError):
        told_values(text)


def _needed(given: str, *, refused: bool = False) -> list[str]:
    told = criterion(given=[given], when=["the client GETs `/orders/1`"], then=["the response is HTTP 200"])
    return circumstances(told, refused=refused)


@pytest.mark.parametrize(
    "given",
    [
        "the app is running",
        "the API server is up",
        "an unauthenticated client",
        "any external dependency state (the demo has none)",
        "the request body `{}` is JSON",
    ],
)
def test_what_needs_nothing_is_not_to_be_brought_about(given: str) -> None:
    assert _needed(given) == []


@pytest.mark.parametrize(
    "given", ["an order with id 1 has been created", "ada is an admin", "the database is down"]
)
def test_a_state_that_only_words_tell_is_to_be_brought_about(given: str) -> None:
    assert _needed(given) == [given]
    assert _needed(given, refused=True) == [given]


def test_that_nothing_is_there_needs_nothing_where_the_request_is_refused() -> None:
    nothing = "no order with id 1 exists"
    assert _needed(nothing) == [nothing]
    assert _needed(nothing, refused=True) == []


def test_a_clause_that_tells_a_state_is_to_be_brought_about() -> None:
    told = criterion("`POST /accounts` is answered with 409 if the nickname is taken.")
    assert circumstances(told, refused=True) == ["the nickname is taken"]
    after = criterion("When `POST /x` is sent with `{}`, `GET /x` is answered with 200.")
    assert circumstances(after, refused=False) == []


def test_who_asks_is_to_be_brought_about_where_it_is_not_just_anybody() -> None:
    by_admin = criterion(when=["an admin GETs `/users`"], then=["the response is HTTP 200"])
    assert circumstances(by_admin, refused=False) == ["an admin GETs `/users`"]


@pytest.mark.parametrize(
    ("words", "thing"),
    [
        ("an order with id 1 has been created", ("order", "1")),
        ("item `5` exists", ("item", "5")),
        ("there is an item with id 7", ("item", "7")),
        ("an existing order", ("order", "")),
        ("the order is paid", None),
        ("an order with 3 lines exists", None),
    ],
)
def test_a_thing_that_is_said_to_be_there_has_a_noun_and_perhaps_an_identity(
    words: str, thing: tuple[str, str] | None
) -> None:
    assert made_thing(words) == thing
