"""Tests of lists and of what stands in them, on twins that keep their contract and on such as do not."""

from __future__ import annotations

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
from planner.generator import Application, Context, Draft
from tests.engine.generators.performing import performed

CONTRACT = """\
openapi: 3.1.0
info: {title: Links, version: '1'}
security: [{token: []}]
paths:
  /links:
    get:
      security: []
      parameters:
        - {name: page, in: query, schema: {type: integer, minimum: 0}}
        - {name: page_size, in: query, schema: {type: integer, default: 20, maximum: 100}}
        - {name: colour, in: query, schema: {type: string, enum: [red, blue]}}
        - {name: title, in: query, schema: {type: string}}
        - {name: tag, in: query, schema: {type: string}}
        - {name: pinned, in: query, schema: {type: boolean}}
        - {name: archived, in: query, schema: {type: boolean}}
        - {name: owner_id, in: query, schema: {type: integer}}
        - {name: sort, in: query, schema: {type: string, enum: [title, colour]}}
        - {name: visits, in: query, schema: {type: integer}}
        - {name: words, in: query, schema: {type: string}}
        - {name: min_visits, in: query, schema: {type: integer, minimum: 0}}
        - {name: visitsMax, in: query, schema: {type: integer}}
        - {name: stars, in: query, description: Only links with this many stars., schema: {type: integer}}
        - {name: q, in: query, description: Text that the title contains., schema: {type: string}}
        - {name: search, in: query, description: What to look for., schema: {type: string}}
      responses: {'200': {description: All, content: {application/json: {schema: {type: object, required: [rows],
        properties: {rows: {type: array, items: &link {type: object, required: [id, title, colour], properties: {
        id: {type: integer}, title: {type: string}, colour: {type: string, enum: [red, blue]}, url: {type: string},
        pinned: {type: boolean}, archived: {type: boolean}, owner_id: {type: integer}, visits: {type: integer},
        stars: {type: integer}, sort: {type: string}, tags: {type: array, items: {type: string}}}}}}}}}}}
    post:
      security: []
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title, colour],
        properties: {title: {type: string}, colour: {type: string, enum: [red, blue]}, owner_id: {type: integer},
        visits: {type: integer}, stars: {type: integer}, archived: {type: boolean},
        sort: {type: string, enum: [title, colour]},
        url: {type: string, format: uri, maxLength: 40}, mail: {type: string, format: email},
        tags: {type: array, default: [], items: {type: string, maxLength: 12}}}}}}}
      responses:
        '201': {description: Made, content: {application/json: {schema: *link}}}
        '409': {description: There already}
        '422': {description: Not valid}
  /links/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    patch:
      security: []
      requestBody: {content: {application/json: {schema: {type: object, properties: {pinned: {type: boolean}}}}}}
      responses: {'200': {description: Changed, content: {application/json: {schema: *link}}}}
  /report:
    get: {responses: {'200': {description: All}, '401': {description: The token is wrong}}}
  /plain:
    get: {responses: {'200': {description: All}, '401': {description: Not authenticated}}}
components: {securitySchemes: {token: {type: http, scheme: bearer}}}
"""
SOURCE = Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root=""))])
OPERATIONS = {each.key: each for each in read_operations(SOURCE)}
CASES = list(contract_cases(OPERATIONS.values()))


def planned(technique: Technique, **target: str) -> list[Case]:
    """The cases of a technique that are about this."""
    return [each for each in CASES if each.technique is technique and target.items() <= each.target.items()]


def test_a_list_is_narrowed_by_what_its_things_are_given_and_show() -> None:
    found = {str(each.target["place"]) for each in planned(Technique.NARROWED)}
    told = {"query.min_visits", "query.visitsMax", "query.stars", "query.q"}
    assert found == {"query.colour", "query.title", "query.tag", "query.pinned", *told}


