"""The operators of the drift benchmark: each makes one change, and what tells of it is named."""

from __future__ import annotations

import copy
import json

import pytest

from benchmarks.drift.applicability import still_agrees
from benchmarks.drift.changes import Change, Expectation, Operator
from benchmarks.drift.contract import Contract
from benchmarks.drift.judging import is_found, route
from benchmarks.drift.operators.registry import OPERATORS
from benchmarks.drift.records import Json
from benchmarks.drift.subject import Answer
from crossval.findings import Finding, Witness

DOCUMENT: dict[str, Json] = {
    "openapi": "3.1.0",
    "info": {"title": "Books", "version": "1"},
    "paths": {
        "/books": {
            "get": {
                "security": [{"login": ["books:read"]}],
                "parameters": [
                    {
                        "name": "limit",
                        "in": "query",
                        "schema": {"type": "integer", "maximum": 100, "default": 10},
                    },
                    {"name": "code", "in": "query", "schema": {"type": "string", "pattern": "^[a-z]+$"}},
                    {"name": "since", "in": "query", "schema": {"type": "string", "format": "date"}},
                    {"name": "author", "in": "query", "schema": {"type": "string"}},
                    {"name": "sort", "in": "query", "schema": {"type": "string", "enum": ["up", "down"]}},
                ],
                "responses": {"200": {"description": "OK"}, "404": {"description": "None"}},
            },
            "post": {
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Book"}}},
                },
                "responses": {"201": {"description": "Made"}},
            },
        },
        "/books/{id}/sell": {"post": {"responses": {"200": {"description": "OK"}}}},
    },
    "components": {
        "securitySchemes": {"login": {"type": "oauth2", "flows": {}}},
        "schemas": {
            "Book": {
                "type": "object",
                "required": ["title"],
                "properties": {
                    "title": {"type": "string", "description": "Its title", "maxLength": 80},
                    "pages": {"anyOf": [{"type": "integer", "exclusiveMinimum": 0}, {"type": "null"}]},
                    "sold": {"type": "string", "format": "date-time"},
                    "isbn": {"type": "string", "pattern": "^[0-9]{13}$"},
                    "genre": {"type": "string", "enum": ["novel", "poem"], "default": "novel"},
                    "note": {"type": "string"},
                    "next": {"$ref": "#/components/schemas/Book"},
                },
            }
        },
    },
}
EMPTY: dict[str, Json] = {"openapi": "3.1.0", "info": {"title": "Nothing", "version": "1"}, "paths": {}}


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.name)
def test_every_operator_changes_a_copy_and_leaves_the_contract_alone(operator: Operator) -> None:
    before = json.dumps(DOCUMENT)
    changes = list(operator.changes(Contract(copy.deepcopy(DOCUMENT))))
    assert changes or operator.name in ("components-inlined", "other-spellings")
    for change in changes:
        mutant = copy.deepcopy(DOCUMENT)
        change.apply(mutant)
        assert json.dumps(mutant) != before, change.place
        assert operator.neutral or change.expected, change.place
    assert json.dumps(DOCUMENT) == before


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.name)
def test_no_operator_stumbles_over_a_contract_without_operations(operator: Operator) -> None:
    for change in operator.changes(Contract(copy.deepcopy(EMPTY))):
        change.apply(copy.deepcopy(EMPTY))


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.name)
def test_no_operator_stumbles_over_a_reference_that_leads_nowhere(operator: Operator) -> None:
    document = copy.deepcopy(DOCUMENT)
    properties = document["components"]["schemas"]["Book"]["properties"]
    properties["lost"] = {"$ref": "#/components/schemas/Lost", "default": "x"}
    for change in operator.changes(Contract(document)):
        assert change.place


def test_a_schema_is_visited_once_although_it_contains_itself() -> None:
    places = Contract(DOCUMENT).schemas
    assert len({place.pointer for place in places}) == len(places)
    title = next(place for place in places if place.segments[-1:] == ("title",))
    assert title.subjects == ("schema Book", "POST /books")


