"""Things whose own path is called otherwise than that of what makes them, and what of them such a path takes."""

from __future__ import annotations

import pytest

from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.cases import Technique
from planner.contracts.invitations import with_invitations
from planner.contracts.operations import Operation, read_operations
from planner.contracts.referring import counts_things
from planner.contracts.resources import home_of, maker_of
from planner.contracts.things import things
from tests.engine.twins.proving import of_contract, prove

CONTRACT = """\
openapi: 3.0.3
info: {title: School, version: '1'}
paths:
  /courses:
    get: {responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: &one
      {$ref: '#/components/schemas/Course'}}}}}}}
    post: &make
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name],
        properties: {name: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: *one}}}}
  /course/{course_id}:
    parameters: [&id {name: course_id, in: path, required: true, schema: {type: integer}}]
    get: &read {responses: {'200': {description: One, content: {application/json: {schema: *one}}},
      '404': {description: None}}}
    delete: {responses: {'204': {description: Gone}, '404': {description: None}}}
  /enrolments/{course_id}:
    parameters: [*id]
    get: {responses: {'200': {description: Who, content: {application/json: {schema: {type: array,
      items: {type: string}}}}}}}
components: {schemas: {Course: {type: object, required: [id, course_id, name], properties: {
  id: {type: integer}, course_id: {type: string}, name: {type: string}}}}}
"""
ELSEWHERE = CONTRACT.replace("/courses:", "/add_course:", 1).replace(
    "    get: {responses: {'200': {description: All", "    x-none: {responses: {'200': {description: All"
)


def _source(text: str) -> Memory:
    return Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=text, root=""))])


def _operations(text: str) -> dict[str, Operation]:
    return {each.key: each for each in read_operations(_source(text))}


@pytest.mark.parametrize(("text", "maker"), [(CONTRACT, "POST /courses"), (ELSEWHERE, "POST /add_course")])
def test_what_makes_a_thing_is_found_beside_its_own_path_and_names_it_by_what_that_takes(
    text: str, maker: str
) -> None:
    known = _operations(text)
    assert maker_of("/course/{course_id}", "course_id", known.values()) == (known[maker], "id")
    assert home_of(known[maker], known.values()) == "/course"
    (thing,) = things(known.values())
    assert thing.reader is known["GET /course/{course_id}"]
    assert thing.remover is known["DELETE /course/{course_id}"]
    assert thing.key() == "id"


def test_what_only_lets_in_or_looks_up_makes_nothing() -> None:
    text = CONTRACT.replace("/courses:", "/find:", 1).replace("'201'", "'200'")
    assert maker_of("/course/{course_id}", "course_id", _operations(text).values()) is None


@pytest.mark.parametrize(("text", "maker"), [(CONTRACT, "POST /courses"), (ELSEWHERE, "POST /add_course")])
def test_twins_find_there_what_was_made_elsewhere(text: str, maker: str) -> None:
    source, read = _source(text), "GET /course/{course_id}"
    made = prove(source, of_contract(source, maker, Technique.READ_BACK, read=read))
    removed = prove(source, of_contract(source, "DELETE /course/{course_id}", Technique.GONE, read=read))
    assert all('["id"]' in each.replace("'", '"') for each in (made, removed)), made
    assert all('"course_id"' not in each.replace("'", '"') for each in (made, removed))


OPTIONAL = """\
openapi: 3.0.3
info: {title: Expenses, version: '1'}
paths:
  /expenses/:
    get: {security: [{token: []}, {}], responses: {'200': {description: All}}}
    post: {security: [{token: []}], responses: {'201': {description: Made}}}
  /expenses/{id}/:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {security: [{token: []}, {}], responses: {'200': {description: One}}}
  /news/:
    get: {security: [{token: []}, {}], responses: {'200': {description: All}}}
    post: {security: [], responses: {'201': {description: Told}}}
components: {securitySchemes: {token: {type: http, scheme: bearer}}}
"""


def test_credentials_that_may_be_left_out_are_given_where_callers_make_what_is_read() -> None:
    known = {each.key: each for each in with_invitations(_operations(OPTIONAL).values())}
    assert [key for key, each in known.items() if each.invites] == ["GET /expenses/", "GET /expenses/{id}/"]
    assert not known["GET /expenses/"].secured


UNITS = """\
openapi: 3.0.3
info: {title: Lessons, version: '1'}
paths:
  /units:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [unit],
        properties: {unit: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object,
        required: [id, unit], properties: {id: {type: string}, unit: {type: string}}}}}}}
  /lessons:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object,
        required: [unit_id, num_of_units, begins], properties: {unit_id: {type: integer}, num_of_units: {type: integer},
        begins: &time {type: string, format: time}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object,
        required: [id, num_of_units, begins], properties: {id: {type: string}, num_of_units: {type: integer},
        begins: *time}}}}}}
"""


def test_a_field_names_by_a_number_what_shows_it_as_a_text_and_a_count_names_nothing() -> None:
    source = _source(UNITS)
    written = prove(source, of_contract(source, "POST /lessons", Technique.SUCCESS)).replace("'", '"')
    assert '"unit_id": int(unit.json()["id"])' in written
    assert '"num_of_units": 1' in written
    assert '["begins"][:5] == "12:30"' in written


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("num_of_book", True),
        ("totalCopies", True),
        ("max_students", True),
        ("number_id", False),
        ("nobook", False),
    ],
)
def test_a_number_is_called_as_how_many_there_are(name: str, counts: bool) -> None:
    assert counts_things(name) is counts
