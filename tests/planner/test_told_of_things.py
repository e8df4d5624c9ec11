"""What sentences of stories tell of things and answers, each in words that people use, and what must not be read."""

from __future__ import annotations

import pytest

from graph.facts import Json, Kind, Tag
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from ingest.stories.reader import StoryReader
from planner.stories.criteria import Criteria

CONTRACT = """\
openapi: 3.1.0
info: {title: Rentals, version: '1'}
security: [{key: []}]
paths:
  /bikes:
    get:
      parameters: [{name: colour, in: query, schema: {type: string}}]
      responses:
        '200': {description: All, content: {application/json: {schema: {type: array,
          items: {$ref: '#/components/schemas/Bike'}}}}}
        '401': {description: Who}
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewBike'}}}}
      responses:
        '201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Bike'}}}}
        '409': {description: The plate is taken}
  /bikes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      responses:
        '200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Bike'}}}}
        '404': {description: No}
    delete: {summary: Scrap a bike, responses: {'204': {description: Gone}, '404': {description: No}}}
  /bikes/{id}/reserve:
    post:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses:
        '200': {description: Reserved, content: {application/json: {schema: {$ref: '#/components/schemas/Bike'}}}}
        '404': {description: No}
        '409': {description: It was reserved before}
  /bikes/{id}/repairs:
    post:
      summary: Mend a bike
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [hours],
        properties: {hours: {type: integer}}}}}}
      responses:
        '200': {description: Mended, content: {application/json: {schema: {$ref: '#/components/schemas/Bike'}}}}
        '404': {description: No}
  /members:
    post:
      security: []
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [email],
        properties: {email: {type: string}}}}}}
      responses: {'201': {description: In}, '409': {description: Registered already}}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  schemas:
    NewBike:
      type: object
      required: [plate]
      properties:
        plate: {type: string}
        colour: {type: string, enum: [red, blue, green]}
        minutes: {type: integer}
        tags: {type: array, items: {type: string}}
        note: {type: string}
        electric: {type: boolean}
        keeper: {type: string}
        bought: {type: string, format: date}
    Bike:
      type: object
      required: [id, plate, colour, minutes, tags, note, electric, state, trips]
      properties:
        id: {type: integer}
        plate: {type: string}
        colour: {type: string, enum: [red, blue, green]}
        minutes: {type: integer}
        tags: {type: array, items: {type: string}}
        note: {type: string}
        electric: {type: boolean}
        bought: {type: string, format: date}
        state: {type: string, enum: [free, reserved, scrapped]}
        trips: {type: integer}
"""
BIKE, RESERVE = "POST /bikes", "POST /bikes/{id}/reserve"


def said(sentence: str) -> list[tuple[str, dict[str, Json]]]:
    story = f"# Bikes\n\n## US-1: Lend a bike\n\nAs a clerk, I want to lend a bike.\n\n- AC-1: {sentence}\n"
    contract = Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root="")
    told = Document(path="stories.md", role=Role.STORY, text=story, root="")
    source = Memory([OpenApiReader().read(contract), StoryReader().read(told)])
    (fact,) = source.facts(tag=Tag.SPEC, kinds={Kind.CRITERION})
    return [(each.like, each.target) for each in Criteria(source).behaviours(fact)]


def starts(field: str, value: Json, operation: str = BIKE) -> list[tuple[str, dict[str, Json]]]:
    return [("starts", {"operation": operation, "field": field, "value": value})]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("A new bike has 0 trips.", starts("trips", 0)),
        ("A new bike has no tags.", starts("tags", [])),
        ("A new bike is free.", starts("state", "free")),
        ("A new bike has a number of trips.", []),
        ("A bike is not electric by default.", starts("electric", False)),
        ("The colour is one of red, blue and green; without one it is blue.", starts("colour", "blue")),
        ("A bike is lent for 30 minutes unless told otherwise.", starts("minutes", 30)),
        ("The minutes default to 45.", starts("minutes", 45)),
        ("The note of a bike may be left out and is empty then.", starts("note", "")),
        ("A new bike is not free of charge.", []),
        ("A new bike has a plate and no brakes.", []),
        ("A reserved bike has the state reserved.", starts("state", "reserved", RESERVE)),
        ("By default, nobody rides more than 30 minutes or 3 trips.", []),
    ],
)
def test_values_at_first_by_default_and_afterwards(sentence: str, expected: list[object]) -> None:
    found = [each for each in said(sentence) if each[0] == "starts"]
    assert found == expected


