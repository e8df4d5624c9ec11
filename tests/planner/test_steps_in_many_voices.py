"""Scenarios told in the passive voice, by things that act themselves, with units, lists and clauses about things."""

from __future__ import annotations

from typing import Any

import pytest

from graph.facts import Kind
from graph.source import Memory
from planner.stories.clauses import clause_in, told_field
from planner.stories.criteria import Criteria
from planner.stories.plain import plainly
from planner.stories.voices import as_act
from tests.engine.twins.proving import source_of

YARD = """\
openapi: 3.1.0
info: {title: Yard, version: '1'}
paths:
  /barrels:
    get:
      parameters:
        - {name: kind, in: query, schema: {type: string, enum: [oak, steel]}}
        - {name: min_litres, in: query, schema: {type: integer}}
        - {name: has_tap, in: query, schema: {type: boolean}}
        - {name: state, in: query, schema: {type: string, enum: [empty, filled, sealed]}}
        - {name: sort, in: query, schema: {type: string, enum: [label, -label, litres, -litres]}}
        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 50}}
      responses: {'200': {description: All, content: {application/json: {schema: {type: object, required: [items],
        properties: {items: {type: array, items: &barrel {type: object, required: [id, label, state, sealed_count],
        properties: {id: {type: integer}, label: {type: string}, kind: {type: string}, litres: {type: integer},
        has_tap: {type: boolean}, state: {type: string, enum: [empty, filled, sealed]}, free_litres: {type: integer},
        seal_reason: {type: [string, 'null']}, leaking: {type: boolean}, sample_count: {type: integer},
        sealed_on: {type: string, format: date}}}}}}}}}}
    post:
      summary: Register a barrel
      requestBody: {required: true, content: {application/json: {schema: {type: object,
        required: [label, kind, litres], properties: {label: {type: string, pattern: '^[A-Z][0-9]{1,3}$'},
        kind: {type: string, enum: [oak, steel]}, litres: {type: integer}, has_tap: {type: boolean}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: *barrel}}},
        '409': {description: The label is taken (code LABEL_TAKEN)}, '422': {description: Invalid data}}
  /barrels/{id}:
    parameters: [&id {name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *barrel}}},
      '404': {description: None}}}
    patch:
      summary: Change a barrel
      requestBody: {required: true, content: {application/json: {schema: {type: object,
        properties: {kind: {type: string, enum: [oak, steel]}, litres: {type: integer}}}}}}
      responses: {'200': {description: Changed, content: {application/json: {schema: *barrel}}}}
    delete: {summary: Remove a barrel, responses: {'204': {description: Gone}}}
  /barrels/{id}/seal:
    parameters: [*id]
    post:
      summary: empty -> sealed
      operationId: sealBarrel
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [reason],
        properties: {reason: {type: string, enum: [LEAK, SOUR]}}}}}}
      responses: {'200': {description: Sealed, content: {application/json: {schema: *barrel}}},
        '403': {description: Not yours}, '409': {description: A rule forbids it}}
  /barrels/{id}/samples:
    parameters: [*id]
    get: {responses: {'200': {description: All, content: {application/json: {schema: {type: array,
      items: &sample {type: object, required: [id, taken_on], properties: {id: {type: integer},
      taken_on: {type: string, format: date}, sugar: {type: number}}}}}}}}}
    post:
      summary: Note a sample
      operationId: samples_create
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [taken_on, sugar],
        properties: {taken_on: {type: string, format: date}, sugar: {type: number, minimum: 5, maximum: 40}}}}}}
      responses: {'201': {description: Noted, content: {application/json: {schema: *sample}}},
        '409': {description: A conflict}}
"""
BARREL = "POST /barrels kind=oak label=A1 litres=120"
OTHER = "POST /barrels kind=steel label=B2 litres=60"
TWO = """\
    Given an oak barrel "A1" with 120 litres
    And a steel barrel "B2" with 60 litres
"""


def told(source: Memory) -> list[list[str]]:
    """The requests of each test of the criteria, in short."""
    criteria = Criteria(source)
    found = []
    for fact in criteria.facts.values():
        if fact.kind is Kind.CRITERION and fact.aspects.get("then"):
            found += [
                [_short(each) for each in one.target["exchanges"]] + _left(one.target)
                for one in criteria.behaviours(fact)
                if "exchanges" in one.target
            ]
    return found


def _left(target: dict[str, Any]) -> list[str]:
    return [f"not {each}" for each in target.get("unseen", ())]


def _short(each: dict[str, Any]) -> str:
    words = [each["method"], each["path"], *(f"?{name}={value}" for name, value in each["query"].items())]
    words += [f"{name}={each['body'][name]}" for name in sorted(each["body"] or ())]
    words += [f"{name}:{source[0]}" for name, source in {**each["names"], **each["sources"]}.items()]
    words += ["by", each["by"]] if each["by"] else []
    words += [each["status"]] if each["status"] else []
    words += ["refused"] if each["refused"] else []
    words += [f"-> {name}={value}" for answer in each["answer"] for name, value in answer.items()]
    if listed := each.get("listed"):
        words += ["[", *map(str, listed["values"]), "of", *map(str, listed["among"]), "]"]
        words += ["in order"] if listed["ordered"] else []
    words += [f"-> {count} of {place or 'it'}" for place, count in each["counted"].items()]
    return " ".join(words)


