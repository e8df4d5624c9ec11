"""Sentences that stand for scenarios: requirements in EARS, refusals by how things stand, what acts do elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.generators.stories.criterion import CriterionGenerator
from graph.facts import Kind, Tag
from graph.source import Memory
from planner.contracts.lifecycles import brought_about
from planner.contracts.operations import State
from planner.generator import Application, Context, Draft
from planner.stories.carriers import carriers
from planner.stories.criteria import Criteria
from tests.engine.twins.proving import of_stories, prove, source_of

FLEET = """\
openapi: 3.1.0
info: {title: Fleet, version: '1'}
paths:
  /vehicles:
    post:
      summary: Add a vehicle
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [plate, kind],
        properties: {plate: {type: string}, kind: {type: string, enum: [car, bike]}, mileage: {type: integer}}}}}}
      responses: {'201': {description: Added, content: {application/json: {schema: &vehicle {type: object,
        required: [plate, kind, mileage, state], properties: {plate: {type: string}, kind: {type: string,
        enum: [car, bike]}, mileage: {type: integer}, state: {type: string,
        enum: [available, rented, in_service]}}}}}}}
  /vehicles/{plate}:
    parameters: [&plate {name: plate, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *vehicle}}},
      '404': {description: Unknown plate}}}
    delete: {operationId: retire_vehicle, responses: {'204': {description: Retired}, '404': {description: Unknown},
      '409': {description: It cannot be retired}}}
  /vehicles/{plate}/service:
    parameters: [*plate]
    post: {operationId: start_service, summary: Send a vehicle to the workshop, responses: {'200': {description: Sent,
      content: {application/json: {schema: *vehicle}}}, '409': {description: The vehicle is rented}}}
    delete: {operationId: finish_service, responses: {'200': {description: Back, content: {application/json: {
      schema: *vehicle}}}, '409': {description: The vehicle is not in service}}}
  /rentals:
    post:
      summary: Rent a vehicle
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [vehicle, days],
        properties: {vehicle: {type: string}, days: {type: integer}}}}}}
      responses: {'201': {description: Rented, content: {application/json: {schema: &rental {type: object,
        required: [id, vehicle, days, price, status], properties: {id: {type: integer}, vehicle: {type: string},
        days: {type: integer}, price: {type: number}, status: {type: string, enum: [active, returned]}}}}}},
        '404': {description: Unknown vehicle}, '409': {description: The vehicle is not available}}
  /rentals/{rental_id}:
    parameters: [&id {name: rental_id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *rental}}}}}
  /rentals/{rental_id}/return:
    parameters: [*id]
    post:
      operationId: return_vehicle
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [mileage],
        properties: {mileage: {type: integer}}}}}}
      responses: {'200': {description: Back, content: {application/json: {schema: *rental}}},
        '409': {description: The rental has ended}}
