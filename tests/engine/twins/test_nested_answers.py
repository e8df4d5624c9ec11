"""Tests of things whose answers have others in them, which no request sends: twins show these alike each time."""

from __future__ import annotations

import pytest

from engine.generators.operations.contract import ContractGenerator
from engine.twins.http import Twin
from engine.twins.replies import VARIANTS, Variant
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.cases import Technique
from planner.contracts.cases import contract_cases
from planner.contracts.operations import read_operations
from planner.generator import Application, Context, Draft
from tests.engine.generators.performing import performed

CONTRACT = """\
openapi: 3.1.0
info: {title: Books, version: '1'}
paths:
  /books:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title],
        properties: {title: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: &book {type: object,
        required: [id, title, author], properties: {id: {type: integer}, title: {type: string}, author: {type: object,
        required: [id, name], properties: {id: {type: integer}, name: {type: string}, born: {type: integer}}}}}}}}}
  /books/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *book}}}}}
"""
SOURCE = Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root=""))])


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda each: each.name)
def test_what_was_made_is_read_as_it_was_shown(variant: Variant) -> None:
    operations = read_operations(SOURCE)
    (case,) = [each for each in contract_cases(operations) if each.technique is Technique.READ_BACK]
    draft = ContractGenerator().generate(case, Context(source=SOURCE, application=Application("", "app:app")))
    assert isinstance(draft, Draft), draft
    assert "assert response.json() == book.json()" in draft.source
    performed(draft)(Twin(tuple(operations), variant))
