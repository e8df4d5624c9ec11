"""Tests of what must exist before a request, and where the contract says that it may be lacking."""

from __future__ import annotations

import pytest

from engine.generators.schema_values import NoValueError
from engine.generators.stage import Stage
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.operations import read_operations

CONTRACT = """\
openapi: 3.1.0
info: {title: Library, version: '1'}
paths:
  /books:
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [title],
        properties: {title: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [id],
        properties: {id: {type: integer}}}}}}}
  /loans:
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [book],
        properties: {book: {type: integer}}}}}}
      responses: {'201': {description: Lent}, '404': {description: No such book}}
  /shelves:
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [room],
        properties: {room: {type: string}}}}}}
      responses: {'201': {description: Put up}, '404': {description: No such room}}
  /lamps:
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [room],
        properties: {room: {type: string, example: hall}}}}}}
      responses: {'201': {description: Put up}, '404': {description: No such room}}
"""
SOURCE = Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root=""))])
STAGE = Stage(read_operations(SOURCE))


def test_a_number_that_is_called_as_a_thing_names_one_that_is_made_before() -> None:
    loans = STAGE.operations["POST /loans"]
    scene = STAGE.scene(loans)
    assert scene.lines == (
        'book = client.post("/books", json={"title": "Title"})',
        "assert book.status_code == 201",
    )
    assert STAGE.request(loans, scene).call() == 'client.post("/loans", json={"book": book.json()["id"]})'


def test_a_request_that_names_what_may_be_lacking_needs_a_person_who_knows_what_is_there() -> None:
    with pytest.raises(NoValueError, match="POST /shelves names: it may be answered with 404"):
        STAGE.scene(STAGE.operations["POST /shelves"])
    assert STAGE.scene(STAGE.operations["POST /lamps"]).lines == ()
