"""Things that are put into others under names of their own: a member into a team, a badge onto a shelf."""

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
from planner.contracts.joining import home_of_joined, joiner_of
from planner.contracts.operations import read_operations
from planner.generator import Application, Context, Draft
from tests.engine.generators.performing import performed
from tests.engine.twins.proving import of_contract, source_of

CONTRACT = """\
openapi: 3.1.0
info: {title: Teams, version: '1'}
paths:
  /people:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name],
        properties: {name: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: &person {type: object,
        required: [id, name], properties: {id: {type: integer}, name: {type: string}}}}}}}
  /people/{person_id}:
    parameters: [&person_id {name: person_id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *person}}},
      '404': {description: None}}}
  /teams:
    post:
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [id],
        properties: {id: {type: integer}}}}}}}
  /teams/{team_id}/members/{person_id}:
    parameters: [&team_id {name: team_id, in: path, required: true, schema: {type: integer}}, *person_id]
    put:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [task],
        properties: {task: {type: string}}}}}}
      responses: {'200': {description: In, content: {application/json: {schema: &member {type: object, required: [task],
        properties: {task: {type: string}}}}}}, '404': {description: No such team or person}}
    get: {responses: {'200': {description: In, content: {application/json: {schema: *member}}},
      '404': {description: Not in}}}
    delete: {responses: {'204': {description: Out}, '404': {description: Not in}}}
  /teams/{team_id}/badges/{colour}:
    parameters: [*team_id, {name: colour, in: path, required: true, schema: {type: string, enum: [red, blue]}}]
    post: {responses: {'204': {description: On}}}
    delete: {responses: {'204': {description: Off}, '404': {description: None}}}
  /teams/{team_id}/notes:
    parameters: [*team_id]
    post: {responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [id],
      properties: {id: {type: integer}}}}}}}}
  /teams/{team_id}/notes/{note_id}:
    parameters: [*team_id, {name: note_id, in: path, required: true, schema: {type: integer}}]
    put: {responses: {'200': {description: Changed}}}
    delete: {responses: {'204': {description: Gone}, '404': {description: None}}}
"""
DOCUMENT = Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root="")
API = OpenApiReader().read(DOCUMENT)
OPERATIONS = tuple(read_operations(Memory([API])))
BY_KEY = {operation.key: operation for operation in OPERATIONS}
MEMBER, BADGE = "/teams/{team_id}/members/{person_id}", "/teams/{team_id}/badges/{colour}"


def test_what_puts_one_thing_into_another_is_known_by_its_path() -> None:
    assert joiner_of(MEMBER, OPERATIONS) is BY_KEY[f"PUT {MEMBER}"]
    assert joiner_of(BADGE, OPERATIONS) is BY_KEY[f"POST {BADGE}"]
    assert joiner_of("/teams/{team_id}/notes/{note_id}", OPERATIONS) is None
    assert joiner_of("/people/{person_id}", OPERATIONS) is None
    assert home_of_joined(MEMBER, OPERATIONS) == "/people"
    assert home_of_joined(BADGE, OPERATIONS) is None


def test_a_twin_has_in_a_thing_what_was_put_there() -> None:
    twin = Twin(OPERATIONS, VARIANTS[0])
    team, person = (
        twin.post(path, json=body).json()["id"]
        for path, body in (("/teams", None), ("/people", {"name": "Ann"}))
    )
    place = f"/teams/{team}/members/{person}"
    assert [twin.get(place).status_code, twin.delete(place).status_code] == [404, 404]
    assert twin.put(f"/teams/{team}/members/777", json={"task": "cook"}).status_code == 404
    assert twin.put(place, json={"task": "cook"}).json() == {"task": "cook"}
    assert twin.get(place).json() == {"task": "cook"}
    assert [twin.delete(place).status_code, twin.get(place).status_code] == [204, 404]


@pytest.mark.parametrize(
    "case",
    [case for case in contract_cases(OPERATIONS) if str(case.target["operation"]).endswith((MEMBER, BADGE))],
    ids=lambda case: case.id,
)
def test_a_test_puts_it_there_before_it_is_read_or_removed(case: Case) -> None:
    context = Context(source=Memory([API]), application=Application("fastapi", "app:app"))
    draft = ContractGenerator().generate(case, context)
    if not isinstance(draft, Draft):
        pytest.skip(draft.needs)
    run = performed(draft)
    for variant in VARIANTS:
        run(Twin(OPERATIONS, variant))
    operation = BY_KEY[str(case.target["operation"])]
    for mutation in mutations(case, operation, BY_KEY.get(str(case.target.get("read")))):
        with pytest.raises((AssertionError, KeyError)):
            run(Twin(OPERATIONS, VARIANTS[0], mutation))


def test_what_a_removal_may_not_find_is_put_there_before() -> None:
    contract = """\
openapi: 3.1.0
info: {title: Polls, version: '1'}
paths:
  /polls:
    post: {responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [id],
      properties: {id: {type: integer}}}}}}}}
  /polls/{id}:
    parameters: [&id {name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: {type: object, required: [id],
      properties: {id: {type: integer}}}}}}}}
  /polls/{id}/vote:
    parameters: [*id]
    put:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [option],
        properties: {option: {type: integer}}}}}}
      responses: {'201': {description: Voted}, '200': {description: Voted anew}}
    delete: {responses: {'204': {description: Withdrawn}, '404': {description: No such poll or %s}}}
"""
    for words, puts in (("no vote of mine", 1), ("unknown caller", 0)):
        source = source_of(contract % words, "polls")
        case = of_contract(source, "DELETE /polls/{id}/vote", Technique.SUCCESS)
        context = Context(source=source, application=Application("", "app:app"))
        draft = ContractGenerator().generate(case, context)
        assert isinstance(draft, Draft), draft
        assert draft.source.count("client.put") == puts
