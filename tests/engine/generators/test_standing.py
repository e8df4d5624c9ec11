"""Tests of what criteria say of things that stand in a certain way: made so, and then refused or taken."""

from __future__ import annotations

import pytest

from engine.generators.operations.contract import ContractGenerator
from engine.generators.stories.criterion import CriterionGenerator
from engine.twins.criterion_mutations import criterion_mutations
from engine.twins.http import Twin
from engine.twins.mutation import Mutation
from engine.twins.replies import VARIANTS
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from ingest.stories.reader import StoryReader
from planner.cases import Case
from planner.contracts.cases import contract_cases
from planner.contracts.operations import read_operations
from planner.generator import Application, Context, Declined, Draft
from planner.stories.cases import story_cases
from planner.stories.promises import promised
from tests.engine.generators.performing import performed

CONTRACT = """\
openapi: 3.0.3
info: {title: Jobs, version: '1'}
paths:
  /jobs:
    get:
      responses: {'200': {description: All, content: {application/json: {schema: {
        type: array, items: {$ref: '#/components/schemas/Job'}}}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name],
        properties: {name: {type: string}, status: STATUS}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}}
  /jobs/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      responses:
        '200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}
        '404': {description: None}
    patch:
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {
        status: {type: string, enum: [waiting, running, in_review]}, name: {type: string}}}}}}
      responses:
        '200': {description: Changed, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}
        '404': {description: None}
    delete: {responses: {'204': {description: Gone}, '404': {description: None}, '409': {description: It runs}}}
  /jobs/{id}/start:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    post:
      responses:
        '200': {description: Started, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}
        '404': {description: None}
components:
  schemas:
    Job: {type: object, required: [id, name, status], properties: {id: {type: integer}, name: {type: string},
      status: {type: string, enum: [waiting, running, in_review]}}}
"""
GIVEN = CONTRACT.replace("STATUS", "{type: string, enum: [waiting, running, in_review], default: waiting}")
CHANGED = CONTRACT.replace(", status: STATUS", "")
PAGE = "# US-1: Jobs\n\nAs an operator, I want to keep jobs, so that work is done.\n\n- AC-1: {}\n"


def cases_of(sentence: str, contract: str = GIVEN) -> tuple[Memory, list[Case]]:
    api = Document(path="api.yaml", role=Role.CONTRACT, text=contract, root="")
    page = Document(path="jobs.md", role=Role.STORY, text=PAGE.replace("{}", sentence), root="")
    source = Memory([OpenApiReader().read(api), StoryReader().read(page)])
    return source, list(story_cases(source))


def told(sentence: str) -> list[tuple[object, ...]]:
    keys = ("operation", "field", "value", "status", "refused")
    found = (case.target for case in cases_of(sentence)[1])
    return [tuple(each[key] for key in keys) for each in found if each.get("like") == "standing"]


@pytest.mark.parametrize(
    "sentence",
    [
        "A running job cannot be removed.",
        "A running job can't be deleted.",
        "Running jobs must not be removed (409).",
        "A job that is running cannot be removed any more.",
        "Jobs which are still running cannot be removed until they end.",
        "No running job can be removed.",
        "Removing a running job is refused with 409.",
        "DELETE /jobs/{id} answers 409 when the job is running.",
    ],
)
def test_what_is_refused_of_a_thing_that_stands_so(sentence: str) -> None:
    assert told(sentence) == [("DELETE /jobs/{id}", "status", "running", "409", True)]


def test_verbs_name_operations_by_their_paths_and_states_may_be_two_words() -> None:
    started = "POST /jobs/{id}/start"
    assert told("A running job cannot be started again.") == [(started, "status", "running", "", True)]
    assert told("A job in review cannot be renamed.") == []
    assert told("A job that is in review may not be changed.") == [
        ("PATCH /jobs/{id}", "status", "in_review", "", True)
    ]
    assert told("A waiting job can be started.") == [(started, "status", "waiting", "200", False)]