@pytest.mark.parametrize(
    ("steps", "requests"),
    [
        (  # What something is done to stands in front.
            TWO + '    When the barrel "A1" is sealed because of LEAK\n    Then the barrel "A1" is sealed\n',
            [
                BARREL,
                OTHER,
                "POST /barrels/{id}/seal reason=LEAK id:0",
                "GET /barrels/{id} id:0 -> state=sealed",
            ],
        ),
        (  # The barrel acts itself, values come first, the act is that of a noun.
            TWO
            + '    When 17.5 percent of sugar are sampled from "B2" on 2031-05-04\n'
            + "    Then it is refused as a conflict\n",
            [BARREL, OTHER, "POST /barrels/{id}/samples sugar=17.5 taken_on=2031-05-04 409"],
        ),
        (
            TWO + '    When "A1" is leaked\n    Then the barrel "A1" is sealed\n',
            None,
        ),
        (  # Clauses about things: figures, flags, words, and nothing.
            TWO
            + """\
    When the cooper seals "A1" because of SOUR
    Then the barrel "A1" has the state "sealed"
    And it has 0 litres free
    And "A1" is no longer leaking
    And "B2" has no seal reason
    And the weather is fine all day long
""",
            [
                BARREL,
                OTHER,
                "POST /barrels/{id}/seal reason=SOUR id:0 -> state=sealed -> free_litres=0 -> leaking=False",
                "GET /barrels/{id} id:1 -> seal_reason=None",
                "not the weather is fine all day long",
            ],
        ),
        (
            TWO + '    When I list the barrels with kind oak\n    Then only "A1" is listed\n',
            [BARREL, OTHER, "GET /barrels ?kind=oak ?limit=50 [ A1 of A1 B2 ]"],
        ),
        (
            TWO
            + """\
    When a visitor looks for barrels with minimum litres 60 and tap yes sorted by litres
    Then the barrels "B2, A1" are listed in this order
""",
            [
                BARREL,
                OTHER,
                "GET /barrels ?sort=litres ?min_litres=60 ?has_tap=true ?limit=50 [ B2 A1 of A1 B2 ] in order",
            ],
        ),
        (
            TWO + '    When I list the barrels with colour red\n    Then only "A1" is listed\n',
            None,
        ),
        (
            TWO
            + """\
    When somebody registers the oak barrel "A1" with 30 litres
    Then it is rejected with the code LABEL_TAKEN
    And there are still 2 barrels
""",
            [
                BARREL,
                OTHER,
                f"{BARREL.replace('120', '30')} 409",
                "GET /barrels ?limit=50 [ A1 B2 of A1 B2 ]",
            ],
        ),
        (
            TWO
            + """\
    When the cooper seals "A1" because of LEAK
    Then "A1" is listed among the sealed barrels
    And "B2" is not listed among the sealed barrels
""",
            [
                BARREL,
                OTHER,
                "POST /barrels/{id}/seal reason=LEAK id:0",
                "GET /barrels ?state=sealed ?limit=50 [ A1 of A1 ]",
                "GET /barrels ?state=sealed ?limit=50 [ of B2 ]",
            ],
        ),
        (  # Things whose name nobody may have twice are not made in numbers; others are.
            '    Given an oak barrel "A1" with 120 litres\n    And the cooper has noted 3 samples of the barrel\n'
            "    When I open the barrel\n    Then the barrel has 3 samples\n",
            None,
        ),
        (
            TWO + '    When I remove barrel "A1"\n    Then barrel "A1" is not found any more\n',
            [BARREL, OTHER, "DELETE /barrels/{id} id:0", "GET /barrels/{id} id:0 404"],
        ),
        (
            TWO
            + '    When the cooper changes the litres of barrel "B2" to 75\n    Then the barrel "B2" has 75 litres\n',
            [BARREL, OTHER, "PATCH /barrels/{id} litres=75", "GET /barrels/{id} id:1 -> litres=75"],
        ),
        (
            TWO + '    When the cooper sets "B2" to "oak"\n    Then it is refused\n',
            [BARREL, OTHER, "PATCH /barrels/{id} kind=oak refused"],
        ),
    ],
)
def test_steps_are_requests(steps: str, requests: list[str] | None) -> None:
    found = told(source_of(YARD, "barrels", feature=f"Feature: Yard\n  Scenario: One\n{steps}"))
    assert found == ([requests] if requests else [])


def test_people_are_known_by_their_mail_and_by_who_they_are() -> None:
    steps = """\
    Given member "ida@yard.example" is logged in
    And Bo is the cooper
    And Ida has an oak barrel "A1" with 120 litres
    When Bo tries to seal "A1" because of LEAK
    Then he is told it's forbidden
"""
    (found,) = told(source_of(YARD, "barrels", feature=f"Feature: Yard\n  Scenario: One\n{steps}"))
    assert found == [
        "POST /barrels kind=oak label=A1 litres=120 by @ida",
        "POST /barrels/{id}/seal reason=LEAK by @bo 403",
    ]