"""
ADDED, RENTED = "POST /vehicles", "POST /rentals vehicle=0.plate"
RETURN, FIELDS = "POST /rentals/{rental_id}/return", ("by", "sign", "through")
STORED = "WHEN a vehicle is added THE SYSTEM SHALL store it in state `available`."
SENT = "WHEN an available vehicle is sent to the workshop THE SYSTEM SHALL set its state to `in_service`."


def told(contract: str, noun: str, *sentences: str) -> Iterator[list[str]]:
    """The requests that the last sentence stands for, each with what it names and what is told of its answer."""
    source = source_of(contract, noun, *sentences)
    criteria = Criteria(source)
    facts = list(source.facts(tag=Tag.SPEC, kinds={Kind.CRITERION}))
    for behaviour in criteria.behaviours(facts[-1]):
        if behaviour.like == "told" and not behaviour.target.get("refuses"):
            yield [_shown(each) for each in behaviour.target["exchanges"]]


def _shown(exchange: dict[str, object]) -> str:
    names, answer = exchange["names"], exchange["answer"]
    assert isinstance(names, dict) and isinstance(answer, tuple)
    parts = [f"{exchange['method']} {exchange['path']}"]
    parts += [f"{field}={number}.{key}" for field, (number, key) in names.items()]
    parts += [str(exchange["status"] or ("refused" if exchange["refused"] else ""))]
    parts += [f"{field}:{value}" for each in answer for field, value in each.items()]
    return " ".join(filter(None, parts))


@pytest.mark.parametrize(
    ("sentence", "requests"),
    [
        (STORED, [f"{ADDED} state:available"]),
        (
            "IF a vehicle is rented THEN THE SYSTEM SHALL refuse to retire it with 409.",
            [ADDED, RENTED, "DELETE {} 409"],
        ),
        ("When a vehicle is rented, its state becomes rented.", [ADDED, RENTED, "GET {} state:rented"]),
        ("Renting a vehicle sets the vehicle's state to rented.", [ADDED, RENTED, "GET {} state:rented"]),
        ('Renting a vehicle leaves it "rented".', [ADDED, RENTED, "GET {} state:rented"]),
        ("While a vehicle is rented, the service must reject the request to send it away with 409.", None),
        ("A rented vehicle can neither be retired nor replaced (409).", [ADDED, RENTED, "DELETE {} 409"]),
        (
            "WHEN a vehicle has been retired THE SYSTEM SHALL answer 404 for it.",
            [ADDED, "DELETE {}", "GET {} 404"],
        ),
        ("WHEN a damage is told on return THE SYSTEM SHALL set the vehicle's state to `rented`.", None),
        ("WHEN a vehicle is rented THE SYSTEM SHALL set its state to `lost`.", None),
        ("WHEN the third vehicle is rented THE SYSTEM SHALL set its state to `rented`.", None),
        ("IF it rains THEN THE SYSTEM SHALL refuse to retire the vehicle with 409.", None),
        ("WHEN a vehicle is rented THE SYSTEM SHALL set its state to `rented` unless it is a bike.", None),
    ],
)
def test_sentences_stand_for_requests(sentence: str, requests: list[str] | None) -> None:
    found = list(told(FLEET, "vehicles", sentence))
    assert found == (
        [] if requests is None else [[each.replace("{}", "/vehicles/{plate}") for each in requests]]
    )


@pytest.mark.parametrize(
    ("sentence", "requests"),
    [
        (
            "WHILE a vehicle is in service THE SYSTEM SHALL refuse to rent it out with 409.",
            [ADDED, "POST {}", "POST /rentals vehicle=0.plate 409"],
        ),
        (
            "WHEN service is finished THE SYSTEM SHALL set the state to `available`.",
            [ADDED, "POST {}", "DELETE {} state:available"],
        ),
        (
            "IF the vehicle is not in service THEN finishing service SHALL be answered with 409.",
            [ADDED, "DELETE {} 409"],
        ),
    ],
)
def test_acts_are_known_by_what_other_sentences_say_of_them(sentence: str, requests: list[str]) -> None:
    assert list(told(FLEET, "vehicles", STORED, SENT, sentence)) == [
        [each.replace("{}", "/vehicles/{plate}/service") for each in requests]
    ]
    source = source_of(FLEET, "vehicles", STORED, SENT)
    every = carriers(source)
    act = next(each for each in every if each.key == "POST /vehicles/{plate}/service")
    assert brought_about(act, every) == State("state", "in_service")


def test_what_is_done_twice_is_told_of_the_same_thing() -> None:
    done = "POST /rentals/{id}/return"
    assert list(told(FLEET, "rentals", "A rental cannot be returned twice (409).")) == [
        [ADDED, RENTED, done, f"{done.replace('{id}', '{rental_id}')} 409"]
    ]
    assert (
        written(source_of(FLEET, "rentals", "A rental cannot be returned twice (409).")).count("/return',")
        == 2
    )


def test_a_default_and_what_is_unknown_are_told_in_ears_as_in_plain_words() -> None:
    source = source_of(
        FLEET,
        "vehicles",
        "WHERE no mileage is given THE SYSTEM SHALL use 0.",
        "THE SYSTEM SHALL refuse to rent an unknown vehicle with 404.",
    )
    found = {(each.target["like"], each.target["operation"]) for each in of_stories(source)}
    assert found == {("starts", "POST /vehicles"), ("missing", "POST /rentals")}


@pytest.mark.parametrize(
    ("sentence", "requests"),
    [
        (
            "Only available vehicles can be retired; otherwise the answer is 409.",
            [ADDED, RENTED, "DELETE {} 409"],
        ),
        (
            "An available vehicle can be retired; any other is refused with 409.",
            [ADDED, RENTED, "DELETE {} 409"],
        ),
        ("Only rented vehicles can be retired (409 otherwise).", [ADDED, "DELETE {} 409"]),
        ("A vehicle can be retired only after it was rented (409).", [ADDED, "DELETE {} 409"]),
        ("A vehicle cannot be retired before it was rented (409).", [ADDED, "DELETE {} 409"]),
        ("Only clean vehicles can be retired (409).", None),
    ],
)
def test_what_is_taken_in_one_state_alone_is_refused_in_another(
    sentence: str, requests: list[str] | None
) -> None:
    found = [each for each in told(FLEET, "vehicles", STORED, sentence) if "DELETE" in each[-1]]
    assert found == (
        [] if requests is None else [[each.replace("{}", "/vehicles/{plate}") for each in requests]]
    )


@pytest.mark.parametrize(
    ("sentence", "move"),
    [
        ("Renting a vehicle raises the vehicle's `mileage` by 10.", ("POST /rentals", 10, 1, "vehicle")),
        (
            "WHEN a vehicle is returned THE SYSTEM SHALL lower the vehicle's mileage by one.",
            (RETURN, 1, -1, "vehicle"),
        ),
        ("Renting a vehicle raises the vehicle's `plate` by one.", None),
        ("WHEN a rented vehicle is returned THE SYSTEM SHALL raise the vehicle's mileage by one.", None),
        ("Washing a vehicle raises the vehicle's mileage by one.", None),
    ],
)
def test_a_request_changes_a_number_of_another_thing(
    sentence: str, move: tuple[str, int, int, str] | None
) -> None:
    source = source_of(FLEET, "vehicles", sentence)
    found = [each for each in of_stories(source) if each.target["like"] == "moves"]
    told = [(each.target["operation"], *(each.target["moves"][0][name] for name in FIELDS)) for each in found]
    assert told == ([] if move is None else [move])
    if move is not None:
        assert "mileage" in prove(source, found[0])


def test_what_is_taken_in_is_not_taken_and_no_size_is_none() -> None:
    taken = source_of(FLEET, "vehicles", "When a vehicle is taken in, it is washed.")
    assert [each.target["like"] for each in of_stories(taken)] == []
    none = source_of(FLEET, "vehicles", "WHEN no mileage is given THE SYSTEM SHALL use 7.")
    assert [each.target["value"] for each in of_stories(none)] == [7]


MARKET = """\
openapi: 3.0.3
info: {title: Market, version: '1'}
security: [{bearer: []}]
paths:
  /listings/:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title, price],
        properties: {title: {type: string}, price: {type: integer}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: &listing {type: object,
        required: [id, title, seller, status], properties: {id: {type: integer}, title: {type: string},
        seller: {type: string}, status: {type: string, enum: [open, sold]}}}}}}}
  /listings/{id}/:
    parameters: [&id {name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *listing}}}}}
    patch:
      requestBody: {required: true, content: {application/json: {schema: {type: object,
        properties: {price: {type: integer}}}}}}
      responses: {'200': {description: Changed, content: {application/json: {schema: *listing}}},
        '409': {description: Too late}}
    delete: {responses: {'204': {description: Gone}, '409': {description: Too late}}}
  /listings/{id}/offers/:
    parameters: [*id]
    post:
      operationId: makeOffer
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [amount],
        properties: {amount: {type: integer}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: &offer {type: object,
        required: [id, buyer, amount, status], properties: {id: {type: integer}, buyer: {type: string},
        amount: {type: integer}, status: {type: string, enum: [pending, accepted]}}}}}},
        '403': {description: One's own listing}, '409': {description: Too late}}
  /offers/{id}/:
    parameters: [*id]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *offer}}}}}
  /offers/{id}/accept/:
    parameters: [*id]
    post: {operationId: acceptOffer, responses: {'200': {description: Done, content: {application/json: {
      schema: *offer}}}, '403': {description: You may not}}}
