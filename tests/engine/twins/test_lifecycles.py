"""Things that acts bring from one state into another, and what is refused of them as they stand."""

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
from planner.contracts.lifecycles import acts_before, brought_about, lifecycle_of
from planner.contracts.operations import State, read_operations
from planner.contracts.readiness import unready_as_made
from planner.generator import Application, Context, Draft
from planner.stories.promises import promised
from tests.engine.generators.performing import performed

CONTRACT = """\
openapi: 3.1.0
info: {title: Shop, version: '1'}
paths:
  /orders:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title],
        properties: {title: {type: string}}}}}}
      responses: {'201': {description: 'The order, which is open.', content: {application/json: {schema: &order {
        type: object, required: [id, title, status], properties: {id: {type: integer}, title: {type: string},
        status: {type: string, enum: [cancelled, paid, shipped, open]}}}}}}}
  /orders/{id}:
    parameters: [&id {name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *order}}},
      '404': &none {description: None}}}
    patch:
      description: What is not given stays. A cancelled order cannot be changed.
      requestBody: {required: true, content: {application/json: {schema: {type: object,
        properties: {title: {type: string}}}}}}
      responses: {'200': {description: Changed, content: {application/json: {schema: *order}}},
        '409': {description: The state of things does not allow it.}, '404': *none}
  /orders/{id}/pay:
    parameters: [*id]
    post: {responses: {'200': {description: The paid order, content: {application/json: {schema: *order}}},
      '404': *none, '409': {description: The order is cancelled}}}
  /orders/{id}/dispatch:
    parameters: [*id]
    post: {responses: {'200': {description: 'The order, now shipped', content: {application/json: {schema: *order}}},
      '404': *none, '409': {description: The order is not paid yet}}}
  /orders/{id}/cancel:
    parameters: [*id]
    post: {responses: {'204': {description: Done}, '404': *none, '409': {description: The order has nothing in it yet}}}
  /orders/{id}/notes:
    parameters: [*id]
    post: {responses: {'201': {description: A note for a paid order}}}
    get: {responses: {'200': {description: Notes}}}
"""
API = OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root=""))
CASES = list(contract_cases(read_operations(Memory([API]))))
OPERATIONS = tuple(promised(read_operations(Memory([API])), CASES))
BY_KEY = {operation.key: operation for operation in OPERATIONS}
PAY, SHIP, CANCEL, CHANGE = (
    BY_KEY[key]
    for key in (
        "POST /orders/{id}/pay",
        "POST /orders/{id}/dispatch",
        "POST /orders/{id}/cancel",
        "PATCH /orders/{id}",
    )
)


def test_an_act_leads_to_the_state_that_its_words_or_its_verb_tell() -> None:
    assert brought_about(PAY, OPERATIONS) == State("status", "paid")
    assert brought_about(SHIP, OPERATIONS) == State("status", "shipped")
    assert brought_about(CANCEL, OPERATIONS) == State("status", "cancelled")
    assert brought_about(CHANGE, OPERATIONS) is None
    assert brought_about(BY_KEY["POST /orders/{id}/notes"], OPERATIONS) is None


def test_what_an_operation_needs_is_done_before() -> None:
    assert [each.key for each in acts_before(SHIP, OPERATIONS)] == [PAY.key]
    assert acts_before(PAY, OPERATIONS) == []
    assert [state.value for state, _ in lifecycle_of(CHANGE, OPERATIONS).refused] == ["cancelled"]


def test_a_conflict_that_its_words_explain_keeps_nothing_from_being_asked() -> None:
    assert unready_as_made(CHANGE, OPERATIONS) is None
    assert unready_as_made(SHIP, OPERATIONS) is None
    assert unready_as_made(CANCEL, OPERATIONS) == "409 (The order has nothing in it yet)"


def test_a_twin_keeps_how_things_stand() -> None:
    twin = Twin(OPERATIONS, VARIANTS[0])
    one, other = (twin.post("/orders", json={"title": title}).json()["id"] for title in ("a", "b"))
    assert twin.get(f"/orders/{one}").json()["status"] == "open"
    assert twin.post(f"/orders/{one}/dispatch").status_code == 409
    assert twin.post(f"/orders/{one}/pay").json()["status"] == "paid"
    assert twin.post(f"/orders/{one}/dispatch").status_code == 200
    assert twin.get(f"/orders/{one}").json()["status"] == "shipped"
    assert twin.post(f"/orders/{other}/cancel").status_code == 204
    assert [
        twin.post(f"/orders/{other}/pay").status_code,
        twin.patch(f"/orders/{other}", json={}).status_code,
    ] == [409] * 2


WRITTEN = {
    ("POST /orders/{id}/dispatch", "success"),
    ("POST /orders/{id}/dispatch", "error"),
    ("POST /orders/{id}/dispatch", "read-back"),
    ("POST /orders/{id}/pay", "error"),
    ("PATCH /orders/{id}", "success"),
    ("PATCH /orders/{id}", "error"),
}


@pytest.mark.parametrize(
    "case",
    [each for each in CASES if (each.target["operation"], each.technique) in WRITTEN],
    ids=lambda case: case.id,
)
def test_a_test_brings_a_thing_into_the_state_that_it_is_about(case: Case) -> None:
    context = Context(source=Memory([API]), application=Application("fastapi", "app:app"))
    draft = ContractGenerator().generate(case, context)
    assert isinstance(draft, Draft), draft.needs
    run = performed(draft)
    for variant in VARIANTS:
        run(Twin(OPERATIONS, variant))
    operation = BY_KEY[str(case.target["operation"])]
    broken = list(mutations(case, operation, BY_KEY.get(str(case.target.get("read")))))
    assert broken
    for mutation in broken:
        with pytest.raises((AssertionError, KeyError)):
            run(Twin(OPERATIONS, VARIANTS[0], mutation))
