"""Tests of requests whose answers criteria tell: green on twins that answer so, red where one thing is otherwise."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.generators.stories.criterion import CriterionGenerator
from engine.twins.criterion_mutations import told_mutations
from engine.twins.http import Twin
from engine.twins.replies import VARIANTS
from graph.facts import Kind, Tag
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from ingest.stories.reader import StoryReader
from planner.contracts.operations import read_operations
from planner.generator import Application, Context, Declined, Draft
from planner.stories.cases import story_cases
from planner.stories.exchanges import exchanges_of
from planner.stories.told_values import TOLD, with_told_values
from tests.engine.generators.performing import performed

CONTRACT = """\
openapi: 3.1.0
info: {title: Notes, version: '1'}
paths:
  /notes:
    get:
      parameters: [{name: q, in: query, schema: {type: string}}]
      responses: {'200': {description: All, content: {application/json: {schema: {}}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/New'}}}}
      responses:
        '201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
  /notes/{note_id}:
    parameters: [{name: note_id, in: path, required: true, schema: {type: integer}}]
    get:
      security: [{key: []}]
      responses:
        '200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  schemas:
    New: {type: object, required: [text], properties: {text: {type: string}}}
    Note:
      type: object
      required: [id, text]
      properties: {id: {type: integer}, text: {type: string}, mark: {type: string}}
"""
PAGE = """\
# US-1: Notes
As a writer, I want to keep notes, so that I remember.

## Acceptance criteria
- {}
"""


def source_of(criterion: str) -> Memory:
    contract = Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root="")
    page = Document(path="notes.md", role=Role.STORY, text=PAGE.replace("{}", criterion), root="")
    return Memory([OpenApiReader().read(contract), StoryReader().read(page)])


def written(source: Memory) -> Draft | Declined:
    (case,) = story_cases(source)
    context = Context(source=source, application=Application("", "app:app"), options={"auth": "known"})
    return CriterionGenerator().generate(case, context)


def function_of(draft: Draft) -> Callable[..., None]:
    return performed(draft)


@pytest.mark.parametrize(
    ("criterion", "asserted"),
    [
        (
            '`GET /notes?q=a` is answered with 200 and `{"notes": [], "q": "a"}`.',
            ['assert response.json() == {"notes": [], "q": "a"}'],
        ),
        (
            'After `POST /notes` with `{"text": "Milk"}`, `GET /notes/{id}` is answered with an answer that contains '
            '`{"text": "Milk", "mark": null}`.',
            [
                "response = client.get(f'/notes/{note.json()[\"id\"]}', headers=auth)",
                'assert response.json()["mark"] is None',
            ],
        ),
        (
            '`POST /notes` with `{"text": ""}` is refused with 422 and the header `X-Why`.',
            ["assert response.status_code == 422", 'assert "X-Why" in response.headers'],
        ),
        (
            'After `POST /notes` with `{"text": "Milk"}` and `GET /notes`, `GET /notes/{id}` is refused with 404.',
            ["response = client.get(f'/notes/{note.json()[\"id\"]}', headers=auth)"],
        ),
        ("`GET /notes` returns a list that contains `[1]`.", ["assert 1 in response.json()"]),
    ],
)
def test_what_is_told_is_sent_and_each_part_of_the_answer_is_checked(
    criterion: str, asserted: list[str]
) -> None:
    source = source_of(criterion)
    draft = written(source)
    assert isinstance(draft, Draft), draft
    for line in asserted:
        assert line in draft.source
    run = function_of(draft)
    operations = tuple(read_operations(source))
    (fact,) = source.facts(tag=Tag.SPEC, kinds={Kind.CRITERION})
    exchanges = tuple(exchanges_of(fact))
    credentials = {"auth": {"X-Api-Key": "a"}} if "auth" in draft.fixtures else {}
    for variant in VARIANTS:
        run(Twin(operations, variant, None, exchanges), **credentials)
    for mutation in told_mutations(exchanges, operations[0]):
        with pytest.raises((AssertionError, KeyError, TypeError)):
            run(Twin(operations, VARIANTS[0], mutation, exchanges), **credentials)


@pytest.mark.parametrize(
    ("criterion", "needs"),
    [
        ("`GET /books` is answered with 200.", "the operation GET /books, which no contract has"),
        (
            "`GET /notes/{id}` is answered with 200.",
            "a request before GET /notes/{id} that is answered with id",
        ),
        ("`POST /notes` with `text` is answered with 202.", "what `text` says of the request: it is no JSON"),
    ],
)
def test_what_cannot_be_sent_as_told_waits_for_a_person(criterion: str, needs: str) -> None:
    answer = written(source_of(criterion))
    assert isinstance(answer, Declined)
    assert answer.needs == needs


def test_a_value_that_is_told_to_be_there_is_taken_before_one_is_made_up() -> None:
    told = "`GET /notes/7` with the header `X-Shelf: a` is answered with 200 and `{}`."
    source = source_of(told)
    criteria = list(source.facts(tag=Tag.SPEC, kinds={Kind.CRITERION}))
    changed = {each.key: each for each in with_told_values(read_operations(source), criteria)}
    (note_id,) = changed["GET /notes/{note_id}"].parameters
    assert note_id.schema["example"] == 7
    assert note_id.schema[TOLD] == criteria[0].id


def test_what_is_told_to_be_made_is_not_made_by_other_tests() -> None:
    told = "`PUT /notes/7` with `{}` is answered with 200."
    source = source_of(told)
    criteria = source.facts(tag=Tag.SPEC, kinds={Kind.CRITERION})
    assert with_told_values(read_operations(source), criteria) == read_operations(source)