@pytest.mark.parametrize(
    ("sentence", "like", "operation"),
    [
        ("A scrapped bike is answered with 404.", "gone", "DELETE /bikes/{id}"),
        ("A scrapped bike is not found any more.", "gone", "DELETE /bikes/{id}"),
        ("Reserving a bike twice is answered with 409.", "again", RESERVE),
        ("A plate that is taken is rejected with 409.", "again", BIKE),
        ("An e-mail that is registered already is rejected with 409.", "again", "POST /members"),
        ("Mending a bike that does not exist is answered with 404.", "missing", "POST /bikes/{id}/repairs"),
        ("A bike that doesn't exist is answered with 404.", "missing", "GET /bikes/{id}"),
        ("The colour of a bike is one of red, blue and green.", "unlisted", BIKE),
    ],
)
def test_answers_in_the_words_of_people(sentence: str, like: str, operation: str) -> None:
    assert [(each, target["operation"]) for each, target in said(sentence)] == [(like, operation)]


@pytest.mark.parametrize(
    ("sentence", "order"),
    [
        ("The oldest bike comes first.", {"newest": False}),
        ("The newest bike comes first.", {"newest": True}),
        ("The earliest bike comes first.", {"newest": False, "by": "bought"}),
        ("The latest bike comes first.", {"newest": True, "by": "bought"}),
        ("Bikes are sorted by plate unless another order is asked for.", {"newest": False, "by": "plate"}),
        ("Bikes are listed in descending order by minutes.", {"newest": True, "by": "minutes"}),
        ("Bikes are sorted by minutes, descending.", {"newest": True, "by": "minutes"}),
        ("Bikes are sorted by how far they went.", None),
    ],
)
def test_orders_of_lists(sentence: str, order: dict[str, Json] | None) -> None:
    found = [target for like, target in said(sentence) if like == "order"]
    read = {"operation": BIKE, "read": "GET /bikes"}
    assert found == ([] if order is None else [{**read, **order}])


def test_what_nobody_may_ask_without_credentials() -> None:
    found = said("Without a token every request for bikes is answered with 401.")
    assert {target["operation"] for like, target in found if like == "auth"} == {
        BIKE, "GET /bikes", "GET /bikes/{id}", "DELETE /bikes/{id}",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "place", "bounds"),
    [
        (
            "A bike takes at least 10 and at most 120 minutes.",
            "body.minutes",
            [("minimum", 10), ("maximum", 120)],
        ),
        ("The keeper's name has at most 40 characters.", "body.keeper", [("maxLength", 40)]),
        ("The hours are at most 8.", "body.hours", [("maximum", 8)]),
    ],
)
def test_bounds_by_a_unit_an_owner_and_the_only_field_of_a_name(
    sentence: str, place: str, bounds: list[tuple[str, int]]
) -> None:
    found = [target for like, target in said(sentence) if like == "bound"]
    assert [(each["bound"], each["value"]) for each in found] == bounds
    assert {each["place"] for each in found} == {place}


@pytest.mark.parametrize(
    "sentence",
    [
        "A bike for an unknown member is answered with 404.",
        "Painting a bike that does not exist is answered with 404.",
        "A reserved bike cannot be painted.",
        "Bikes are red or blue.",
        "A clerk sees who lent a bike.",
    ],
)
def test_what_nobody_can_tell_is_not_read(sentence: str) -> None:
    assert said(sentence) == []