@pytest.mark.parametrize(
    ("sentence", "operation"),
    [
        ("When I start a job that does not exist, I get 404.", "POST /jobs/{id}/start"),
        ("Removing an unknown job is answered with 404.", "DELETE /jobs/{id}"),
        ("A job that does not exist is answered with 404.", "GET /jobs/{id}"),
    ],
)
def test_what_is_not_there_is_asked_for_by_the_operation_that_the_sentence_names(
    sentence: str, operation: str
) -> None:
    (case,) = cases_of(sentence)[1]
    assert (case.target["like"], case.target["operation"]) == ("missing", operation)


@pytest.mark.parametrize(
    "sentence",
    [
        "A running job cannot be removed by a guest.",
        "A running job cannot be removed unless it is forced.",
        "A running job can be removed if it is small.",
        "A running job can be removed twice.",
        "A job that is not running cannot be removed.",
        "A not running job cannot be removed.",
        "A running job cannot be changed to waiting.",
        "A job cannot be removed.",
        "A running job cannot be painted.",
        "A running shop cannot be removed.",
        "DELETE /jobs/{id} answers 404 when there is none, and 409 when the job is running.",
        "Only a running job can be removed.",
    ],
)
def test_what_is_so_only_sometimes_or_of_something_else_is_left_alone(sentence: str) -> None:
    assert told(sentence) == []


def on_twin(sentence: str, contract: str, broken: Mutation | None = None) -> str:
    """The source of a test, after it ran on each twin; raises AssertionError where it is red on one."""
    source, cases = cases_of(sentence, contract)
    (case,) = cases
    context = Context(source=source, application=Application("", "app:app"), options={"auth": "known"})
    draft = CriterionGenerator().generate(case, context)
    assert isinstance(draft, Draft), draft
    test = performed(draft)
    operations = tuple(promised(read_operations(source), [case]))
    for variant in VARIANTS:
        test(Twin(operations, variant, broken))
    return draft.source


@pytest.mark.parametrize("contract", [GIVEN, CHANGED], ids=["made so", "changed so"])
@pytest.mark.parametrize(
    "sentence",
    [
        "A running job cannot be removed.",
        "A running job cannot be started.",
        "A waiting job can be removed.",
    ],
)
def test_the_test_brings_the_state_about_and_notices_when_it_does_not_matter(
    sentence: str, contract: str
) -> None:
    text = on_twin(sentence, contract)
    assert ("client.patch" in text) is (contract is CHANGED)
    source, (case,) = cases_of(sentence, contract)
    operation = next(each for each in read_operations(source) if each.key == case.target["operation"])
    broken = list(criterion_mutations(case, operation, None))
    assert broken
    for mutation in broken:
        with pytest.raises(AssertionError):
            on_twin(sentence, contract, mutation)


def conflict(words: str, contract: str = GIVEN) -> Draft | Declined:
    """The answer of the generator to the case of the 409 of DELETE /jobs/{id}, whose contract has these words."""
    text = contract.replace("description: It runs", f"description: {words}")
    source = Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=text, root=""))])
    cases = contract_cases(read_operations(source))
    case = next(each for each in cases if each.target.get("status") == "409")
    return ContractGenerator().generate(case, Context(source=source, application=Application("", "app:app")))


@pytest.mark.parametrize(
    "words", ["The job is running", "A running job cannot be removed", "Already running"]
)
@pytest.mark.parametrize("contract", [GIVEN, CHANGED], ids=["given", "changed"])
def test_a_state_that_the_words_of_a_conflict_name_is_brought_about(words: str, contract: str) -> None:
    draft = conflict(words, contract)
    assert isinstance(draft, Draft)
    assert "is_refused_with_409_when_running" in draft.name
    assert '"status": "running"' in draft.source
    run = performed(draft)
    text = contract.replace("description: It runs", f"description: {words}")
    source = Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=text, root=""))])
    operations = read_operations(source)
    for variant in VARIANTS:
        run(Twin(tuple(promised(operations, [])), variant))
    with pytest.raises(AssertionError):
        run(Twin(tuple(operations), VARIANTS[0]))


@pytest.mark.parametrize(
    "words",
    ["It runs", "The job is not running", "Only a running job can be removed"],
)
def test_a_conflict_whose_state_is_not_sure_waits_for_a_person(words: str) -> None:
    assert isinstance(conflict(words), Declined)
