"""What a pair is about, in words."""

from __future__ import annotations

import pytest

from crossval.pairs import Pair
from crossval.wording import capital, listing, say, say_python, thing, type_name
from graph.facts import Json, Kind


@pytest.mark.parametrize(
    ("subject", "place", "words"),
    [
        ("GET /a", "", "GET /a"),
        ("GET /a", "parameters.query.limit", "query parameter limit of GET /a"),
        ("GET /a", "parameters.query.tags[]", "each item of query parameter tags of GET /a"),
        ("GET /a", "parameters.query.filter.by", "query parameter filter.by of GET /a"),
        ("GET /a", "body", "the body of GET /a"),
        ("GET /a", "body[]", "each item of the body of GET /a"),
        ("GET /a", "body.items[].price", "field items[].price of the body of GET /a"),
        ("GET /a", "body.tags[]", "each item of field tags of the body of GET /a"),
        ("GET /a", "body.pair[1]", "item 1 of field pair of the body of GET /a"),
        ("GET /a", "responses.404", "the 404 response of GET /a"),
        ("GET /a", "responses.200[].title", "field title of the 200 response of GET /a"),
        ("GET /a", "responses.200.author.name", "field author.name of the 200 response of GET /a"),
        ("GET /a", "responses.200.headers.ETag", "header ETag of the 200 response of GET /a"),
        ("schema Book", "", "schema Book"),
        ("schema Book", "fields.title", "field title of schema Book"),
        ("schema Book", "fields.meta.*", "each value in field meta of schema Book"),
        ("schema Book", "fields.*", "each value in schema Book"),
        ("schema Books", "fields[]", "each item of schema Books"),
    ],
)
def test_a_place_is_said_in_words(subject: str, place: str, words: str) -> None:
    pair = Pair(kind=Kind.FIELD, subject=subject, place=place, name="", spec=None, code=None)
    assert thing(pair) == words


@pytest.mark.parametrize(
    ("values", "words"),
    [([], "nothing"), (["200"], "200"), (["200", "404", "409"], "200, 404 and 409"), ([1, 2], "1 and 2")],
)
def test_a_list_is_read_aloud(values: Json, words: str) -> None:
    assert listing(values) == words


def test_types_have_articles() -> None:
    assert type_name("integer") == "an integer"
    assert type_name(["integer", "string"]) == "an integer or a string"


def test_a_long_value_is_cut() -> None:
    assert len(say("x" * 500)) == 80


def test_a_sentence_begins_with_a_capital_letter() -> None:
    assert capital("field title") == "Field title"


def test_values_of_python_are_said_as_python_writes_them() -> None:
    assert say_python(None) == "None"
    assert say_python([True, "a", {"b": None}]) == '[True, "a", {"b": None}]'
    assert len(say_python("a" * 200)) == 80
