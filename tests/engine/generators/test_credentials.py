"""Tests of which constants of the code are credentials that tests can use."""

from __future__ import annotations

import pytest

from engine.generators.applications.credentials import credentials
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from ingest.python.reader import PythonReader

CONTRACT = """\
openapi: 3.1.0
info: {title: Shop, version: '1'}
components: {securitySchemes: {bearer: {type: http, scheme: bearer}}}
paths: {/carts: {get: {security: [{bearer: []}], responses: {'200': {description: All}}}}}
"""


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("STAFF_TOKEN", {"Authorization": "Bearer tea"}),
        ("PLACEHOLDER_TOKEN", None),
        ("EXAMPLE_API_KEY", None),
        ("CSRF_TOKEN", None),
    ],
)
def test_a_constant_that_stands_for_a_credential_is_none(name: str, given: dict[str, str] | None) -> None:
    code = PythonReader().read(
        Document(path="shop.py", text=f'{name} = "tea"\n', role=Role.PYTHON, module="shop")
    )
    contract = OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root=""))
    assert credentials(Memory([code, contract], {"shop.py": "shop"})) == given
