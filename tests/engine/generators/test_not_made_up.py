"""Tests of what nobody can make up for a request, whatever its schema says, and of what may not be there."""

from __future__ import annotations

import pytest

from engine.generators.operations.contract import ContractGenerator
from engine.generators.operations.stage import Stage
from engine.generators.values.schema_values import NoValueError
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.cases import Technique
from planner.contracts.cases import contract_cases
from planner.contracts.operations import read_operations
from planner.generator import Application, Context, Draft

CONTRACT = """\
openapi: 3.1.0
info: {title: Teas, version: '1'}
components: {securitySchemes: {bearer: {type: http, scheme: bearer}}}
paths:
  PATH:
    post:
      security: [{bearer: []}]
      parameters: PARAMETERS
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [REQUIRED],
        properties: {PROPERTIES}}}}}
      responses: {'200': {description: Done}STATUSES}
  /pot:
    get: {responses: {'200': {description: The pot}, '404': {description: None}}}
  /pots:
    get: {responses: {'200': {description: All, content: {application/json: {schema: {type: array}}}},
      '404': {description: None}}}
  /teas/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: One}}
    delete:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'204': {description: Gone}}
  /brews:
    post:
      responses: {'201': {description: Brewing, content: {application/json: {schema: {type: object,
        required: [id, user_id], properties: {id: {type: integer}, user_id: {type: integer}}}}}}}
  /register:
    post:
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [id],
        properties: {id: {type: integer}}}}}}}
  /steeps/{session_id}:
    get:
      parameters: [{name: session_id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: One}}
  /users/{user_id}:
    delete:
      parameters: [{name: user_id, in: path, required: true, schema: {type: integer}}]
      responses: {'204': {description: Gone}}
"""
TEXT = "{type: string}"


def source(path: str, fields: str, *, kind: str = TEXT, parameters: str = "[]", statuses: str = "") -> Memory:
    text = CONTRACT.replace("PATH", path).replace("REQUIRED", fields).replace("PARAMETERS", parameters)
    text = text.replace("PROPERTIES", ", ".join(f"{each}: {kind}" for each in fields.split(", ") if each))
    document = Document(path="api.yaml", role=Role.CONTRACT, text=text.replace("STATUSES", statuses), root="")
    return Memory([OpenApiReader().read(document)])


def call(path: str, fields: str, *, parameters: str = "[]") -> str:
    stage = Stage(read_operations(source(path, fields, parameters=parameters)))
    operation = stage.operations[f"POST {path}"]
    return stage.request(operation, stage.scene(operation)).call()


@pytest.mark.parametrize(
    ("path", "fields", "needs"),
    [
        ("/passkeys/complete", "challenge", "a challenge that"),
        ("/teas/refresh", "refresh", "a refresh that"),
        ("/2fa/setup/verify", "code", "a code that"),
        ("/2fa/disable", "password", "a caller of its own"),
        ("/me/deactivate", "reason", "a caller of its own"),
        ("/brew", "tea_id", "what tea_id of POST /brew names"),
        ("/brew", "session_id", "what session_id of POST /brew names"),
    ],
)
def test_what_only_the_service_or_a_caller_knows_is_not_made_up(path: str, fields: str, needs: str) -> None:
    with pytest.raises(NoValueError, match=needs):
        call(path, fields)


@pytest.mark.parametrize(
    ("path", "fields"), [("/coupons", "code"), ("/accounts", "name, password"), ("/brew", "event_id")]
)
def test_what_is_called_alike_elsewhere_is(path: str, fields: str) -> None:
    assert "client.post(" in call(path, fields)


@pytest.mark.parametrize(
    ("name", "kind", "given"),
    [("brew_id", "integer", 'params={"brew_id": brew.json()["id"]}'), ("tea_id", "string", None)],
)
def test_what_a_query_names_is_made_first(name: str, kind: str, given: str | None) -> None:
    parameters = f"[{{name: {name}, in: query, required: true, schema: {{type: {kind}}}}}]"
    if given is not None:
        assert given in call("/pay", "reason", parameters=parameters)
        return
    with pytest.raises(NoValueError, match=f"what {name} of POST /pay names"):
        call("/pay", "reason", parameters=parameters)


def test_the_one_thing_that_a_path_stands_for_may_not_be_there() -> None:
    stage = Stage(read_operations(source("/pay", "reason")))
    with pytest.raises(NoValueError, match="GET /pot names: it may be answered with 404"):
        stage.scene(stage.operations["GET /pot"])
    assert stage.scene(stage.operations["GET /pots"]).lines == ()


def test_whom_a_path_names_is_an_account_that_was_made_and_not_who_asks() -> None:
    stage = Stage(read_operations(source("/pay", "reason")))
    scene = stage.scene(stage.operations["DELETE /users/{user_id}"])
    assert scene.path == {"user_id": 'register.json()["id"]'}


def drafts(memory: Memory) -> dict[Technique, str]:
    context = Context(source=memory, application=Application("fastapi", "teas:app"))
    cases = [case for case in contract_cases(read_operations(memory)) if case.subject == "POST /pay"]
    every = ((case.technique, ContractGenerator().generate(case, context)) for case in cases)
    return {technique: each.source for technique, each in every if isinstance(each, Draft)}


@pytest.mark.parametrize(
    ("fields", "kind", "parameters"),
    [
        ("blend", "{type: object}", "[]"),
        ("reason", TEXT, "[{name: Mode, in: header, required: true, schema: {type: string}}]"),
    ],
    ids=["an object left open", "a header"],
)
def test_what_only_the_service_takes_may_stand_in_a_header_or_be_an_object(
    fields: str, kind: str, parameters: str
) -> None:
    memory = source(
        "/pay", fields, kind=kind, parameters=parameters, statuses=", '400': {description: Wrong}"
    )
    assert "if response.status_code == 400:\n        pytest.skip(" in drafts(memory)[Technique.SUCCESS]


def test_metadata_may_be_empty() -> None:
    memory = source("/pay", "metadata", kind="{type: object}", statuses=", '400': {description: Wrong}")
    assert "pytest.skip" not in drafts(memory)[Technique.SUCCESS]


def test_who_asks_too_often_learns_nothing() -> None:
    memory = source("/pay", "reason", statuses=", '429': {description: Wait}")
    assert "if response.status_code == 429:\n        pytest.skip(" in drafts(memory)[Technique.SUCCESS]
