"""Tests of what no test makes up or expects: tokens, changed callers, moments, what is worked on; changes by POST."""

from __future__ import annotations

import pytest

from engine.generators.operations.contract import ContractGenerator
from engine.twins.http import Twin
from engine.twins.replies import VARIANTS
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.contracts.cases import contract_cases
from planner.contracts.operations import read_operations
from planner.generator import Application, Context, Draft

CONTRACT = """\
openapi: 3.1.0
info: {title: Mixed, version: '1'}
paths:
  /tokens:
    put:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [access_token],
        properties: {access_token: {type: string}}}}}}
      responses: {'200': {description: New, content: {application/json: {schema: &token {type: object,
        properties: {access_token: {type: string}}}}}}, '401': {description: Invalid token}}
  /me:
    put:
      security: [{bearer: []}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [password],
        properties: {password: {type: string}}}}}}
      responses: {'204': {description: Changed, content: {application/json: {schema: {}}}}}
  /passchange:
    put:
      security: [{bearer: []}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [newPassword],
        properties: {newPassword: {type: string}}}}}}
      responses: {'200': {description: Changed}}
  /logins:
    post:
      security: [{basic: []}]
      responses: {'200': {description: In, content: {application/json: {schema: *token}}}}
  /mine:
    get:
      security: [{bearer: []}]
      responses: {'200': {description: Mine, content: {application/json: {schema: {type: object,
        required: [id], properties: {id: {type: integer}, last_seen: {type: string}}}}}}}
  /letters:
    get:
      parameters: [{name: Authorization, in: header, schema: {type: string}}]
      responses: {'200': {description: All}, '401': {description: Not let in}}
    trace:
      responses: {'200': {description: What came}}
  /entries/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: One, content: {application/json: {schema: {type: object, required: [data],
        properties: {data: {type: [object, 'null'], properties: {id: {type: string}}}}}}}},
        '404': {description: Not Found}}
  /entries:
    get: {responses: {'200': {description: All}, '404': {description: Not Found}}}
  /teams:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name],
        properties: {name: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: &team {type: object,
        required: [id], properties: {id: {type: integer}}}}}}}
  /players:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [shirt, team],
        properties: {shirt: {type: integer}, team: {type: integer}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object,
        required: [id, shirt, team],
        properties: {id: {type: integer}, shirt: {type: integer}, team: {type: integer}}}}}}}
  /players/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: One, content: {application/json: {schema: {type: object,
        required: [id, shirt, team],
        properties: {id: {type: integer}, shirt: {type: integer}, team: {allOf: [*team]}}}}}},
        '404': {description: Unknown}}
  /labels/:
    post:
      requestBody: {required: true, content: {application/json: {schema: &label {type: object, required: [name],
        properties: {name: {type: string}, colour: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {}}}}}
  /labels/{label_name}:
    parameters: [{name: label_name, in: path, required: true, schema: {type: string}}]
    get:
      responses: &shown {'200': {description: One, content: {application/json: {schema: *label}}},
        '404': {description: Unknown}}
    put:
      requestBody: {required: true, content: {application/json: {schema: *label}}}
      responses: *shown
  /translate:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [text, language],
        properties: {text: {type: string}, language: {type: string}}}}}}
      responses: {'200': {description: Translated, content: {application/json: {schema: {type: object,
        required: [text, language], properties: {text: {type: string}, language: {type: string}}}}}}}
  /customers/{id}/extend:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [days, reason],
        properties: {days: {type: integer, minimum: 1}, reason: {type: string}}}}}}
      responses: {'200': {description: Extended, content: {application/json: {schema: {type: object,
        required: [id, days, reason], properties: {id: {type: string}, days: {type: integer},
        reason: {type: string}}}}}}}
  /redact:
    post:
      requestBody: {required: true, content: {application/json: {example: {body: a b},
        schema: {type: object, required: [body], properties: {body: {type: string}}}}}}
      responses: {'200': {description: Redacted, content: {application/json: {example: {body: a}, schema: {type: object,
        required: [body], properties: {body: {type: string}}}}}}}
  /weather:
    get:
      responses: {'200': {description: Now, content: {application/json: {schema: {type: object, required: [meta, data],
        properties: {meta: {type: object, properties: {time_stamp: {type: string}}}, data: {type: string}}}}}}}
  /status:
    get:
      responses: {'200': {description: Now, content: {application/json: {schema: {type: object, required: [uptime],
        properties: {uptime: {type: integer}}}}}}}
  /customers:
    post:
      requestBody: {content: {application/x-www-form-urlencoded: {schema: &customer {type: object,
        properties: {name: {type: string}, vip: {type: boolean, default: true}}}}}}
      responses: {'200': &one {description: One, content: {application/json: {schema: {type: object,
        required: [id, name, vip],
        properties: {id: {type: string}, name: {type: [string, 'null']}, vip: {type: boolean}}}}}}}
  /customers/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': *one, '404': {description: Unknown}}}
    post:
      requestBody: {content: {application/x-www-form-urlencoded: {schema: *customer}}}
      responses: {'200': *one, '404': {description: Unknown}}
    delete:
      responses: {'200': {description: Deleted, content: {application/json: {schema: {type: object,
        required: [id, deleted], properties: {id: {type: string}, deleted: {type: boolean, enum: [true]}}}}}}}
components:
  securitySchemes:
    basic: {type: http, scheme: basic}
    bearer: {type: http, scheme: bearer}
"""
SOURCE = Memory(
    [OpenApiReader().read(Document(path="openapi.yaml", text=CONTRACT, role=Role.CONTRACT, module=""))]
)
CONTEXT = Context(
    source=SOURCE, application=Application("", "mixed:app"), folder="tests", options={"auth": "known"}
)
CASES = {case.id: case for case in contract_cases(read_operations(SOURCE))}


