"""Tests of what is refused inside of what may be left out: it is sent, so that the one thing in it can be wrong."""

from __future__ import annotations

import re

import pytest

from engine.generators.operations.contract import ContractGenerator
from engine.twins.http import Twin
from engine.twins.mutations import mutations
from engine.twins.replies import VARIANTS
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.cases import Case, Technique
from planner.contracts.cases import contract_cases
from planner.contracts.operations import read_operations
from planner.generator import Application, Context, Declined, Draft
from tests.engine.generators.performing import performed

CONTRACT = """\
openapi: 3.1.0
info: {title: Shop, version: '1'}
paths:
  /items:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {
        name: {type: string}, pictures: {type: array, items: &picture {type: object, required: [url],
        properties: {url: {type: string, maxLength: 80}, width: {type: integer, minimum: 1}}}},
        cover: {anyOf: [*picture, {type: 'null'}]}}}}}}
      responses: {'200': {description: Made, content: {application/json: {schema: {}}}}, '422': {description: Invalid}}
"""
PATHS = """\
openapi: 3.1.0
info: {title: Luck, version: '1'}
paths:
  /luck/{number}:
    post:
      parameters:
        - {name: number, in: path, required: true, schema: {type: integer}}
        - {name: text, in: query, required: true, schema: {type: string}}
      responses: {'200': {description: Told, content: {application/json: {schema: {}}}}, '422': {description: Invalid}}
  /luck/{number}/thrice:
    get:
      parameters: [{name: number, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: Told, content: {application/json: {schema: {}}}}, '422': {description: Invalid,
        content: {application/json: {schema: {type: object, properties: {detail: {type: array, items: {type: object,
        properties: {loc: {type: array, items: {type: string}}}}}}}}}}}
  /luck/{number}/twice:
    get:
      parameters: [{name: number, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: Told, content: {application/json: {schema: {}}}}, '422': {description: Invalid}}
"""
SOURCE = Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root=""))])
(OPERATION,) = read_operations(SOURCE)
INSIDE = [
    each
    for each in contract_cases([OPERATION])
    if str(each.target.get("place")).startswith(("body.cover.", "body.pictures[]."))
]


def test_each_statement_inside_of_what_may_be_left_out_has_its_cases() -> None:
    assert {
        Technique.REQUIRED_MISSING,
        Technique.WRONG_TYPE,
        Technique.BOUND_KEPT,
        Technique.BOUND_BROKEN,
    } == {each.technique for each in INSIDE}
    assert len(INSIDE) == 2 * (1 + 2 + 2 + 2)


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("POST /luck/{number}", "assert response.status_code in (404, 422)"),
        ("GET /luck/{number}/twice", "assert response.status_code in (404, 422)"),
        ("GET /luck/{number}/thrice", "assert response.status_code == 422"),
    ],
)
def test_a_route_may_not_take_another_type_in_its_path(key: str, told: str) -> None:
    document = Document(path="api.yaml", role=Role.CONTRACT, text=PATHS, root="")
    source = Memory([OpenApiReader().read(document)])
    cases = contract_cases([each for each in read_operations(source) if each.key == key])
    case = next(each for each in cases if each.technique is Technique.WRONG_TYPE)
    draft = ContractGenerator().generate(case, Context(source=source, application=Application("", "app:app")))
    assert isinstance(draft, Draft), draft
    assert re.search(r"    arranged\(client\..*, 200\)", draft.source)
    assert told in draft.source


@pytest.mark.parametrize("case", INSIDE, ids=lambda each: each.id)
def test_what_is_wrong_inside_of_what_may_be_left_out_is_noticed(case: Case) -> None:
    draft = ContractGenerator().generate(case, Context(source=SOURCE, application=Application("", "app:app")))
    assert isinstance(draft, Draft), draft
    run = performed(draft)
    for variant in VARIANTS:
        run(Twin((OPERATION,), variant))
    for mutation in mutations(case, OPERATION, None):
        with pytest.raises(AssertionError):
            run(Twin((OPERATION,), VARIANTS[0], mutation))


@pytest.mark.parametrize(("name", "is_written"), [("item_ids", False), ("sizes", True)])
def test_so_many_names_of_things_as_a_list_may_have_are_not_made_up(name: str, is_written: bool) -> None:
    text = CONTRACT.replace(
        "cover: {", f"{name}: {{type: array, maxItems: 9, items: {{type: integer}}}}, cover: {{"
    )
    source = Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=text, root=""))])
    cases = contract_cases(read_operations(source))
    kept = {"place": f"body.{name}", "bound": "maxItems"}
    case = next(
        each
        for each in cases
        if each.technique is Technique.BOUND_KEPT and kept.items() <= each.target.items()
    )
    told = ContractGenerator().generate(case, Context(source=source, application=Application("", "app:app")))
    assert isinstance(told, Draft if is_written else Declined)


def test_a_wrong_request_repeats_nothing_by_which_the_right_one_before_it_is_known() -> None:
    text = CONTRACT.replace("'422': {", "'409': {description: There is one of that name}, '422': {", 1)
    source = Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=text, root=""))])
    context = Context(
        source=source, application=Application("fastapi", "shop:app"), options={"auth": "known"}
    )
    (case,) = [
        each
        for each in contract_cases(read_operations(source))
        if each.technique is Technique.WRONG_TYPE and each.target["place"] == "body.pictures"
    ]
    draft = ContractGenerator().generate(case, context)
    assert isinstance(draft, Draft)
    names = re.findall(r'"name": "([^"]+)"', draft.source)
    assert len(names) == len(set(names)) == 2
