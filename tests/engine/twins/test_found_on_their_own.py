"""Things that are made within another thing, and found in a collection of their own."""

from __future__ import annotations

from engine.twins.http import Twin
from engine.twins.replies import VARIANTS
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.contracts.operations import read_operations
from planner.contracts.resources import home_of, maker_of

CONTRACT = """\
openapi: 3.1.0
info: {title: Tools, version: '1'}
paths:
  /tools:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [id],
        properties: {id: {type: integer}, name: {type: string}}}}}}}
  /tools/{tool_id}/loans:
    parameters: [{name: tool_id, in: path, required: true, schema: {type: integer}}]
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {by: {type: string}}}}}}
      responses:
        '201': {description: Made, content: {application/json: {schema: &loan {type: object, required: [id],
          properties: {id: {type: integer}, by: {type: string}}}}}}
        '404': {description: None}
  /loans/{loan_id}:
    parameters: [{name: loan_id, in: path, required: true, schema: {type: integer}}]
    get:
      responses:
        '200': {description: One, content: {application/json: {schema: *loan}}}
        '404': {description: None}
  /returns/{return_id}:
    parameters: [{name: return_id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: One}, '404': {description: None}}}
"""
DOCUMENT = Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root="")
OPERATIONS = tuple(read_operations(Memory([OpenApiReader().read(DOCUMENT)])))
BY_KEY = {operation.key: operation for operation in OPERATIONS}


def test_what_a_path_names_is_made_within_another_thing() -> None:
    found = maker_of("/loans/{loan_id}", "loan_id", OPERATIONS)
    assert found == (BY_KEY["POST /tools/{tool_id}/loans"], "id")
    assert maker_of("/returns/{return_id}", "return_id", OPERATIONS) is None
    assert home_of(BY_KEY["POST /tools/{tool_id}/loans"], OPERATIONS) == "/loans"
    assert home_of(BY_KEY["POST /tools"], OPERATIONS) == ""


def test_a_twin_finds_it_there_and_nothing_else() -> None:
    twin = Twin(OPERATIONS, VARIANTS[0])
    tool = twin.request("POST", "/tools", json={"name": "Rake"}).json()
    loan = twin.request("POST", f"/tools/{tool['id']}/loans", json={"by": "Ann"}).json()
    assert twin.request("GET", f"/loans/{loan['id']}").json() == loan
    assert twin.request("GET", "/loans/777").status_code == 404
