"""Tests of what the state must show, on twins that keep it and on such as do not."""

from __future__ import annotations

import pytest

from engine.generators.operations.contract import ContractGenerator
from engine.twins.http import Twin
from engine.twins.mutation import Mutation
from engine.twins.mutations import mutations
from engine.twins.replies import VARIANTS
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.cases import Case, Technique
from planner.contracts.cases import contract_cases
from planner.contracts.operations import Operation, read_operations
from planner.generator import Application, Context, Declined, Draft
from tests.engine.generators.performing import performed

CONTRACT = """\
openapi: 3.1.0
info: {title: Heroes, version: '1'}
paths:
  /heroes:
    get:
      parameters:
        - {name: offset, in: query, schema: {type: integer, default: 0}}
        - {name: limit, in: query, schema: {type: integer, default: 100, maximum: 100}}
      responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: &hero {
        type: object, required: [id, name, age], properties: {id: {type: integer}, name: {type: string},
        age: {type: integer}}}}}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name, age],
        properties: {name: {type: string}, age: {type: integer}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: *hero}}}}
  /heroes/{hero_id}:
    parameters: [{name: hero_id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *hero}}}}}
    patch:
      requestBody: {content: {application/json: {schema: {type: object, properties: {age: {type: integer}}}}}}
      responses: {'200': {description: Changed, content: {application/json: {schema: *hero}}}}
    delete: {responses: {'204': {description: Gone}}}
  /settings:
    get: {responses: {'200': {description: All, content: {application/json: {schema: {}}}}}}
    put:
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {
        theme: {type: string, nullable: true}}}}}}
      responses: {'200': {description: Set, content: {application/json: {schema: {}}}}}
"""
SOURCE = Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root=""))])
OPERATIONS = {each.key: each for each in read_operations(SOURCE)}


def drafted(operation: str, technique: Technique, line: str) -> tuple[Case, Draft]:
    """The case of a technique whose test has the line, and the test."""
    context = Context(source=SOURCE, application=Application("", "app:app"))
    for case in contract_cases(OPERATIONS.values()):
        if case.subject == operation and case.technique is technique:
            draft = ContractGenerator().generate(case, context)
            assert isinstance(draft, Draft), draft
            if f"assert {line}" in draft.source:
                return case, draft
    raise AssertionError(f"no test of {operation} has the line")


@pytest.mark.parametrize(
    ("operation", "technique", "line"),
    [
        (
            "DELETE /heroes/{hero_id}",
            Technique.GONE,
            'hero.json()["id"] not in [each.get("id") for each in response.json()]',
        ),
        ("DELETE /heroes/{hero_id}", Technique.GONE, "response.status_code >= 400"),
        ("PUT /settings", Technique.READ_BACK, "response.json() != before.json()"),
        ("GET /heroes", Technique.LIMITED, "len(response.json()) == 1"),
        ("PATCH /heroes/{hero_id}", Technique.READ_BACK, 'response.json().get("name") == "Name gkxd"'),
    ],
)
def test_state_that_is_not_kept_is_noticed(operation: str, technique: Technique, line: str) -> None:
    case, draft = drafted(operation, technique, line)
    assert next(each for each in draft.assertions if line in each.text).inferred
    run = performed(draft)
    whole = tuple(OPERATIONS.values())
    for variant in VARIANTS:
        run(Twin(whole, variant))
    reader = OPERATIONS.get(str(case.target.get("read")))
    broken = list(mutations(case, OPERATIONS[operation], reader))
    assert broken
    for mutation in broken:
        with pytest.raises((AssertionError, KeyError)):
            run(Twin(whole, VARIANTS[0], mutation))


def test_a_removed_thing_is_looked_for_by_its_reader_where_the_contract_says_what_is_answered_then() -> None:
    one = "'200': {description: One"
    said = CONTRACT.replace(one, f"'404': {{description: No}}, {one}")
    document = Document(path="api.yaml", role=Role.CONTRACT, text=said, root="")
    cases = contract_cases(read_operations(Memory([OpenApiReader().read(document)])))
    (gone,) = [each for each in cases if each.technique is Technique.GONE]
    assert gone.target["read"] == "GET /heroes/{hero_id}"
    assert "list" not in gone.target


