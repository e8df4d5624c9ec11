"""Tests of what is in stock only where that is put in as a thing of its own, and of logins whose fields are shown."""

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
info: {title: Shop, version: '1'}
paths:
  /products:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name],
        properties: {name: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [id],
        properties: {id: {type: integer}, name: {type: string}}}}}}}
  /inventory:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object,
        required: [product_id, quantity], properties: {product_id: {type: integer},
        quantity: {type: integer, maximum: 500}}}}}}
      responses: {'201': {description: Made}}
  /orders:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [items],
        properties: {items: {type: array, items: {type: object, required: [product_id, quantity], properties: {
        product_id: {type: integer}, quantity: {type: integer}}}}}}}}}
      responses: {'201': {description: Made}, '400': {description: WORDS}}
  /register:
    post:
      requestBody: {required: true, content: {application/json: {schema: &account {type: object,
        required: [username, password], properties: {username: {type: string, examples: [alice]},
        password: {type: string, examples: [secret]}}}}}}
      responses: {'201': {description: Made}}
  /login:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object,
        required: [username, password], properties: {username: {type: string, examples: [admin]},
        password: {type: string, examples: [admin123]}}}}}}
      responses: {'200': {description: In, content: {application/json: {schema: {type: object, required: [token],
        properties: {token: {type: string}}}}}}, '401': {description: Invalid credentials}}
"""


def success(operation: str, words: str = "Insufficient stock for one or more items") -> str:
    text = CONTRACT.replace("WORDS", words)
    source = Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=text, root=""))])
    case = next(
        each
        for each in contract_cases(read_operations(source))
        if each.subject == operation and each.technique is Technique.SUCCESS
    )
    context = Context(source=source, application=Application("fastapi", "shop:app"))
    draft = ContractGenerator().generate(case, context)
    assert isinstance(draft, Draft), draft
    return draft.source


def test_what_may_lack_in_stock_is_put_in_before() -> None:
    source = success("POST /orders")
    stocked = 'client.post("/inventory", json={"product_id": product.json()["id"], "quantity": 500})'
    assert stocked in source
    assert "/inventory" not in success("POST /orders", "Invalid")


def test_a_login_whose_fields_are_shown_by_examples_lets_in_whom_the_tests_register() -> None:
    source = success("POST /login")
    assert 'client.post("/register", json={"username": "' in source
    assert "admin123" not in source
