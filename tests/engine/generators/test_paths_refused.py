"""Whether a path that cannot be is told from one that names nothing."""

from __future__ import annotations

from engine.generators.operations.contract import ContractGenerator
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.cases import Technique
from planner.contracts.cases import contract_cases
from planner.contracts.operations import read_operations
from planner.generator import Application, Context, Draft

CONTRACT = """\
openapi: 3.1.0
info: {title: Pens, version: '1'}
paths:
  /pens:
    post:
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [id],
        properties: {id: {type: integer}}}}}}}
  /pens/{pen_id}:
    parameters: [{name: pen_id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: One}, '422': {description: Invalid}%s}}
"""


def _written(more: str) -> bool:
    document = Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT % more, root="")
    source = Memory([OpenApiReader().read(document)])
    (case,) = (c for c in contract_cases(read_operations(source)) if c.technique is Technique.WRONG_TYPE)
    context = Context(source=source, application=Application("", "app:app"))
    return isinstance(ContractGenerator().generate(case, context), Draft)


def test_a_path_of_another_type_is_tested_where_its_refusal_cannot_be_that_of_a_missing_thing() -> None:
    assert _written("")
    assert not _written(", '404': {description: None}")


def test_a_route_may_not_take_what_its_path_cannot_have_instead_of_refusing_it() -> None:
    """Where a refusal does not tell the place of a fault, a documented 400 of a reading may be that of no route."""
    text = (CONTRACT % "").replace("'422'", "'400'")
    source = Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=text, root=""))])
    (case,) = (c for c in contract_cases(read_operations(source)) if c.technique is Technique.ERROR)
    draft = ContractGenerator().generate(case, Context(source=source, application=Application("", "app:app")))
    assert isinstance(draft, Draft)
    assert "for_pen_id_of_another_type" in draft.name
    assert "assert response.status_code in (404, 400)" in draft.source
