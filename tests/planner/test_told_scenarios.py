"""Scenarios as analysts write them: tables of things, people by their names, money and days in people's words."""

from __future__ import annotations

from typing import Any

import pytest

from engine.generators.stories.criterion import CriterionGenerator
from graph.facts import Fact, Kind, Tag
from graph.source import Memory
from planner.generator import Application, Context, Declined, Draft
from planner.stories.criteria import Criteria
from tests.engine.twins.proving import of_stories, source_of

CAMP = """\
openapi: 3.1.0
info: {title: Camp, version: '1'}
security: [{bearer: []}]
paths:
  /pitches:
    post:
      summary: Add a pitch
      requestBody: {required: true, content: {application/json: {schema: {type: object,
        required: [code, kind, capacity, nightly_rate_cents], properties: {code: {type: string,
        pattern: '^[A-Z][0-9]{1,3}$'}, kind: {type: string, enum: [tent, cabin]},
        capacity: {type: integer, maximum: 12},
        nightly_rate_cents: {type: integer}, has_power: {type: boolean}, tags: {type: array, items: {type: string}}}}}}}
      responses: {'201': {description: Added, content: {application/json: {schema: &pitch {type: object,
        required: [id, code, kind, status], properties: {id: {type: integer}, code: {type: string},
        kind: {type: string}, status: {type: string, enum: [available, closed]}, has_power: {type: boolean}}}}}},
        '409': {description: The code is taken (`duplicate_code`)}, '422': {description: Invalid data}}
  /pitches/{id}:
    parameters: [&id {name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *pitch}}}}}
  /pitches/{id}/close:
    parameters: [*id]
    post:
      summary: Close a pitch
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [reason],
        properties: {reason: {type: string}}}}}}
      responses: {'200': {description: "The pitch, closed", content: {application/json: {schema: *pitch}}},
        '403': {description: The pitch of another}}
  /guests:
    post:
      summary: Register a guest
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name, email],
        properties: {name: {type: string}, email: {type: string, format: email}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: &guest {type: object, required: [id],
        properties: {id: {type: integer}}}}}}}
  /guests/{id}:
    parameters: [*id]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *guest}}}}}
  /reservations:
    post:
      summary: Make a reservation
      requestBody: {required: true, content: {application/json: {schema: {type: object,
        required: [pitch_id, guest_id, arrival, departure, party_size], properties: {pitch_id: {type: integer},
        guest_id: {type: integer}, arrival: {type: string, format: date}, departure: {type: string, format: date},
        party_size: {type: integer}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: &reservation {type: object,
        required: [id, nights, total_cents], properties: {id: {type: integer}, nights: {type: integer},
        total_cents: {type: integer}}}}}}, '409': {description: The pitch is taken (`pitch_taken`)}}
  /reservations/{id}:
    parameters: [*id]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *reservation}}}}}
components: {securitySchemes: {bearer: {type: http, scheme: bearer}}}
"""
PITCH = "POST /pitches code=T1 kind=tent capacity=4 nightly_rate_cents=2000"
MARTA = "POST /guests name=Marta Kowalska email=marta@example.org"
STAY = "POST /reservations arrival=2030-07-10 departure=2030-07-13 party_size=2 guest_id:1 pitch_id:0"
BACKGROUND = """\
    Given the tent pitch "T1" for 4 people at 20.00 a night
    And the guest "Marta Kowalska" with the e-mail address "marta@example.org"
"""