@pytest.mark.parametrize(
    ("step", "act"),
    [
        ('the hive "M-01" is inspected on 2024-05-04', 'I inspected the hive "M-01" on 2024-05-04'),
        ('5000 grams are harvested from "M-01"', 'I harvested 5000 grams from "M-01"'),
        ('the boat "IRL-9" has withdrawn', 'I withdrawn the boat "IRL-9"'),
        ('the boat "IRL-9" finishes after 10 seconds', 'I finishes the boat "IRL-9" after 10 seconds'),
        ('Ada is registered as "ada"', 'I registered as "ada"'),
        ("the cart is empty", ""),
        ('the cart has "TEA"', ""),
    ],
)
def test_steps_told_the_other_way_round_are_acts(step: str, act: str) -> None:
    assert as_act(step) == act


FIELDS: dict[str, Any] = {
    "load_litres": {"type": "integer"},
    "free_litres": {"type": "integer"},
    "boatCount": {"type": "integer"},
    "fee_cents": {"type": "integer"},
    "full": {"type": "boolean"},
    "queen_marked": {"type": "boolean"},
    "status": {"type": "string", "enum": ["OPEN", "CLOSED"]},
    "stage": {"type": "string"},
    "reason": {"type": ["string", "null"]},
}


@pytest.mark.parametrize(
    ("step", "field"),
    [
        ("the firing has 14 litres free", ("free_litres", 14)),
        ("the firing has a load of 6 litres", ("load_litres", 6)),
        ("the firing has 6 litres", None),  # Of two fields.
        ("the series still shows 3 boats", ("boatCount", 3)),
        ("it costs 40 cents in total", ("fee_cents", 40)),
        ("it costs 40 in total", None),
        ("the firing is full", ("full", True)),
        ("its queen is not marked", ("queen_marked", False)),
        ("the series is CLOSED", ("status", "CLOSED")),
        ("the series is PAUSED", None),
        ('the piece has the stage "bisque"', ("stage", "bisque")),
        ("it has no reason", ("reason", None)),
        ("no reason is shown", ("reason", None)),
        ("it has no stage", None),  # It is never null.
    ],
)
def test_clauses_tell_of_one_field(step: str, field: tuple[str, object] | None) -> None:
    clause = clause_in(step)
    assert clause is not None
    assert told_field(clause.rest, FIELDS) == field


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "IF the capacity is below 10 or above 500 litres, THEN THE SYSTEM SHALL answer 422.",
            [("capacity", ">=", 10, "litres"), ("capacity", "<=", 500, "litres")],
        ),
        (
            "IF the password is shorter than 8 characters THEN THE SYSTEM SHALL refuse the registration with 422.",
            [("password", ">=", 8, "characters")],
        ),
        ("WHEN a member lists the kilns, THE SYSTEM SHALL sort them by name.", []),
        ("A closed poll can be archived. An open one cannot (409).", []),
    ],
)
def test_requirements_make_claims(sentence: str, claims: list[tuple[str, str, int, str]]) -> None:
    found = plainly(sentence)
    assert found is not None
    assert [
        (each["subject"], each["comparator"], each["value"], each["unit"]) for each in found.claims
    ] == claims
    if not claims:
        assert found.text in ("kilns are sorted by name", "An open poll cannot be archived (409)")


@pytest.mark.parametrize(
    ("sentence", "requests"),
    [
        (
            "IF the sample date lies in the past, THEN THE SYSTEM SHALL answer 409.",
            ["POST /barrels", "POST /barrels/{id}/samples taken_on=2001-01-01 409"],
        ),
        (
            "A sample that has already passed cannot be noted: 409.",
            ["POST /barrels", "POST /barrels/{id}/samples taken_on=2001-01-01 409"],
        ),
        ("IF the harvest date lies in the past, THEN THE SYSTEM SHALL answer 409.", None),
        (
            'WHEN a cooper registers a barrel, THE SYSTEM SHALL give it the state "empty".',
            ["POST /barrels -> state=empty"],
        ),
    ],
)
def test_sentences_are_requests(sentence: str, requests: list[str] | None) -> None:
    criteria = Criteria(source_of(YARD, "barrels", sentence))
    found = [
        each
        for fact in criteria.facts.values()
        if fact.kind is Kind.CRITERION
        for each in criteria.behaviours(fact)
        if "exchanges" in each.target
    ]
    assert [[_short(each) for each in one.target["exchanges"]] for one in found] == (
        [requests] if requests else []
    )
    assert all(one.target["arranged"] is True for one in found)


@pytest.mark.parametrize("sentence", ["IF the barrel is unknown THEN THE SYSTEM SHALL respond with 409."])
def test_how_something_stands_is_no_act_that_makes_it(sentence: str) -> None:
    criteria = Criteria(source_of(YARD, "barrels", sentence))
    found = [each for fact in criteria.facts.values() for each in criteria.behaviours(fact)]
    assert not [each for each in found if "exchanges" in each.target]
