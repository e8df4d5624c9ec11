"""Tests of things whose paths say what is done with them, and of such as are told by names of a project's own."""

from __future__ import annotations

import pytest

from engine.generators.operations.contract import ContractGenerator
from engine.twins.http import Twin
from engine.twins.mutation import Mutation
from engine.twins.replies import VARIANTS
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.cases import Technique
from planner.contracts.cases import contract_cases
from planner.contracts.operations import Operation, read_operations
from planner.contracts.references import maker_of_reference
from planner.contracts.resources import collection_of, maker_of
from planner.contracts.spelled_paths import plain_path, plainly
from planner.generator import Application, Context, Draft
from tests.engine.generators.performing import performed

CONTRACT = """\
openapi: 3.1.0
info: {title: Posts, version: '1'}
paths:
  /post/create/:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title],
        properties: {title: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: &post {type: object,
        required: [id, title], properties: {id: {type: integer, readOnly: true}, title: {type: string}}}}}}}
  /post/update/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    patch:
      requestBody: {content: {application/json: {schema: {type: object, properties: {title: {type: string}}}}}}
      responses: {'200': {description: Changed, content: {application/json: {schema: *post}}}}
  /post/{id}/delete/:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    delete: {responses: {'204': {description: Gone}}}
  /post/detail/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *post}}}}}
"""


def operations(contract: str) -> tuple[tuple[Operation, ...], Memory]:
    document = Document(path="api.yaml", role=Role.CONTRACT, text=contract, root="")
    source = Memory([OpenApiReader().read(document)])
    return tuple(read_operations(source)), source


def drafted(technique: Technique, contract: str = CONTRACT) -> dict[str, Draft]:
    every, source = operations(contract)
    context = Context(source=source, application=Application("", "app:app"))
    cases = [each for each in contract_cases(every) if each.technique is technique]
    drafts = [ContractGenerator().generate(each, context) for each in cases]
    return {each.name: each for each in drafts if isinstance(each, Draft)}


@pytest.mark.parametrize(
    ("technique", "name", "broken"),
    [
        (Technique.READ_BACK, "test_what_post_post_create_made_can_be_read", "POST /post/create/"),
        (Technique.READ_BACK, "test_what_patch_post_update_id_changed_is_read", "PATCH /post/update/{id}"),
        (Technique.GONE, "test_what_delete_post_id_delete_removed_is_gone", "DELETE /post/{id}/delete/"),
    ],
)
def test_what_is_done_under_a_path_of_its_own_is_seen_by_what_reads_the_thing(
    technique: Technique, name: str, broken: str
) -> None:
    every, _ = operations(CONTRACT)
    draft = drafted(technique)[name]
    for variant in VARIANTS:
        performed(draft)(Twin(every, variant))
    with pytest.raises((AssertionError, KeyError)):
        performed(draft)(Twin(every, VARIANTS[0], Mutation(kind="forgetful", operation=broken)))


def test_a_path_that_takes_a_text_is_given_the_slug_of_what_has_a_number() -> None:
    told = CONTRACT.replace(
        "title: {type: string}}}}}}}\n  /post/u", "title: {type: string}, SLUG}}}}}}\n  /post/u"
    )
    told = told.replace("SLUG", "slug: {type: string, readOnly: true}")
    texts = told.replace(
        "/post/detail/{id}:\n    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]",
        "/post/detail/{id}:\n    parameters: [{name: id, in: path, required: true, schema: {type: string}}]",
    )
    found = [maker_of("/post/detail/{id}", "id", operations(each)[0]) for each in (told, texts)]
    assert [each[1] for each in found if each is not None] == ["id", "slug"]
    gone = drafted(Technique.GONE, texts)["test_what_delete_post_id_delete_removed_is_gone"].source
    assert """client.delete(f'/post/{post.json()["id"]}/delete/')""" in gone
    assert """client.get(f'/post/detail/{post.json()["slug"]}')""" in gone
    assert "test_what_patch_post_update_id_changed_is_read" not in drafted(Technique.READ_BACK, texts)


def test_the_word_of_a_method_beside_a_name_is_left_out_of_a_path_where_that_is_clear() -> None:
    assert plain_path("PUT", "/posts/update/{id}") == "/posts/{id}"
    assert plain_path("DELETE", "/posts/{id}/delete/") == "/posts/{id}"
    assert plain_path("POST", "/posts/{id}/update") == "/posts/{id}/update"
    assert plain_path("GET", "/posts/{id}/views") == "/posts/{id}/views"
    twice = CONTRACT.replace("/post/{id}/delete/:", "/post/{id}:").replace("delete:", "get:", 1)
    assert [each.path for each in plainly(operations(twice)[0])].count("/post/{id}") == 2
    assert collection_of("/api/post/create/") == "api/post"
    assert collection_of("/api/v1/create") == "api/v1/create"


OWN = """\
openapi: 3.0.3
info: {title: Sales, version: '1'}
paths:
  /city:
    post:
      requestBody: {required: true, content: {application/json: {schema: &city {type: object, required: [desc_city],
        properties: {cod_city: {type: integer, readOnly: true}, desc_city: {type: string},
        city_count: {type: integer, readOnly: true}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: *city}}}}
  /city/{city_id}:
    get:
      parameters: [{name: city_id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: One, content: {application/json: {schema: *city}}}}
  /sale:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [cod_city],
        properties: {cod_city: {type: integer}}}}}}
      responses: {'201': {description: Made}}
"""


def test_a_number_that_is_called_after_its_thing_identifies_it() -> None:
    every, _ = operations(OWN)
    made = next(each for each in every if each.key == "POST /city")
    assert maker_of("/city/{city_id}", "city_id", every) == (made, "cod_city")
    assert maker_of_reference("cod_city", {"type": "integer"}, every) == (made, "cod_city")
    two, _ = operations(OWN.replace("city_count", "no_city"))
    assert maker_of("/city/{city_id}", "city_id", two) is None
    draft = drafted(Technique.SUCCESS, OWN)["test_post_city_is_answered_with_201"]
    assert 'json={"desc_city": "Desc city ' in draft.source
    read = drafted(Technique.READ_BACK, OWN)["test_what_post_city_made_can_be_read"]
    for variant in VARIANTS:
        performed(read)(Twin(every, variant))