@pytest.mark.parametrize(
    ("steps", "requests"),
    [
        (
            BACKGROUND
            + """\
    When Marta reserves "T1" from 2030-07-10 to 2030-07-13 for 2 people
    Then it has 3 nights
    And its total is 60.00
""",
            [
                PITCH.replace("code=T1 kind=tent", "kind=tent code=T1"),
                MARTA,
                f"{STAY} -> nights=3 total_cents=6000",
            ],
        ),
        (
            BACKGROUND
            + """\
    Given Marta has reserved "T1" from 2030-07-10 to 2030-07-13 for 2 people
    When Marta reserves "T1" from 2030-07-10 to 2030-07-13 for 2 people
    Then the reservation is refused as "pitch_taken"
""",
            [PITCH.replace("code=T1 kind=tent", "kind=tent code=T1"), MARTA, STAY, f"{STAY} 409"],
        ),
        (
            BACKGROUND
            + """\
    When Jan reserves "T1" from 2030-07-10 to 2030-07-13 for 2 people
    Then it has 3 nights
""",
            None,
        ),
        (
            """\
    Given the following pitches:
      | code | kind | capacity | nightly rate | power |
      | T1   | tent | 4        | 20.00        | no    |
      | C1   | cabin | 6       | 75.50        | yes   |
    When the manager closes "T1" because of "Flooded"
    Then the pitch "C1" is available
""",
            [
                f"{PITCH} has_power=False",
                "POST /pitches code=C1 kind=cabin capacity=6 nightly_rate_cents=7550 has_power=True",
                "POST /pitches/{id}/close reason=Flooded id:0",
                "GET /pitches/{id} id:1 -> status=available",
            ],
        ),
        (
            """\
    Given the following pitches:
      | code | colour |
      | T1   | red    |
    When the manager closes "T1" because of "Flooded"
    Then the pitch is "closed"
""",
            None,
        ),
        (
            """\
    When the manager adds the tent pitch "t9" for 13 people at 20.00 a night with the tags
      | shady |
      | quiet |
    Then the pitch is refused as invalid
""",
            [
                "POST /pitches kind=tent code=t9 capacity=13 nightly_rate_cents=2000 tags=['shady', 'quiet'] 422"
            ],
        ),
        (
            """\
    When the manager adds the tent pitch "T1" for 4 people at 20.00 a month
    Then the pitch is "available"
""",
            None,
        ),
    ],
)
def test_steps_in_the_words_of_people_are_requests(steps: str, requests: list[str] | None) -> None:
    found = told(source_of(CAMP, "pitches", feature=f"Feature: Camp\n  Scenario: One\n{steps}"))
    assert found == (requests or [])


def test_people_who_are_let_in_act_by_their_names() -> None:
    feature = """\
Feature: Camp
  Scenario: Two
    Given the users "ada" and "bob" are logged in
    And ada has a pitch "T1"
    When bob closes the pitch
    Then it is refused with 403
  Scenario: Three
    Given the users "ada", "bob" and "cem" are logged in
    And ada has a pitch "T1"
    And bob has a pitch "T2"
    When cem closes "T1"
    Then it is refused with 403
"""
    source = source_of(CAMP, "pitches", feature=feature)
    context = Context(source=source, application=Application("", "app:app"), options={"auth": "entered"})
    two, three = (CriterionGenerator().generate(each, context) for each in of_stories(source))
    assert isinstance(two, Draft)
    assert [line.count("headers=stranger") for line in two.source.split("client.post")[1:]] == [0, 1]
    assert isinstance(three, Declined)
    assert "a third caller" in three.needs


def test_things_of_a_table_keep_different_names_that_are_right() -> None:
    feature = """\
Feature: Camp
  Scenario: Refused
    Given the following pitches:
      | code | kind | capacity | nightly rate |
      | T1   | tent | 4        | 20.00        |
      | T2   | tent | 4        | 20.00        |
    When the manager adds the tent pitch "t9" for 4 people at 20.00 a night
    Then the pitch is refused as invalid
"""
    source = source_of(CAMP, "pitches", feature=feature)
    context = Context(source=source, application=Application("", "app:app"), options={"auth": "entered"})
    draft = CriterionGenerator().generate(of_stories(source)[0], context)
    assert isinstance(draft, Draft)
    codes = [part.partition('"code": "')[2].partition('"')[0] for part in draft.source.split("json=")[1:]]
    assert len(set(codes)) == 3
    assert codes[-1] == "t9"


def told(source: Memory) -> list[str]:
    """The requests for which the only scenario stands."""
    (fact,) = [
        each for each in source.facts(tag=Tag.SPEC, kinds={Kind.CRITERION}) if each.aspects.get("then")
    ]
    return _requests(source, fact)


def _requests(source: Memory, fact: Fact) -> list[str]:
    found = [each for each in Criteria(source).behaviours(fact) if each.like == "told"]
    return [_shown(each) for each in found[0].target["exchanges"]] if found else []


def _shown(exchange: dict[str, Any]) -> str:
    parts = [exchange["method"], exchange["path"]]
    parts += [f"{name}={value}" for name, value in (exchange["body"] or {}).items()]
    parts += [
        f"{name}:{number}" for name, (number, _) in {**exchange["names"], **exchange["sources"]}.items()
    ]
    values = [f"{name}={value}" for each in exchange["answer"] for name, value in each.items()]
    return " ".join(filter(None, (*parts, exchange["status"], *(["->", *values] if values else []))))