def told(start: str) -> str:
    """The source of the only test whose case begins so, or what it lacks."""
    (case,) = [case for name, case in CASES.items() if name.startswith(start)]
    answer = ContractGenerator().generate(case, CONTEXT)
    return answer.source if isinstance(answer, Draft) else answer.needs


@pytest.mark.parametrize("start", ["put-tokens-success", "put-tokens-required-missing"])
def test_no_token_is_made_up_that_only_the_service_gives_out(start: str) -> None:
    assert told(start).startswith("a access_token that PUT /tokens takes")


def test_nobody_changes_the_caller_of_all_tests() -> None:
    assert told("put-me-success").startswith("a caller of its own for PUT /me")
    assert told("put-passchange-success").startswith("a caller of its own for PUT /passchange")


def test_one_fixture_has_the_credentials_of_one_scheme() -> None:
    assert told("post-logins-success").startswith("basic credentials for POST /logins")
    assert "headers=auth" in told("get-mine-success")


def test_a_header_for_credentials_that_may_be_left_out_to_be_refused_is_a_scheme() -> None:
    assert 'client.get("/letters", headers=auth)' in told("get-letters-success")
    assert 'client.get("/letters")' in told("get-letters-auth-missing")


def test_what_no_client_has_a_method_for_is_asked_by_name() -> None:
    assert 'client.request("TRACE", "/letters")' in told("trace-letters-success")


def test_a_status_that_is_told_of_everything_is_not_expected_where_nothing_may_be_shown() -> None:
    assert told("get-entries-id-error-404").startswith("whether GET /entries/{id} answers 404")


def test_what_a_path_names_is_made_by_the_name_that_its_maker_is_sent() -> None:
    read, made = told("get-labels-label-name-success"), told("post-labels-success")
    name = read.partition('json={"name": "')[2].partition('"')[0]
    assert name.startswith("name-") and f'client.get("/labels/{name}")' in read
    assert 'json={"name": "name-' in made and name not in made
    effect = told("post-labels-effect-body")
    assert "with_other_name = " in effect and "with_other_colour" not in effect


def test_a_thing_that_is_named_in_one_answer_and_shown_in_the_other_is_not_compared() -> None:
    source = told("post-players-read-back")
    assert 'response.json()["shirt"] == player.json()["shirt"]' in source
    assert '.json()["team"] ==' not in source and '.get("team")' not in source


def test_an_answer_without_content_is_not_read() -> None:
    (me,) = [each for each in read_operations(SOURCE) if each.key == "PUT /me"]
    assert me.success is not None and me.success.schema is None


def test_numbers_that_an_act_is_told_may_be_added_to_those_of_its_thing() -> None:
    source = told("post-customers-id-extend-success")
    assert '["reason"] == ' in source
    assert '["days"]) is int' in source and '["days"] ==' not in source


def test_what_is_worked_on_need_not_come_back() -> None:
    source = told("post-translate-success")
    assert 'assert type(translate["text"]) is str' in source
    assert 'assert translate["language"] == "en"  # inferred' in source


def test_what_the_examples_show_otherwise_need_not_come_back() -> None:
    assert 'assert type(redact["body"]) is str' in told("post-redact-success")


def test_of_an_answer_that_tells_of_the_moment_the_rest_is_the_same_twice() -> None:
    source = told("get-weather-repeatable")
    assert 'assert second.json()["data"] == first.json()["data"]' in source and '["meta"]' not in source
    assert '["id"] == first.json()["id"]' in told("get-mine-repeatable")
    assert told("get-status-repeatable").startswith("what stays in an answer to GET /status")


def test_a_post_to_one_thing_changes_a_part_of_it() -> None:
    assert 'data={"name": "Name ' in told("post-customers-id-success")
    assert "keeps a vip that it is not sent" in told("post-customers-id-default")
    assert 'response.json().get("name") == "Another name ' in told("post-customers-id-read-back")


def test_a_flag_that_only_ever_has_one_value_does_not_say_that_a_thing_is_only_marked() -> None:
    assert "arranged(client.delete(" in told("delete-customers-id-gone")


def test_a_twin_reads_a_form_as_what_its_fields_are() -> None:
    twin = Twin(tuple(read_operations(SOURCE)), VARIANTS[0])
    made = twin.request("POST", "/customers", data={"vip": "false"}).json()
    assert made["vip"] is False
    changed = twin.request("POST", f"/customers/{made['id']}", data={"name": "Ada"}).json()
    assert changed["name"] == "Ada" and changed["vip"] is False
    assert twin.request("GET", f"/customers/{made['id']}").json() == changed