def finding(subject: str, aspect: str) -> Finding:
    place = Witness("", "openapi.json", 1)
    return Finding(subject=subject, aspect=aspect, message="", spec=place, rule="bound-mismatch")


@pytest.mark.parametrize(
    ("subject", "aspect", "tells"),
    [
        ("schema Book", "fields.title.maxLength", True),
        ("GET /v1/books", "responses.200[].title.maxLength", True),
        ("schema Book", "fields.title.type", False),
        ("schema Book", "fields.subtitle.maxLength", False),
        ("schema Author", "fields.title.maxLength", False),
        ("POST /books", "body.title.maxLength", False),
    ],
)
def test_only_a_finding_about_the_changed_aspect_of_the_changed_place_tells_of_a_change(
    subject: str, aspect: str, tells: bool
) -> None:
    expected = Expectation(("schema Book", "GET /books"), ("title",), frozenset({"maxLength"}))
    change = Change("the place", lambda document: None, (expected,))
    answer = Answer((finding(subject, aspect),), ())
    assert is_found(change, Answer((), ()), answer) is tells
    assert not is_found(change, answer, answer)


def test_routes_are_compared_without_the_names_of_parameters() -> None:
    assert route("get", "/books/{id}/") == route("GET", "/books/{book_id}")


@pytest.mark.parametrize(
    ("operator", "counted"),
    [
        ("operation-removed", False),
        ("operation-added", True),
        ("parameter-bound-changed", False),
        ("parameter-renamed", True),
        ("security-removed", False),
        ("response-added", True),
        ("success-status-changed", True),
    ],
)
def test_what_connexion_takes_from_its_contract_is_no_drift(operator: str, counted: bool) -> None:
    contract = Contract(copy.deepcopy(DOCUMENT))
    (found,) = [each for each in OPERATORS if each.name == operator]
    changes = list(found.changes(contract))
    assert changes
    assert all(still_agrees("Connexion", operator, contract, each) is not counted for each in changes)
    assert not any(still_agrees("FastAPI", operator, contract, each) for each in changes)


def test_a_method_that_names_its_function_moves_with_connexions_contract() -> None:
    document = copy.deepcopy(DOCUMENT)
    (changed,) = [each for each in OPERATORS if each.name == "method-changed"]
    contract = Contract(document)
    change = next(iter(changed.changes(contract)))
    assert not still_agrees("Connexion", "method-changed", contract, change)
    for operation in contract.operations:
        operation.value["operationId"] = "books.list"
    assert still_agrees("Connexion", "method-changed", contract, change)


@pytest.mark.parametrize("framework", ["aiohttp", "Starlette", "Flask", "Django"])
def test_only_what_code_that_declares_nothing_keeps_anyhow_is_no_drift_there(
    framework: str,
) -> None:
    answer: Json = {
        "type": "object",
        "required": ["id"],
        "properties": {"id": {"type": "string"}, "note": {"type": "string"}},
    }
    content = {"application/json": {"schema": {"type": "array", "items": answer}}}
    document = copy.deepcopy(DOCUMENT)
    document["paths"]["/books"]["get"]["responses"]["200"]["content"] = content
    document["components"]["schemas"]["Shop"] = copy.deepcopy(answer)
    shop = {"application/json": {"schema": {"$ref": "#/components/schemas/Shop"}}}
    document["paths"]["/books/{id}/sell"]["post"]["responses"]["200"]["content"] = shop
    contract = Contract(document)
    (flipped,) = [each for each in OPERATORS if each.name == "field-required-flipped"]
    agreeing = {
        each.place
        for each in flipped.changes(contract)
        if still_agrees(framework, flipped.name, contract, each)
    }
    assert agreeing == {"GET /books responses.200 id", "schema Shop  id"}
    others = [each for each in OPERATORS if each.name not in (flipped.name, "deprecated-flipped")]
    assert not any(
        still_agrees(framework, each.name, contract, change)
        for each in others
        for change in each.changes(contract)
    )
