"""What is refused for the sake of other things: some that are in it, too little of it, or one that is not there."""

from __future__ import annotations

import pytest

from engine.generators.operations.contract import ContractGenerator
from engine.generators.stories.criterion import CriterionGenerator
from engine.twins.http import Twin
from engine.twins.mutations import mutations
from engine.twins.replies import VARIANTS
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from ingest.stories.reader import StoryReader
from planner.cases import Case, Technique
from planner.contracts.cases import contract_cases
from planner.contracts.conflicts import exceeding_of, holding_of, lacking_of
from planner.contracts.operations import Operation, read_operations
from planner.generator import Application, Context, Draft
from planner.stories.cases import story_cases
from planner.stories.promises import promised
from tests.engine.generators.performing import performed

CONTRACT = """\
openapi: 3.1.0
info: {title: Stock, version: '1'}
paths:
  /houses:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [code],
        properties: {code: {type: string, pattern: '^[A-Z]{2,4}$'}}}}}}
      responses: {'201': {description: Added, content: {application/json: {schema: &house {type: object,
        required: [code], properties: {code: {type: string}}}}}}}
  /houses/{code}:
    parameters: [&code {name: code, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *house}}},
      '404': &none {description: None}}}
    delete: {responses: {'204': {description: Removed}, '404': *none, '409': {description: %(held)s}}}
  /goods:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name, house],
        properties: {name: {type: string}, house: {type: string}}}}}}
      responses: {'201': {description: Added, content: {application/json: {schema: &good {type: object,
        required: [id, name, house, available], properties: {id: {type: integer}, name: {type: string},
        house: {type: string}, available: {type: integer, minimum: 0}}}}}},
        '404': {description: There is no such house}}
  /goods/{good_id}:
    parameters: [&good_id {name: good_id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *good}}}, '404': *none}}
    delete: {responses: {'204': {description: Removed}, '404': *none, '409': {description: Some of it is reserved}}}
  /goods/{good_id}/reservations:
    parameters: [*good_id]
    get: {responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: &reservation {
      type: object, required: [id, amount], properties: {id: {type: integer}, amount: {type: integer}}}}}}},
      '404': *none}}
    post:
      operationId: reserve
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [amount],
        properties: {amount: {type: integer, minimum: 1}}}}}}
      responses: {'201': {description: Reserved, content: {application/json: {schema: *reservation}}}, '404': *none,
        '409': {description: Not enough of it is available}}
"""
HELD = "There are goods in it"


def source_of(held: str = HELD, sentence: str = "") -> Memory:
    contract = Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT % {"held": held}, root="")
    text = (
        f"# S-1: Stock\n\nAs a keeper I want order.\n\n## Acceptance criteria\n\n- {sentence or 'Order.'}\n"
    )
    story = Document(path="a.md", role=Role.STORY, text=text, root="")
    return Memory([OpenApiReader().read(contract), StoryReader().read(story)])


def conflict(key: str, held: str = HELD, status: str = "409") -> tuple[Operation, list[Operation], int]:
    operations = read_operations(source_of(held))
    operation = next(each for each in operations if each.key == key)
    return operation, operations, [each.status for each in operation.answers].index(status)


@pytest.mark.parametrize(
    ("held", "is_told"),
    [(HELD, True), ("It has goods", True), ("The house is not empty", True), ("It is still in use", True),
     ("No goods are there", False), ("Only the owner may do this", False), ("Conflict", False)],
)  # fmt: skip
def test_what_holds_a_thing_is_told_by_the_words_of_its_conflict(held: str, is_told: bool) -> None:
    operation, operations, place = conflict("DELETE /houses/{code}", held)
    found = holding_of(operation, operation.answers[place], operations)
    assert (found is not None and (found.maker.key, found.field) == ("POST /goods", "house")) is is_told


def test_what_is_too_little_and_what_is_lacking_is_told_by_words() -> None:
    reserve, operations, place = conflict("POST /goods/{good_id}/reservations")
    more = exceeding_of(reserve, reserve.answers[place], operations)
    assert more is not None and (more.amount, more.field) == ("amount", "available")
    good, operations, place = conflict("POST /goods", status="404")
    lacking = lacking_of(good, good.answers[place], operations)
    assert lacking is not None and (lacking[0], lacking[1].key) == ("house", "POST /houses")


def proven(case: Case, source: Memory) -> None:
    """The case has a test that is green on all twins that keep what is told, and red on those that do not."""
    context = Context(source=source, application=Application("", "app:app"))
    writer = CriterionGenerator() if case.technique is Technique.CRITERION else ContractGenerator()
    draft = writer.generate(case, context)
    assert isinstance(draft, Draft), draft
    run, whole = performed(draft), tuple(promised(read_operations(source), [case]))
    operation = next(each for each in whole if each.key == case.target["operation"])
    for variant in VARIANTS:
        run(Twin(whole, variant))
    broken = list(mutations(case, operation, None))
    assert case.technique is Technique.CRITERION or "unrefused" in {each.kind for each in broken}
    for mutation in broken:
        with pytest.raises((AssertionError, KeyError)):
            run(Twin(whole, VARIANTS[0], mutation))


@pytest.mark.parametrize(
    ("key", "status"),
    [("DELETE /houses/{code}", "409"), ("DELETE /goods/{good_id}", "409"),
     ("POST /goods/{good_id}/reservations", "409"), ("POST /goods", "404")],
)  # fmt: skip
def test_such_a_refusal_has_a_test_that_twins_prove(key: str, status: str) -> None:
    source = source_of()
    cases = [
        each
        for each in contract_cases(read_operations(source))
        if each.technique is Technique.ERROR
        and (each.target["operation"], each.target["status"]) == (key, status)
    ]
    assert len(cases) == 1
    proven(cases[0], source)


@pytest.mark.parametrize(
    ("sentence", "key"),
    [
        ("A house with goods in it cannot be removed (409).", "DELETE /houses/{code}"),
        ("A good of which some is reserved cannot be removed (409).", "DELETE /goods/{good_id}"),
        ("More than what is available cannot be reserved (409).", "POST /goods/{good_id}/reservations"),
        ("A good can only be added to a house that exists; otherwise the answer is 404.", "POST /goods"),
        ("A good in an unknown house is answered with 404.", "POST /goods"),
        ("A house with mice in it cannot be removed (409).", ""),
        ("A house with goods in it cannot be removed (423).", ""),
    ],
)
def test_a_sentence_that_tells_it_too_is_a_test(sentence: str, key: str) -> None:
    source = source_of(sentence=sentence)
    cases = [each for each in story_cases(source) if each.target.get("like")]
    assert [case.target["operation"] for case in cases] == [key] * bool(key)
    for case in cases:
        proven(case, source)
