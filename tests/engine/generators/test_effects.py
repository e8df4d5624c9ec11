"""Tests of what an answer owes to its request where its shape is left open, on twins that keep it or do not."""

from __future__ import annotations

import pytest

from engine.generators.operations.contract import ContractGenerator
from engine.twins.http import Twin
from engine.twins.mutations import mutations
from engine.twins.replies import VARIANTS
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.cases import Case, Technique
from planner.contracts.cases import contract_cases
from planner.contracts.operations import Operation, read_operations
from planner.generator import Application, Context, Draft
from tests.engine.generators.performing import performed

CONTRACT = """\
openapi: 3.1.0
info: {title: Search, version: '1'}
paths:
  /words/{word}:
    get:
      parameters:
        - {name: word, in: path, required: true, schema: {type: string}}
        - {name: part, in: query, schema: {type: string, enum: [noun, verb]}}
        - {name: rare, in: query, schema: {type: boolean, default: false}}
        - {name: limit, in: query, schema: {type: integer, default: 10}}
        - {name: dialect, in: cookie, schema: {type: string}}
        - {name: accept-language, in: header, schema: {type: string}}
        - {name: x-token, in: header, schema: {type: string}}
      responses: {'200': {description: Found, content: {application/json: {schema: {}}}}}
    put:
      parameters: [{name: word, in: path, required: true, schema: {type: string}}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [senses],
        properties: {senses: {type: array, items: {type: string}}, origin: {type: string},
        level: {type: integer, default: 1}}}}}}
      responses: {'200': {description: Kept, content: {application/json: {schema: {type: object}}}}}
  /random:
    get: {responses: {'200': {description: One, content: {application/json: {schema: {}}}}}}
  /help:
    get: {responses: {'200': {description: One, content: {text/html: {schema: {type: string}}}}}}
  /rules/{rule}:
    get:
      parameters: [{name: rule, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: One, content: {application/json: {schema: {}}}}
        '404': {description: None such}
  /lists:
    get:
      parameters: [{name: skip, in: query, schema: {type: integer, default: 0}}]
      responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: &list {
        type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}}}}}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name],
        properties: {name: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: *list}}}}
  /readers:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object,
        required: [name, password, home], properties: {name: {type: string}, password: {type: string},
        nickname: {type: string, default: none}, role: {type: string},
        age: {type: integer}, home: &home {type: object, required: [street], properties: {street: {type: string}}}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [name, home],
        properties: {name: {type: string}, nickname: {type: string}, role: {type: string}, home: *home}}}}}}
"""
SOURCE = Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root=""))])
OPERATIONS = {each.key: each for each in read_operations(SOURCE)}
INFERRED = (Technique.EFFECT, Technique.SAYS, Technique.DEFAULT, Technique.WHOLE)
CASES = [each for each in contract_cases(OPERATIONS.values()) if each.technique in INFERRED]
GET = "GET /words/{word}"


def test_what_says_how_much_or_on_which_way_is_not_expected_to_change_an_answer() -> None:
    planned = {(each.subject, str(each.technique), each.target.get("place")) for each in CASES}
    assert planned == {
        ("GET /lists", "default", "query.skip"),
        ("GET /help", "says", None),
        ("GET /random", "says", None),
        *((GET, "default", place) for place in ("query.rare", "query.limit")),
        *((GET, "effect", place) for place in ("path.word", "query.part", "query.rare", "cookie.dialect")),
        ("POST /readers", "default", "body.nickname"),
        ("POST /readers", "whole", None),
        ("PUT /words/{word}", "default", "body.level"),
        ("PUT /words/{word}", "effect", "path.word"),
        ("PUT /words/{word}", "effect", "body"),
    }


def drafted(case: Case) -> Draft:
    draft = ContractGenerator().generate(case, Context(source=SOURCE, application=Application("", "app:app")))
    assert isinstance(draft, Draft), draft
    return draft


REGISTERED = next(
    each
    for each in contract_cases(OPERATIONS.values())
    if (each.subject, each.technique) == ("POST /readers", Technique.SUCCESS)
)


def test_a_secret_that_is_sent_is_not_told_and_objects_come_back_field_by_field() -> None:
    told = {each.text for each in drafted(REGISTERED).assertions if each.inferred}
    assert told == {
        'assert reader["name"] == "Name gnnx"',
        'assert reader["home"]["street"] == "Street"',
        'assert "password" not in reader',
    }


def test_what_may_be_left_out_comes_back_where_no_server_would_say_it_by_itself() -> None:
    (case,) = [each for each in CASES if each.technique is Technique.WHOLE]
    told = [each.text for each in drafted(case).assertions if each.inferred]
    assert told == ['assert reader.get("nickname") == "writer"']


@pytest.mark.parametrize("case", [*CASES, REGISTERED], ids=lambda each: each.id)
def test_an_answer_that_does_not_follow_its_request_is_noticed(case: Case) -> None:
    draft = drafted(case)
    run = performed(draft)
    whole: tuple[Operation, ...] = tuple(OPERATIONS.values())
    for variant in VARIANTS:
        run(Twin(whole, variant))
    broken = list(mutations(case, OPERATIONS[case.subject], None))
    assert broken
    for mutation in broken:
        with pytest.raises((AssertionError, KeyError, TypeError)):
            run(Twin(whole, VARIANTS[0], mutation))


def test_each_field_of_a_body_is_changed_in_turn() -> None:
    (case,) = [each for each in CASES if each.target.get("place") == "body"]
    operation = OPERATIONS[case.subject]
    assert {each.place for each in mutations(case, operation, None)} == {
        "body.senses",
        "body.origin",
        "body.level",
    }
