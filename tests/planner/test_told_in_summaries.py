"""What summaries and codes tell of states, and what is undecided where no act is known to bring one about."""

from __future__ import annotations

from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.contracts.conflicts import holding_of
from planner.contracts.lifecycles import acts_before
from planner.contracts.operations import Operation, read_operations
from planner.contracts.readiness import unready_as_made

INN = """\
openapi: 3.0.3
info:
  title: Inn
  version: '1'
  description: |
    Guests are let in by the porter.

    The gate passes on who somebody is in the header `X-Porter`. The porter's handle is `gus` by default.
components: {securitySchemes: {porter: {type: apiKey, in: header, name: X-Porter}}}
security: [{porter: []}]
paths:
  /rooms:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name],
        properties: {name: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [id],
        properties: {id: {type: integer}, name: {type: string}}}}}}}
  /rooms/{room_id}:
    parameters: [{name: room_id, in: path, required: true, schema: {type: integer}}]
    delete:
      responses: {'204': {description: Gone}, '409': {description: There are confirmed stays for it}}
  /stays:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [room_id],
        properties: {room_id: {type: integer}}}}}}
      responses: {'201': {description: 'The new stay, pending', content: {application/json: {schema: &stay {
        type: object, required: [id, status], properties: {id: {type: integer}, room_id: {type: integer},
        status: {type: string, enum: [pending, confirmed, checked_in, checked_out, billed]}}}}}}}
  /stays/{id}:
    parameters: [&id {name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *stay}}}}}
  /stays/{id}/confirm:
    parameters: [*id]
    post: {summary: Confirm a stay, responses: {'200': {description: Ok, content: {application/json: {schema: *stay}}}}}
  /stays/{id}/check-in:
    parameters: [*id]
    post:
      summary: Check in the party of a confirmed stay
      responses: {'200': {description: Ok, content: {application/json: {schema: *stay}}},
        '409': {description: Conflict}}
  /stays/{id}/check-out:
    parameters: [*id]
    post:
      summary: Check out
      responses: {'200': {description: Ok, content: {application/json: {schema: *stay}}},
        '409': {description: Conflict}}
  /stays/{id}/reviews:
    parameters: [*id]
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [text],
        properties: {text: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object}}}},
        '409': {description: '`not-billed` or `review-closed`.'}}
"""


def operations() -> list[Operation]:
    found = OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=INN, root=""))
    return read_operations(Memory([found]))


def _called(key: str, every: list[Operation]) -> Operation:
    return next(each for each in every if each.key == key)


def test_acts_with_particles_come_after_those_that_they_need() -> None:
    every = operations()
    out = _called("POST /stays/{id}/check-out", every)
    assert [each.key for each in acts_before(out, every)] == [
        "POST /stays/{id}/confirm",
        "POST /stays/{id}/check-in",
    ]


def test_what_needs_a_state_that_no_act_brings_about_may_be_refused() -> None:
    every = operations()
    assert (unready_as_made(_called("POST /stays/{id}/reviews", every), every) or "").startswith("409")
    assert unready_as_made(_called("POST /stays/{id}/confirm", every), every) is None


def test_things_that_stand_as_new_ones_do_not_are_no_plain_ones() -> None:
    every = operations()
    remover = _called("DELETE /rooms/{room_id}", every)
    (conflict,) = [each for each in remover.answers if each.status == "409"]
    assert holding_of(remover, conflict, every) is None


def test_a_key_that_a_contract_tells_is_one_to_ask_with() -> None:
    told = _called("POST /rooms", operations()).fact.aspects["security_schemes"]
    assert told["porter"]["told"] == "gus"