def test_a_removal_that_is_called_otherwise_may_only_mark_the_thing() -> None:
    said = CONTRACT.replace(
        "delete: {responses: {'204': {description: Gone}}}",
        "delete: {operationId: retireHero, responses: {'204': {description: Deactivated}}}",
    )
    source = Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=said, root=""))])
    context = Context(source=source, application=Application("", "app:app"))
    (case, *_) = [
        each for each in contract_cases(read_operations(source)) if each.technique is Technique.GONE
    ]
    answer = ContractGenerator().generate(case, context)
    assert isinstance(answer, Declined)
    assert "removes a thing or marks it: “retire" in answer.needs


def test_a_removal_that_answers_how_the_thing_stands_may_only_mark_it() -> None:
    said = CONTRACT.replace(
        "delete: {responses: {'204': {description: Gone}}}",
        "delete: {responses: {'200': {description: Cancelled, content: {application/json: {schema: {type: object, "
        "properties: {id: {type: integer}, status: {type: string}}}}}}}}",
    )
    source = Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=said, root=""))])
    context = Context(source=source, application=Application("", "app:app"))
    (case, *_) = [
        each for each in contract_cases(read_operations(source)) if each.technique is Technique.GONE
    ]
    answer = ContractGenerator().generate(case, context)
    assert isinstance(answer, Declined)
    assert "removes a thing or marks it" in answer.needs


def test_a_conftest_that_a_person_took_over_needs_no_fixture_that_it_lacks() -> None:
    context = Context(source=SOURCE, application=Application("", "app:app"), options={"arranged": "unknown"})
    answers = [ContractGenerator().generate(case, context) for case in contract_cases(OPERATIONS.values())]
    drafts = [each for each in answers if isinstance(each, Draft)]
    assert any("assert hero.status_code == 201" in each.source for each in drafts)
    assert not [each for each in drafts if "arranged" in each.source]


UNTOLD = """\
openapi: 3.1.0
info: {title: Teas, version: '1'}
paths:
  /teas:
    get: {responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: &tea {
      type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}}}}}}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name],
        properties: {name: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: *tea}}}}
  /teas/{tea_id}:
    parameters: [{name: tea_id, in: path, required: true, schema: {type: string, minLength: 1}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *tea}}},
      '422': {description: Invalid}}}
    delete: {responses: {default: {description: Default error response}}}
"""


def untold(technique: Technique, contract: str = UNTOLD) -> tuple[list[Draft], tuple[Operation, ...]]:
    """The tests of a technique of teas, whose removal tells of no success, and all their operations."""
    source = Memory(
        [OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=contract, root=""))]
    )
    operations = tuple(read_operations(source))
    context = Context(source=source, application=Application("", "app:app"))
    cases = [each for each in contract_cases(operations) if each.technique is technique]
    drafts = [ContractGenerator().generate(each, context) for each in cases]
    return [each for each in drafts if isinstance(each, Draft)], operations


def test_a_removal_of_which_no_success_is_told_removes_all_the_same() -> None:
    drafts, whole = untold(Technique.GONE)
    assert [each.name for each in drafts] == [
        "test_what_delete_teas_tea_id_removed_is_gone",
        "test_what_delete_teas_tea_id_removed_is_not_listed",
    ]
    for draft in drafts:
        assert "if 400 <= removed.status_code < 500:\n        pytest.skip(" in draft.source
        performed(draft)(Twin(whole, VARIANTS[0]))
        with pytest.raises(AssertionError):
            performed(draft)(
                Twin(whole, VARIANTS[0], Mutation(kind="forgetful", operation="DELETE /teas/{tea_id}"))
            )


def test_a_thing_is_listed_beside_an_earlier_one_so_that_a_list_of_one_at_most_is_noticed() -> None:
    draft = untold(Technique.READ_BACK)[0][0]
    assert draft.source.index('arranged(client.post("/teas"') < draft.source.index("before = ")
    assert "if created.status_code in (400, 403, 409, 422):\n        pytest.skip(" in draft.source
    conflicting = UNTOLD.replace("'201'", "'409': {description: There is such a tea}, '201'")
    draft = untold(Technique.READ_BACK, conflicting)[0][0]
    assert 'arranged(client.post("/teas"' not in draft.source


def test_that_there_is_something_in_a_path_is_no_bound_that_can_be_broken() -> None:
    assert untold(Technique.BOUND_BROKEN)[0] == []
