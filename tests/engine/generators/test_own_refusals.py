"""Tests of refusals by a framework's own status, of which a contract that it exported says nothing."""

from __future__ import annotations

import pytest

from engine.generators.operations.contract import ContractGenerator
from graph.facts import Extract, Fact, Kind, Location, Tag
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.cases import Technique
from planner.contracts.cases import contract_cases
from planner.contracts.operations import read_operations
from planner.generator import Application, Context, Declined, Draft

CONTRACT = """\
openapi: 3.1.0
info: {title: Teas, version: '1'}
paths:
  /teas:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [steeped],
        properties: {steeped: {type: integer}}}}}}
      responses: {'201': {description: Created}, '400': {description: Bad Request}}
  /cups:
    post: {responses: {'201': {description: Created}}}
"""


def results(
    origin: str, contract: str = CONTRACT, framework: str = "django"
) -> dict[Technique, Draft | Declined]:
    api = OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=contract, root=""))
    served = Fact(
        tag=Tag.CODE,
        kind=Kind.RESPONSE,
        key="POST /teas#422",
        name="422",
        aspects={"status": "422", "origin": origin},
        source=Location("api.py", 1, 1),
    )
    operation = Fact(
        tag=Tag.CODE,
        kind=Kind.OPERATION,
        key="POST /teas",
        name="make",
        aspects={"method": "POST", "path": "/teas", "framework": framework},
        source=Location("api.py", 1, 1),
    )
    source = Memory([api, Extract(facts=[operation, served])])
    context = Context(source=source, application=Application("django", "teas:app"))
    cases = [
        case for case in contract_cases(read_operations(source)) if case.target["operation"] == "POST /teas"
    ]
    return {case.technique: ContractGenerator().generate(case, context) for case in cases}


def test_what_is_invalid_may_be_refused_by_the_framework_where_the_contract_has_its_status_nowhere() -> None:
    found = results("framework")
    wrong, error = found[Technique.WRONG_TYPE], found[Technique.ERROR]
    assert isinstance(wrong, Draft)
    assert "assert response.status_code in (400, 422)" in wrong.source
    assert isinstance(error, Declined)
    assert error.needs.endswith("(Bad Request): its framework refuses what is invalid with 422")


@pytest.mark.parametrize(
    ("origin", "contract", "framework"),
    [
        ("raised", CONTRACT, "django"),
        (
            "framework",
            CONTRACT.replace("'201': {description: Created}}}", "'422': {description: No}}}"),
            "django",
        ),
        ("framework", CONTRACT, "fastapi"),
    ],
)
def test_a_contract_is_taken_at_its_word_where_the_code_raises_it_or_the_status_stands_somewhere(
    origin: str, contract: str, framework: str
) -> None:
    wrong = results(origin, contract, framework)[Technique.WRONG_TYPE]
    assert isinstance(wrong, Draft)
    assert "assert response.status_code == 400" in wrong.source
