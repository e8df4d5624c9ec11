"""Tests of which constants of the code are credentials that tests can use."""

from __future__ import annotations

import pytest

from engine.generators.applications.credentials import credentials, key_of_surroundings
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


@pytest.mark.parametrize(
    ("code", "taken"),
    [
        ('API_KEY = os.environ.get("SHOP_KEY", "change-me")', "Bearer {key}"),
        ('API_KEY = os.getenv("SHOP_KEY")', "Bearer {key}"),
        ('STRIPE_API_KEY = os.getenv("STRIPE_KEY")', ""),
        ('API_KEY = made("SHOP_KEY")', ""),
    ],
)
def test_the_key_of_the_service_is_taken_from_where_it_takes_it_itself(code: str, taken: str) -> None:
    read = PythonReader().read(
        Document(path="shop.py", text=f"import os\n{code}\n", role=Role.PYTHON, module="shop")
    )
    contract = OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root=""))
    fixture = key_of_surroundings(Memory([read, contract], {"shop.py": "shop"}))
    assert (fixture is not None) is bool(taken)
    if fixture is not None:
        assert 'importlib.import_module("shop").API_KEY' in fixture
        assert f'{{"Authorization": f"{taken}"}}' in fixture