components: {securitySchemes: {bearer: {type: http, scheme: bearer}}}
"""
ACCEPTED = "Accepting an offer sets its status to accepted and the listing's status to sold."
SOLD = ["POST /listings/", "POST /listings/{id}/offers/", "POST /offers/{id}/accept/"]


@pytest.mark.parametrize(
    ("sentence", "requests"),
    [
        (ACCEPTED, [[*SOLD[:2], f"{SOLD[2]} status:accepted", "GET /listings/{id}/ status:sold"]]),
        (
            "A sold listing can neither be changed nor removed (409).",
            [[*SOLD, "PATCH /listings/{id}/ 409"], [*SOLD, "DELETE /listings/{id}/ 409"]],
        ),
        ("No offers can be made for a sold listing (409).", [[*SOLD, "POST /listings/{id}/offers/ 409"]]),
    ],
)
def test_an_act_on_one_thing_brings_another_into_its_state(sentence: str, requests: list[list[str]]) -> None:
    assert list(told(MARKET, "listings", ACCEPTED, sentence)) == requests


def test_each_request_is_sent_by_the_caller_who_may_do_it() -> None:
    text = written(source_of(MARKET, "listings", ACCEPTED))
    assert 'client.post("/listings/", json={"title": "Title' in text
    by = [line.rpartition("headers=")[2] for line in text.splitlines() if "headers=" in line]
    assert [each.partition(")")[0] for each in by] == ["auth", "stranger", "auth", "auth"]


def written(source: Memory) -> str:
    """The last test that the sentences of a story ask for, but for those of what is refused thereafter."""
    case = [each for each in of_stories(source) if not each.target.get("refuses")][-1]
    context = Context(source=source, application=Application("", "app:app"), options={"auth": "entered"})
    draft = CriterionGenerator().generate(case, context)
    assert isinstance(draft, Draft), draft
    return draft.source
