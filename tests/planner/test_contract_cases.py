"""Tests of which refusals are planned where a path may name nothing as well."""

from __future__ import annotations

import pytest

from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.cases import Technique
from planner.contracts.cases import contract_cases
from planner.contracts.operations import read_operations

CONTRACT = """\
openapi: 3.1.0
info: {title: Shop, version: '1'}
paths:
  /items/{number}:
    parameters: [{name: number, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: One}, '422': {description: Invalid}, '404': {description: None}}}
    put:
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses: {'200': {description: Kept}, '422': {description: Invalid}, '404': {description: None}}
    patch:
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses: {'200': {description: Kept}, '422': {description: Invalid}}
    delete: {responses: {'204': {description: Gone}, '404': {description: None}}}
"""
DOCUMENT = Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root="")
CASES = list(contract_cases(read_operations(Memory([OpenApiReader().read(DOCUMENT)]))))


@pytest.mark.parametrize(
    ("method", "is_planned"), [("GET", True), ("PUT", False), ("PATCH", True), ("DELETE", False)]
)
def test_a_path_that_is_invalid_is_told_from_one_that_names_nothing(method: str, is_planned: bool) -> None:
    wrong = [
        each for each in CASES if each.technique is Technique.WRONG_TYPE and "number" in str(each.target)
    ]
    assert any(
        each.subject.startswith(method) for each in wrong if each.target["place"] == "path.number"
    ) == (is_planned)
