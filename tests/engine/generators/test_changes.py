"""What a change sends: something, under the name by which it is found again, and no choice that others depend on."""

from __future__ import annotations

from engine.generators.operations.contract import ContractGenerator
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.cases import Technique
from planner.contracts.cases import contract_cases
from planner.contracts.operations import read_operations
from planner.generator import Application, Context, Declined, Draft

CONTRACT = """\
openapi: 3.1.0
info: {title: Catalogue, version: '1'}
paths:
  /labels:
    post:
      requestBody: {required: true, content: {application/json: {schema: &label {type: object, required: [slug, name],
        properties: {slug: {type: string}, name: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: *label}}}}
  /labels/{slug}:
    parameters: [{name: slug, in: path, required: true, schema: {type: string}}]
    get:
      responses: {'200': {description: One, content: {application/json: {schema: *label}}}, '404': {description: No}}
    put:
      requestBody: {required: true, content: {application/json: {schema: *label}}}
      responses:
        '200': {description: Changed, content: {application/json: {schema: *label}}}
        '404': {description: No}
  /racks:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [label],
        properties: {label: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [id, label],
        properties: {id: {type: integer}, label: {type: string}}}}}}}
  /items:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title],
        properties: {title: {type: string}, rack: {type: [integer, 'null']}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: &item {type: object,
        required: [id, title, rack], properties: {id: {type: integer}, title: {type: string}, state: {type: string},
        rack: {type: [integer, 'null']}}}}}}}
  /items/{item_id}:
    parameters: [{name: item_id, in: path, required: true, schema: {type: integer}}]
    get:
      responses: {'200': {description: One, content: {application/json: {schema: *item}}}, '404': {description: No}}
    patch:
      requestBody: {required: true, content: {application/json: {schema: {type: object,
        properties: {state: {type: string}, title: {type: string}}}}}}
      responses: {'200': {description: Changed, content: {application/json: {schema: *item}}}, '404': {description: No}}
    delete:
      description: The item stays in the books.
      responses: {'204': {description: Done}, '404': {description: No}}
  /settings:
    get: {responses: {'200': {description: It, content: {application/json: {schema: &setting {type: object,
      required: [kind, value, note], properties: {kind: {type: string, enum: [text, number]},
      value: {type: [string, number], example: blue}, note: {type: string}}}}}}}}
    put:
      requestBody: {required: true, content: {application/json: {schema: *setting}}}
      responses: {'200': {description: Changed, content: {application/json: {schema: *setting}}}}
"""
SOURCE = Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root=""))])


def answer(operation: str, technique: Technique) -> Draft | Declined:
    """What the generator makes of the first case of a technique for an operation."""
    context = Context(source=SOURCE, application=Application("", "app:app"))
    cases = contract_cases(read_operations(SOURCE))
    case = next(
        each for each in cases if each.technique is technique and each.target["operation"] == operation
    )
    return ContractGenerator().generate(case, context)


def written(operation: str, technique: Technique) -> str:
    """The source of that test, on one line."""
    made = answer(operation, technique)
    assert isinstance(made, Draft), made
    return " ".join(made.source.split())


def test_a_change_keeps_the_name_under_which_the_thing_is_read_afterwards() -> None:
    assert '"slug": label.json()["slug"]' in written("PUT /labels/{slug}", Technique.READ_BACK)


def test_a_change_of_what_may_all_be_left_out_changes_something() -> None:
    assert 'json={"title": "Title"}' in written("PATCH /items/{item_id}", Technique.SUCCESS)


def test_an_optional_field_names_a_thing_that_is_made_before() -> None:
    assert '"rack": rack.json()["id"]' in written("POST /items", Technique.WHOLE)


def test_a_choice_beside_a_value_of_several_types_is_not_changed() -> None:
    usual = written("PUT /settings", Technique.SUCCESS).partition("json=")[2]
    changed = written("PUT /settings", Technique.READ_BACK).partition("json=")[2]
    assert '"kind": "number"' in usual
    assert '"kind": "number"' in changed


def test_a_removal_that_says_that_it_keeps_the_thing_needs_a_person() -> None:
    gone = answer("DELETE /items/{item_id}", Technique.GONE)
    assert isinstance(gone, Declined)
    assert gone.needs == "whether DELETE /items/{item_id} removes a thing or marks it: “stays”"