@pytest.mark.parametrize(
    ("technique", "target", "line"),
    [
        (Technique.NARROWED, {"place": "query.colour"}, 'rest.json()["id"] not in listed'),
        (Technique.NARROWED, {"place": "query.title"}, '"title": "Another'),
        (Technique.NARROWED, {"place": "query.tag"}, '"tags": ["tag"]'),
        (Technique.NARROWED, {"place": "query.pinned"}, 'rest.json()["id"] in others'),
        (Technique.NARROWED, {"place": "query.min_visits"}, 'params={"page_size": 100, "min_visits": 2}'),
        (Technique.NARROWED, {"place": "query.visitsMax"}, 'params={"page_size": 100, "visitsMax": 1}'),
        (Technique.NARROWED, {"place": "query.stars"}, 'params={"page_size": 100, "stars": 1}'),
        (Technique.NARROWED, {"place": "query.q"}, '"title": "Another'),
        (Technique.SORTED, {"place": "query.sort"}, '"sort": "title"'),
        (Technique.PAGED, {"place": "query.page"}, 'params={"page_size": 1, "page": 1}'),
        (Technique.LIMITED, {"place": "query.page_size"}, "== 1"),
        (Technique.BOUND_BROKEN, {"place": "body.tags[]"}, "x" * 9),
        (Technique.BOUND_KEPT, {"place": "body.tags[]"}, "tags_item_at_its_max_length"),
        (Technique.WRONG_TYPE, {"place": "body.tags[]"}, '[{"not": "a text"}]'),
        (Technique.BOUND_BROKEN, {"place": "body.url", "bound": "format"}, '"no uri"'),
        (Technique.BOUND_BROKEN, {"place": "body.mail", "bound": "format"}, '"no email"'),
        (
            Technique.BOUND_BROKEN,
            {"place": "body.url", "bound": "maxLength"},
            '"https://example.org/" + "x" * 21',
        ),
        (Technique.AUTH_MISSING, {"operation": "GET /report", "given": "unknown"}, "status_code == 401"),
        (Technique.WHOLE, {"operation": "POST /links"}, '["tags"]'),
    ],
)
def test_what_a_list_or_an_item_promises_is_seen_to_break(
    technique: Technique, target: dict[str, str], line: str
) -> None:
    (case,) = planned(technique, **target)
    draft = ContractGenerator().generate(case, Context(source=SOURCE, application=Application("", "app:app")))
    assert isinstance(draft, Draft), draft
    assert line in draft.source
    run, whole = performed(draft), tuple(OPERATIONS.values())
    for variant in VARIANTS:
        run(Twin(whole, variant))
    broken = list(mutations(case, OPERATIONS[str(case.target["operation"])], None))
    assert broken
    for mutation in broken:
        with pytest.raises((AssertionError, KeyError)):
            run(Twin(whole, VARIANTS[0], mutation))


def test_what_is_listed_is_known_by_what_its_path_names() -> None:
    named = CONTRACT.replace("/links/{id}:", "/links/{slug}:").replace(
        "name: id, in: path", "name: slug, in: path"
    )
    named = named.replace("id: {type: integer}", "slug: {type: string}").replace("[id, title", "[slug, title")
    source = Memory(
        [OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=named, root=""))]
    )
    (case,) = [
        each
        for each in contract_cases(read_operations(source))
        if each.technique is Technique.NARROWED and each.target["place"] == "query.colour"
    ]
    draft = ContractGenerator().generate(case, Context(source=source, application=Application("", "app:app")))
    assert isinstance(draft, Draft) and 'wanted.json()["slug"] in listed' in draft.source


def test_a_401_that_is_only_about_missing_credentials_says_nothing_of_wrong_ones() -> None:
    assert not planned(Technique.AUTH_MISSING, operation="GET /plain", given="unknown")
    assert planned(Technique.AUTH_MISSING, operation="GET /plain")


def test_a_full_list_leaves_a_test_undecided_since_there_may_be_other_pages() -> None:
    (case,) = planned(Technique.NARROWED, place="query.colour")
    draft = ContractGenerator().generate(case, Context(source=SOURCE, application=Application("", "app:app")))
    assert isinstance(draft, Draft), draft
    for many, is_full in ((98, False), (99, True)):
        shared = Twin(tuple(OPERATIONS.values()), VARIANTS[0])
        for number in range(many):
            for colour in ("red", "blue"):
                shared.post("/links", json={"title": f"Link {number}", "colour": colour})
        if not is_full:
            performed(draft)(shared)
            continue
        with pytest.raises(pytest.skip.Exception, match="other pages"):
            performed(draft)(shared)
