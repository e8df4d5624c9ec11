"""Tests of a contract whose answers are envelopes: what stands in them is found again, and tests of it are proven."""

from __future__ import annotations

import pytest

from engine.generators.operations.contract import ContractGenerator
from engine.twins.http import Twin
from engine.twins.mutations import mutations
from engine.twins.replies import VARIANTS
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.cases import Case
from planner.contracts.cases import contract_cases
from planner.contracts.operations import read_operations
from planner.generator import Application, Context, Draft
from tests.engine.generators.performing import performed

CONTRACT = """\
openapi: 3.1.0
info: {title: Parking, version: '1'}
paths:
  /spots:
    get:
      parameters:
        - {name: page, in: query, schema: {type: integer, minimum: 1, default: 1}}
      responses: {'200': {description: All, content: {application/json: {schema: {type: object, required: [data, total],
        properties: {data: {type: array, items: &spot {type: object, required: [id, label, price],
        properties: {id: {type: integer}, label: {type: string}, price: {type: string, pattern: '^[0-9]*[.]?[0-9]*$'},
        covered: {type: boolean}}}}, total: {type: integer}}}}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: &new {type: object, required: [label, price],
        properties: {label: {type: string, maxLength: 9}, price: {type: number}, covered: {type: boolean},
        site_id: {type: integer}}}}}}
      responses:
        '201': {description: Made, content: {application/json: {schema: &one {type: object, required: [data],
          properties: {data: *spot, message: {type: string}}}}}}
        '404': {description: No such site}
        '409': {description: Conflict}
        '422': {description: Invalid}
  /spots/{spot_id}:
    parameters: [{name: spot_id, in: path, required: true, schema: {type: integer}}]
    get:
      responses:
        '200': {description: One, content: {application/json: {schema: *one}}}
        '404': {description: None}
    put:
      requestBody: {required: true, content: {application/json: {schema: *new}}}
      responses:
        '200': {description: Changed, content: {application/json: {schema: *one}}}
        '404': {description: None}
    delete:
      responses: {'204': {description: Gone}, '404': {description: None}}
  /spots/{spot_id}/adjust:
    parameters: [{name: spot_id, in: path, required: true, schema: {type: integer}}]
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [by],
        properties: {by: {type: integer}}}}}}
      responses:
        '200': {description: Adjusted, content: {application/json: {schema: *one}}}
        '409': {description: Conflict}
"""
SOURCE = Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root=""))])
OPERATIONS = {each.key: each for each in read_operations(SOURCE)}
CONTEXT = Context(source=SOURCE, application=Application("", "app:app"))
ANSWERS = {
    each.id: (each, ContractGenerator().generate(each, CONTEXT))
    for each in contract_cases(OPERATIONS.values())
}
WRITTEN = {name: (case, draft) for name, (case, draft) in ANSWERS.items() if isinstance(draft, Draft)}


def _try(draft: Draft, twin: Twin) -> None:
    performed(draft)(twin)


@pytest.mark.parametrize(("case", "draft"), WRITTEN.values(), ids=list(WRITTEN))
def test_a_test_is_green_on_each_twin_and_red_where_a_claim_is_broken(case: Case, draft: Draft) -> None:
    operations, operation = tuple(OPERATIONS.values()), OPERATIONS[str(case.target["operation"])]
    for variant in VARIANTS:
        _try(draft, Twin(operations, variant))
    for mutation in mutations(case, operation, OPERATIONS.get(str(case.target.get("read")))):
        with pytest.raises((AssertionError, KeyError, TypeError, AttributeError)):
            _try(draft, Twin(operations, VARIANTS[0], mutation))


def _source_of(start: str) -> str:
    return next(draft.source for _, draft in WRITTEN.values() if draft.name.startswith(start))


def test_a_thing_is_found_again_by_what_stands_in_the_envelope() -> None:
    source = _source_of("test_what_post_spots_made_can_be_read")
    assert 'client.get(f\'/spots/{spot.json()["data"]["id"]}\')' in source
    assert 'response.json()["data"]["label"] == spot.json()["data"]["label"]' in source
    assert '"price"]' not in source.partition("response =")[2], "a decimal may be spelled otherwise"


def test_a_list_of_pages_is_counted_by_what_it_says_of_the_whole() -> None:
    assert 'assert response.json()["total"] == before.json()["total"] + 1' in _source_of(
        "test_what_post_spots_made_is_listed"
    )


def test_the_phrase_of_a_status_says_that_two_of_one_name_conflict_and_nothing_of_a_command() -> None:
    second = [draft.name for _, draft in WRITTEN.values() if draft.name.endswith("the_second_time")]
    assert second == ["test_post_spots_is_refused_with_409_the_second_time"]
