"""Things that a PUT makes under a name that its client chooses, and names of things that a contract gives a pattern."""

from __future__ import annotations

import re

import pytest

from engine.generators.operations.contract import ContractGenerator
from engine.generators.values.distinct import name_in_path, tag_of
from engine.twins.http import Twin
from engine.twins.mutations import mutations
from engine.twins.replies import VARIANTS
from graph.facts import Json
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.contracts.cases import contract_cases
from planner.contracts.chosen_names import putter_of
from planner.contracts.operations import read_operations
from planner.generator import Application, Context, Draft
from tests.engine.generators.performing import performed

CONTRACT = """\
openapi: 3.1.0
info: {title: Coupons, version: '1'}
paths:
  /coupons/{code}:
    parameters: [{name: code, in: path, required: true, schema: {type: string, pattern: '^[A-Z]{4,12}$'}}]
    get:
      responses:
        '200': {description: One, content: {application/json: {schema: &one {type: object, required: [code, value],
          properties: {code: {type: string}, value: {type: integer}, note: {type: string}}}}}}
        '404': {description: None}
    put:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [value],
        properties: {value: {type: integer, minimum: 1}, note: {type: string, default: ''}}}}}}
      responses:
        '200': {description: Changed, content: {application/json: {schema: *one}}}
        '201': {description: Made, content: {application/json: {schema: *one}}}
    delete:
      responses: {'204': {description: Gone}, '404': {description: None}}
  /coupons/{code}/redeem:
    parameters: [{name: code, in: path, required: true, schema: {type: string, pattern: '^[A-Z]{4,12}$'}}]
    post:
      responses:
        '200': {description: Redeemed, content: {application/json: {schema: *one}}}
        '404': {description: None}
        '409': {description: Not active}
  /pages/{slug}:
    parameters: [{name: slug, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: One}, '404': {description: None}}}
    put: {responses: {'200': {description: Changed}, '404': {description: None}}}
"""
SOURCE = Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root=""))])
OPERATIONS = tuple(read_operations(SOURCE))
BY_KEY = {operation.key: operation for operation in OPERATIONS}
CONTEXT = Context(source=SOURCE, application=Application("", "app:app"))
GENERATOR = ContractGenerator()
ANSWERS = {case.id: (case, GENERATOR.generate(case, CONTEXT)) for case in contract_cases(OPERATIONS)}
DRAFTS = {
    case.id: (case, draft)
    for case, draft in ANSWERS.values()
    if isinstance(draft, Draft) and "/coupons" in str(case.target["operation"])
}


@pytest.mark.parametrize("identity", sorted(DRAFTS))
def test_a_test_of_what_is_put_is_green_on_all_twins_and_red_on_each_broken_one(identity: str) -> None:
    case, draft = DRAFTS[identity]
    test = _test(draft)
    for variant in VARIANTS:
        test(client=Twin(OPERATIONS, variant))
    reader = BY_KEY.get(str(case.target.get("read")))
    for mutation in mutations(case, BY_KEY[str(case.target["operation"])], reader):
        with pytest.raises((AssertionError, KeyError)):
            test(client=Twin(OPERATIONS, VARIANTS[0], mutation))


def _test(draft: Draft):  # type: ignore[no-untyped-def]
    return performed(draft)


def test_what_is_put_is_read_removed_and_looked_up_in_vain() -> None:
    names = {draft.name for _, draft in DRAFTS.values()}
    assert {
        "test_what_put_coupons_code_changed_is_read",
        "test_what_delete_coupons_code_removed_is_gone",
        "test_get_coupons_code_is_refused_with_404_where_there_is_nothing",
    } <= names


def test_a_state_that_the_contract_tells_is_not_made_up() -> None:
    needs = [answer.needs for _, answer in ANSWERS.values() if not isinstance(answer, Draft)]
    assert "a state in which POST /coupons/{code}/redeem is not refused with 409 (Not active)" in needs


def test_a_put_that_may_miss_what_it_changes_makes_nothing() -> None:
    assert putter_of("/pages/{slug}", "slug", OPERATIONS) is None
    assert putter_of("/coupons/{code}/redeem", "code", OPERATIONS) == BY_KEY["PUT /coupons/{code}"]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string", "pattern": "^[A-Z]{2}-\\d{4}$"}, "AA-1111"),
        ({"type": "string", "pattern": "^20\\d\\d-(0[1-9]|1[0-2])$"}, "2011-01"),
        ({"type": "string", "format": "uuid"}, "3f2b8c1e-9d4a-4e6b-8a7c-000000000001"),
        ({"type": "integer", "minimum": 1}, 1),
        ({"type": "string"}, "Name"),
    ],
)
def test_names_of_different_tests_are_different_and_keep_their_schema(
    schema: dict[str, Json], value: Json
) -> None:
    names = [name_in_path(schema, value, tag_of(str(number))) for number in range(3)]
    assert len(set(map(str, names))) > 1, names


def test_a_choice_stays_as_it_is() -> None:
    assert name_in_path({"type": "string", "enum": ["a", "b"]}, "a", "bcdf") == "a"


def test_a_twin_has_nothing_under_a_name_that_was_not_put() -> None:
    twin = Twin(OPERATIONS, VARIANTS[0])
    assert twin.get("/coupons/ABCD").status_code == 404
    assert twin.put("/coupons/ABCD", json={"value": 3}).status_code == 201
    assert twin.put("/coupons/ABCD", json={"value": 4}).status_code == 200
    assert twin.get("/coupons/ABCD").json()["value"] == 4


TWICE = """\
openapi: 3.1.0
info: {title: Products, version: '1'}
paths:
  /products/{sku}:
    parameters: [{name: sku, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: One}, '404': {description: None}}}
    put:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [sku, name],
        properties: {sku: {type: string, pattern: '^[A-Z]{2}-[0-9]{4}$'}, name: {type: string}}}}}}
      responses: {'200': {description: Put}, '201': {description: Made}}
"""


def test_what_a_path_and_its_body_name_alike_is_the_same() -> None:
    source = Memory(
        [OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=TWICE, root=""))]
    )
    context = Context(source=source, application=Application("", "app:app"))
    answers = [GENERATOR.generate(case, context) for case in contract_cases(read_operations(source))]
    (put,) = [
        each
        for each in answers
        if isinstance(each, Draft) and each.name.startswith("test_put_products_sku_is")
    ]
    named = re.findall(
        r'client\.put\("/products/([A-Z]{2}-[0-9]{4})", json={.*"sku": [\'"]([^\'"]*)[\'"]', put.source
    )
    assert named and all(path == sent for path, sent in named)
