"""Things that are made elsewhere than where a path names them, and what of them no two can have in common."""

from __future__ import annotations

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
info: {title: Sensors, version: '1'}
paths:
  /sensors/register:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [sensor],
        properties: {sensor: {type: object, required: [sensor_id, place], properties: {
          sensor_id: {type: string, example: roof-1}, place: {type: string}}}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object}}}}}
  /sensors/{sensor_id}:
    parameters: [&sensor {name: sensor_id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: {type: object}}}},
      '404': {description: None}}}
    delete: {responses: {'204': {description: Gone}, '404': {description: None}}}
  /alarms/{sensor_id}:
    parameters: [*sensor]
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [level],
        properties: {level: {type: integer}}}}}}
      responses: {'200': {description: Rings, content: {application/json: {schema: {type: object}}}}}
  /letters/{reader_id}:
    post:
      parameters: [{name: reader_id, in: path, required: true, schema: {type: integer}}]
      responses: {'201': {description: Sent}}
  /reports/{id}/text:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: Text, content: {application/json: {schema: {}}}}}}
  /readers:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [username, town],
        properties: {username: {type: string}, town: {type: string}}}}}}
      responses: {'200': {description: Made, content: {application/json: {schema: {}}}}}
  /forecast:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [days],
        properties: {days: {type: integer}, wind: {type: string, default: west}}}}}}
      responses: {'200': {description: So, content: {application/json: {schema: {type: object}}}}}
  /events:
    delete:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [day],
        properties: {day: {type: string, format: date}}}}}}
      responses: {'200': {description: Gone}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object}}}}
      responses: {'200': {description: Kept}}
  /cows:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [sex],
        properties: {sex: {type: string}}}}}}
      responses: {'201': {description: Made}}
  /notes:
    get:
      parameters: [&token {name: token, in: header, schema: {type: string}},
        {name: limit, in: query, schema: {type: integer}}]
      responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: {}}}}}}
    post:
      parameters: [*token]
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [line_item],
        properties: {line_item: {type: string, format: uuid}, mood: {type: string, format: uuid}}}}}}
      responses: {'200': {description: Made, content: {application/json: {schema: {type: object}}}}}
  /lineitems:
    post:
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [id],
        properties: {id: {type: string, format: uuid}}}}}}}
  /doors/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': &door {description: One, content: {application/json: {schema: {type: object,
      required: [id, name, state], properties: {id: {type: integer}, name: {type: string},
      state: {type: string, enum: [open, shut]}}}}}}}}
    put:
      requestBody: &given {required: true, content: {application/json: {schema: {type: object,
        required: [name, state], properties: {name: {type: string}, state: {type: string, enum: [open, shut]}}}}}}
      responses: {'200': *door}
  /doors:
    post: {requestBody: *given, responses: {'201': *door}}
"""
SOURCE = Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root=""))])
OPERATIONS = tuple(read_operations(SOURCE))
CONTEXT = Context(source=SOURCE, application=Application("", "app:app"), options={"auth": "known"})
CASES = {case.id: case for case in contract_cases(OPERATIONS)}


def told(start: str) -> str:
    """The source of the only test whose case begins so, or what it lacks."""
    (case,) = [case for name, case in CASES.items() if name.startswith(start)]
    answer = ContractGenerator().generate(case, CONTEXT)
    return answer.source if isinstance(answer, Draft) else answer.needs


def test_what_is_registered_below_a_collection_is_found_in_it_and_named_elsewhere() -> None:
    read, command = told("get-sensors-sensor-id-success"), told("post-alarms-sensor-id-success")
    for source, path in ((read, "sensors"), (command, "alarms")):
        name = source.partition('"sensor_id": "')[2].partition('"')[0]
        assert name.startswith("roof-1-") and f'"/{path}/{name}"' in source
    assert told("post-sensors-register-success").count("roof-1-") == 1


def test_a_twin_finds_what_was_registered() -> None:
    twin = Twin(OPERATIONS, VARIANTS[0])
    assert twin.get("/sensors/roof-2").status_code == 404
    twin.post("/sensors/register", json={"sensor": {"sensor_id": "roof-2", "place": "Roof"}})
    assert twin.get("/sensors/roof-2").status_code == 200


def test_a_number_that_a_server_gives_out_is_not_made_up_for_a_command_or_a_part() -> None:
    assert told("post-letters-reader-id-success").startswith("an existing reader_id")
    assert told("get-reports-id-text-success").startswith("an existing id")


def test_what_one_thing_alone_has_is_not_sent_again_with_another_content() -> None:
    source = told("post-readers-effect-body")
    assert "with_other_username" in source and "with_other_town" not in source


def test_a_command_need_not_answer_otherwise_and_its_answer_may_tell_of_the_moment() -> None:
    assert not [name for name in CASES if name.startswith("post-forecast-effect-body")]
    assert "for k in same} == {k: explicit.json().get(k)" in told("post-forecast-default-body-wind")


def test_an_object_of_which_nothing_is_said_is_not_sent_empty() -> None:
    assert told("post-events-success").startswith("what the body of POST /events has to have")


def test_a_header_for_credentials_that_several_operations_take_is_sent() -> None:
    assert "headers=auth" in told("get-notes-success")
    assert not [name for name in CASES if "auth-missing" in name]


def test_a_limit_that_nothing_is_said_to_refuse_is_not_tested_to_be() -> None:
    assert not [name for name in CASES if name.startswith("get-notes-wrong-type-query-limit")]


def test_a_uuid_of_another_thing_is_made_or_left_out() -> None:
    assert 'client.post("/lineitems"' in told("post-notes-success")
    assert "mood" not in told("post-notes-success")


def test_another_choice_is_not_made_where_something_else_can_be_changed() -> None:
    source = told("put-doors-id-read-back")
    assert '"Another name' in source and "shut" not in source


def test_one_of_few_that_no_contract_lists_is_not_made_up() -> None:
    assert told("post-cows-success").startswith("which sex POST /cows takes")


def test_a_removal_with_content_is_sent_as_clients_can() -> None:
    source = told("delete-events-success")
    assert 'client.request("DELETE", "/events", json={"day": "2026-01-31"})' in source
