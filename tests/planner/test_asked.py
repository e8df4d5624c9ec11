"""Requests that criteria tell, with what their operation needs and what must be there before them."""

from __future__ import annotations

import pytest

from graph.facts import Fact, Json, Kind, Location, Tag
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.contracts.operations import Operation, read_operations
from planner.stories.asked import Asked, asked_in, taken_requests
from planner.stories.exchanges import UnclearExchange

CONTRACT = """\
openapi: 3.1.0
info: {title: Orders, version: '1'}
paths:
  /orders:
    get:
      parameters: [{name: q, in: query, required: true, schema: {type: string}}]
      responses: {'200': {description: All}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object}}}}
      responses:
        '201':
          description: Made
          content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}
  /orders/{order_id}:
    get: {responses: {'200': {description: One}, '404': {description: None}}}
"""


def operations() -> list[Operation]:
    document = Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root="")
    return read_operations(Memory([OpenApiReader().read(document)]))


def criterion(text: str = "", **aspects: Json) -> Fact:
    said = {"text": text, **aspects}
    return Fact(
        tag=Tag.SPEC, kind=Kind.CRITERION, key="US-1.1", name="", source=Location("a.md", 1, 1), aspects=said
    )


def reading(given: str, path: str = "/orders/1", then: str = "the response is HTTP 200") -> Fact:
    return criterion(given=[given], when=[f"the client GETs `{path}`"], then=[then])


def taken() -> dict[str, Asked]:
    told = [criterion('The client POSTs `{"item": "x"}` to `/orders` and the answer is 201.')]
    return {key: asked for key, (asked, _) in taken_requests(told, operations()).items()}


def test_what_is_said_to_be_there_is_made_by_the_request_that_is_known_to_be_taken() -> None:
    made, read = asked_in(reading("an order with id 1 has been created"), operations(), taken=taken())
    assert (made.exchange.path, made.exchange.body, made.exchange.is_told) == (
        "/orders",
        {"item": "x"},
        False,
    )
    assert (read.exchange.path, read.exchange.status, read.sources) == (
        "/orders/{id}",
        "200",
        {"id": (0, "id")},
    )


@pytest.mark.parametrize(
    ("fact", "missing"),
    [
        (reading("an order with id 1 has been paid"), "what brings about “an order with id 1 has been paid”"),
        (reading("an order with id 2 exists"), "what brings about “an order with id 2 exists”"),
        (reading("a user with id 1 exists"), "what brings about “a user with id 1 exists”"),
        (
            reading("an order with id 1 exists", then='the body is `{"id": 1}`'),
            "what brings about “an order with id 1 exists”",
        ),
        (
            criterion("`POST /orders` is answered with 201."),
            "the body with which POST /orders is sent",
        ),
        (criterion("`GET /orders` is answered with 200."), "the q with which GET /orders is sent"),
    ],
)
def test_what_nothing_brings_about_or_tells_is_what_is_missing(fact: Fact, missing: str) -> None:
    with pytest.raises(UnclearExchange) as raised:
        asked_in(fact, operations(), taken=taken())
    assert str(raised.value) == missing


def test_without_a_request_that_is_taken_it_is_told_which() -> None:
    with pytest.raises(UnclearExchange, match="a request that POST /orders takes"):
        asked_in(reading("an order with id 1 exists"), operations())


def test_a_refusal_of_what_is_not_there_needs_nothing() -> None:
    (asked,) = asked_in(
        reading("no order with id 999 exists", "/orders/999", "the response is HTTP 404"), operations()
    )
    assert (asked.exchange.path, asked.exchange.status) == ("/orders/999", "404")


def test_a_path_may_be_told_without_what_all_paths_of_the_contract_begin_with() -> None:
    below = CONTRACT.replace("  /orders", "  /api/v1/orders")
    document = Document(path="api.yaml", role=Role.CONTRACT, text=below, root="")
    served = read_operations(Memory([OpenApiReader().read(document)]))
    told = criterion(when=["the client GETs `/orders/7`"], then=["the response is HTTP 404"])
    (asked,) = asked_in(told, served)
    assert asked.operation.key == "GET /api/v1/orders/{order_id}"
    assert asked.exchange.path == "/api/v1/orders/7"
