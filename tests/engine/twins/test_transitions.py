"""Transitions told in summaries (`planned -> running`), things loaded into others, and rules that no words explain."""

from __future__ import annotations

from engine.generators.operations.contract import ContractGenerator
from graph.source import Memory
from planner.cases import Technique
from planner.contracts.codes import in_words
from planner.contracts.joining import loader_of
from planner.contracts.lifecycles import acts_before, brought_about, lifecycle_of
from planner.contracts.operations import State
from planner.contracts.references import maker_of_reference
from planner.generator import Application, Context, Draft
from planner.stories.carriers import carriers
from tests.engine.twins.proving import of_contract, prove, source_of

CONTRACT = """\
openapi: 3.1.0
info: {title: Kilns, version: '1'}
paths:
  /pieces:
    post: {responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [id],
      properties: {id: {type: integer}}}}}}}}
    get: {responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: {type: object,
      required: [id], properties: {id: {type: integer}}}}}}}}}
  /firings:
    post: {responses: {'201': {description: Planned, content: {application/json: {schema: &firing {type: object,
      required: [id, status], properties: {id: {type: integer}, status: {type: string,
      enum: [PLANNED, RUNNING, FINISHED]}}}}}}}}
  /firings/{id}:
    parameters: [&id {name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *firing}}}}}
  /firings/{id}/start:
    parameters: [*id]
    post: {summary: "planned -> running, host only", responses: {'200': {description: It,
      content: {application/json: {schema: *firing}}}, '409': &rule {description: A rule forbids it (code CONFLICT)}}}
  /firings/{id}/finish:
    parameters: [*id]
    post: {summary: Running to finished, responses: {'200': {description: It, content: {application/json: {
      schema: *firing}}}, '409': *rule}}
  /firings/{id}/pieces:
    parameters: [*id]
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [piece_id],
        properties: {piece_id: {type: integer}}}}}}
      responses: {'201': {description: Loaded, content: {application/json: {schema: *firing}}}, '409': *rule}
  /firings/{id}/pieces/{piece_id}:
    parameters: [*id, {name: piece_id, in: path, required: true, schema: {type: integer}}]
    delete: {responses: {'204': {description: Unloaded}, '404': {description: Not in it}}}
  /firings/{id}/notes:
    parameters: [*id]
    post: {responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [id],
      properties: {id: {type: integer}}}}}}}}
"""
START, FINISH = "POST /firings/{id}/start", "POST /firings/{id}/finish"


def test_summaries_tell_transitions() -> None:
    every = carriers(source_of(CONTRACT, "firings"))
    by_key = {each.key: each for each in every}
    planned, running = State("status", "PLANNED"), State("status", "RUNNING")
    assert brought_about(by_key[START], every) == running
    assert lifecycle_of(by_key[START], every).needs == planned
    assert lifecycle_of(by_key[FINISH], every).needs == running
    assert [each.key for each in acts_before(by_key[FINISH], every)] == [START]
    assert brought_about(by_key["POST /firings/{id}/pieces"], every) is None


def test_a_transition_is_read_afterwards() -> None:
    source = source_of(CONTRACT, "firings")
    text = prove(source, of_contract(source, FINISH, Technique.READ_BACK))
    assert text.index("/start") < text.index("/finish")
    assert '"FINISHED"' in text


def test_what_is_removed_from_a_thing_is_put_into_it_before_by_its_own_number() -> None:
    source = source_of(CONTRACT, "firings")
    every = carriers(source)
    removal = next(each for each in every if each.method == "DELETE")
    loader = loader_of(removal, every)
    assert loader is not None
    assert loader.key == "POST /firings/{id}/pieces"
    text = _written(source, "DELETE /firings/{id}/pieces/{piece_id}")
    plain = text.replace('"', "'")
    assert "piece = arranged(client.post('/pieces')" in plain
    assert "/pieces', json={'piece_id': piece.json()['id']}" in plain
    assert "/pieces/{piece.json()['id']}" in plain
    assert plain.count("piece = ") == 1


def test_a_rule_that_no_words_explain_leaves_a_test_undecided() -> None:
    assert in_words("A rule forbids it (code CONFLICT)") == "A rule forbids it"
    text = _written(source_of(CONTRACT, "firings"), "POST /firings/{id}/pieces")
    assert "if response.status_code == 409:" in text
    assert "a state in which this is not refused is needed" in text


def test_things_within_others_are_named_by_their_numbers() -> None:
    every = carriers(source_of(CONTRACT, "firings"))
    found = maker_of_reference("note_id", {"type": "integer"}, every)
    assert found is not None
    assert (found[0].key, found[1]) == ("POST /firings/{id}/notes", "id")
    assert maker_of_reference("note_id", {"type": "string"}, every) is None


def _written(source: Memory, key: str) -> str:
    context = Context(source=source, application=Application("", "app:app"))
    draft = ContractGenerator().generate(of_contract(source, key, Technique.SUCCESS), context)
    assert isinstance(draft, Draft), draft
    return draft.source
