"""Tests of requests with texts of which only the service knows which it takes: a documented refusal decides nothing."""

from __future__ import annotations

import pytest

from engine.generators.operations.contract import ContractGenerator
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.cases import Technique
from planner.contracts.cases import contract_cases
from planner.contracts.free_choices import is_prose, lets_all_out
from planner.contracts.operations import read_operations
from planner.generator import Application, Context, Draft


def drafts(fields: str, statuses: str, required: str = "title, blend") -> dict[Technique, str]:
    """The tests of a POST with a body of these fields, by what they are about."""
    text = f"""\
openapi: 3.1.0
info: {{title: Teas, version: '1'}}
paths:
  /teas:
    get:
      parameters: [{{name: origin, in: query, schema: {{type: string}}}}]
      responses: {{'200': {{description: All}}}}
    post:
      requestBody: {{required: true, content: {{application/json: {{schema: {{type: object, required: [{required}],
        properties: {{title: {{type: string}}, {fields}}}}}}}}}}}
      responses:
        '201': {{description: Made, content: {{application/json: {{schema: {{type: object, required: [id],
          properties: {{id: {{type: integer}}, {fields}}}}}}}}}}}
        {statuses}
  /teas/{{id}}:
    get:
      parameters: [{{name: id, in: path, required: true, schema: {{type: integer}}}}]
      responses: {{'200': {{description: One, content: {{application/json: {{schema: {{type: object, required: [id],
        properties: {{id: {{type: integer}}, {fields}}}}}}}}}}}, '404': {{description: None}}}}
"""
    source = Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=text, root=""))])
    context = Context(source=source, application=Application("fastapi", "teas:app"))
    cases = {case.id: case for case in contract_cases(read_operations(source))}
    every = (ContractGenerator().generate(case, context) for case in cases.values())
    return {cases[each.case].technique: each.source for each in every if isinstance(each, Draft)}


INVALID = "'422': {description: Invalid}"
SKIPPED = ', 201, shows="id", unknown="which blend POST /teas takes")'


def test_a_test_that_needs_what_may_be_refused_says_what_is_missing() -> None:
    found = drafts("blend: {type: string}", "'422': {description: Invalid}")
    assert SKIPPED in found[Technique.READ_BACK]
    assert "if response.status_code == 422:\n        pytest.skip(" in found[Technique.SUCCESS]
    assert 'arranged(client.post("/teas", ' in found[Technique.WRONG_TYPE]


def test_what_is_refused_without_what_may_be_left_out_and_taken_with_it_is_decided() -> None:
    found = drafts("blend: {type: string}, note: {type: string}", INVALID)
    whole = 'client.post("/teas", json={"note": "Note", "title": "Title", "blend": "Blend"})'
    assert f"if response.status_code == 422 and {whole}.status_code == 422:" in found[Technique.SUCCESS]


def test_so_it_is_where_the_contract_tells_of_no_refusal_at_all() -> None:
    found = drafts("blend: {type: string}", "'202': {description: Later}")
    assert "if response.status_code in (400, 422):\n        pytest.skip(" in found[Technique.SUCCESS]


@pytest.mark.parametrize(
    ("fields", "statuses"),
    [
        ("blend: {type: string}", "'409': {description: There}"),
        ("blend: {type: string, example: Assam}", "'422': {description: Invalid}"),
        ("blend: {type: string, enum: [a, b]}", "'422': {description: Invalid}"),
        ("blend: {type: string, pattern: '^[a-z]{3}$'}", "'422': {description: Invalid}"),
        ("blend: {type: integer}", "'422': {description: Invalid}"),
    ],
    ids=["no refusal is documented", "an example", "a list", "a form", "no text"],
)
def test_what_the_contract_tells_is_taken(fields: str, statuses: str) -> None:
    assert not [each for each in drafts(fields, statuses).values() if "pytest.skip" in each]


def test_a_value_at_its_bound_is_undecided_only_where_the_usual_one_is_refused_as_well() -> None:
    fields = "blend: {type: string}, grams: {type: integer, maximum: 500}"
    found = drafts(fields, "'422': {description: Invalid}", "title, blend, grams")
    assert "if (\n" not in found[Technique.BOUND_KEPT]
    assert "if response.status_code == 422 and client.post(" in found[Technique.BOUND_KEPT]


def test_the_usual_one_is_another_where_the_usual_request_is_at_the_bound_itself() -> None:
    fields = "blend: {type: string}, cups: {type: integer, minimum: 1}"
    bound = drafts(fields, INVALID, "title, blend, cups")[Technique.BOUND_KEPT].partition("response = ")[2]
    assert bound.count('"cups": 1') == 1
    assert bound.count('"cups": 2') == 1


def test_a_number_that_stands_for_one_of_few_is_such_a_value() -> None:
    assert (
        "pytest.skip"
        in drafts("blend_type: {type: integer}", INVALID, "title, blend_type")[Technique.SUCCESS]
    )


def test_a_format_that_nobody_knows_tells_no_form() -> None:
    found = drafts("blend: {type: string, format: teas}", "'422': {description: Invalid}")
    assert SKIPPED in found[Technique.READ_BACK]


def test_what_is_called_an_address_may_be_a_file_that_is_sent() -> None:
    found = drafts("image: {type: string, format: uri}", INVALID, "title, image")
    assert "which image POST /teas takes" in found[Technique.SUCCESS]
    found = drafts("image_url: {type: string, format: uri}", INVALID, "title, image_url")
    assert "pytest.skip" not in found[Technique.SUCCESS]
    whole = drafts("image: {type: string, format: uri}, origin: {type: string}", INVALID, "title")
    assert '"image"' not in whole[Technique.READ_BACK]


@pytest.mark.parametrize("name", ["title", "fullName", "short_description", "notes", "tags", "username"])
def test_what_people_write_as_they_like_is_taken(name: str) -> None:
    assert is_prose(name)
    found = drafts(f"{name}: {{type: string}}", "'422': {description: Invalid}", f"title, {name}")
    assert not [each for each in found.values() if "pytest.skip" in each]


@pytest.mark.parametrize("name", ["algorithm", "role", "unit", "sexAtBirth", "level", "kind", "path"])
def test_what_may_be_one_of_few_is_not(name: str) -> None:
    assert not is_prose(name)


POT = "{type: object, required: [litres], properties: {litres: {type: integer}}}"
LEFT_OUT = f"cups: {{type: integer, maximum: 9}}, pot: {POT}"
NOTHING = (
    "    if response.status_code == 422:\n"
    '        pytest.skip("the contract does not tell what POST /teas needs of all that may be left out; it answered: "'
    " + str(response.content))\n"
)


def test_a_request_of_which_all_may_be_left_out_says_too_little_to_be_demanded() -> None:
    found = drafts(LEFT_OUT, INVALID, required="")
    assert NOTHING in found[Technique.SUCCESS]
    assert 'unknown="what POST /teas needs of all that may be left out")' in found[Technique.WRONG_TYPE]


def test_one_that_says_something_is_demanded_unless_the_one_without_anything_is_refused_as_well() -> None:
    source = " ".join(drafts(LEFT_OUT, INVALID, required="")[Technique.BOUND_KEPT].split())
    assert '.status_code == 422 and client.post("/teas", json={}).status_code == 422: pytest.skip(' in source


@pytest.mark.parametrize(
    ("statuses", "required"),
    [("'409': {description: There}", ""), (INVALID, "title"), (INVALID, "cups")],
    ids=["no refusal is documented", "a title", "a number"],
)
def test_a_request_that_has_what_is_required_is_taken(statuses: str, required: str) -> None:
    assert not [each for each in drafts(LEFT_OUT, statuses, required).values() if "pytest.skip" in each]


def test_where_no_refusal_is_documented_at_all_nothing_says_too_little_too() -> None:
    found = drafts(LEFT_OUT, "'202': {description: Later}", required="")
    assert "    if response.status_code in (400, 422):" in found[Technique.SUCCESS]


CUPS = "{type: object, properties: {cups: {type: integer}}}"


@pytest.mark.parametrize(
    ("method", "query", "schema", "sent", "too_little"),
    [
        ("post", "false", CUPS, {}, True),
        ("post", "false", CUPS, {"cups": 1}, True),
        ("post", "true", CUPS, {}, False),
        ("patch", "false", CUPS, {}, True),
        ("patch", "false", CUPS, {"cups": 1}, False),
        ("post", "false", "{type: array, items: {type: integer}}", [], True),
        ("post", "false", "{type: array, items: {type: integer}}", [1], False),
        ("post", "false", "{type: object, example: {cups: 2}, properties: {cups: {type: integer}}}", {}, False),
        ("post", "false", "{type: object, minProperties: 1, properties: {cups: {type: integer}}}", {"cups": 1}, False),
        ("post", "false", f"{{anyOf: [{CUPS}, {{type: object, required: [pot]}}]}}", {"cups": 1}, True),
        ("post", "false", f"{{allOf: [{CUPS}, {{type: object, required: [pot]}}]}}", {"pot": 1}, False),
    ],
)  # fmt: skip
def test_what_says_too_little(method: str, query: str, schema: str, sent: object, too_little: bool) -> None:
    text = f"""\
openapi: 3.1.0
info: {{title: Teas, version: '1'}}
paths:
  /teas:
    {method}:
      parameters: [{{name: origin, in: query, required: {query}, schema: {{type: string}}}}]
      requestBody: {{required: true, content: {{application/json: {{schema: {schema}}}}}}}
      responses: {{'200': {{description: Made}}, '422': {{description: Invalid}}}}
"""
    document = Document(path="api.yaml", role=Role.CONTRACT, text=text, root="")
    [operation] = read_operations(Memory([OpenApiReader().read(document)]))
    assert lets_all_out(operation, sent) is too_little


def test_what_makes_a_thing_that_stands_alone_is_asked_though_its_conflict_tells_of_a_state() -> None:
    found = drafts("blend: {type: string, example: Assam}", "'409': {description: It cannot be now}")
    assert "if response.status_code == 409:\n        pytest.skip(" in found[Technique.SUCCESS]
    assert "arranged(" in found[Technique.READ_BACK]


@pytest.mark.parametrize(
    ("fault", "is_written"),
    [
        ("{type: object, properties: {title: {type: string}}}", False),
        (
            "{type: object, properties: {detail: {type: array, items: {type: object, properties: "
            "{loc: {type: array, items: {type: string}}, msg: {type: string}}}}}}",
            True,
        ),
    ],
    ids=["a 422 by hand", "a 422 of a framework"],
)
def test_a_service_written_by_hand_may_look_up_what_a_path_names_before_it_reads(
    fault: str, is_written: bool
) -> None:
    text = f"""\
openapi: 3.1.0
info: {{title: Teas, version: '1'}}
paths:
  /teas/{{id}}:
    put:
      parameters: [{{name: id, in: path, required: true, schema: {{type: integer}}}}]
      requestBody: {{required: true, content: {{application/json: {{schema: {{type: object, required: [title],
        properties: {{title: {{type: string}}}}}}}}}}}}
      responses: {{'200': {{description: Changed}}, '404': {{description: None}},
        '422': {{description: Invalid, content: {{application/json: {{schema: {fault}}}}}}}}}
"""
    source = Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=text, root=""))])
    context = Context(source=source, application=Application("aiohttp", "teas:app"))
    cases = [
        case
        for case in contract_cases(read_operations(source))
        if case.technique is Technique.REQUIRED_MISSING
    ]
    (answer,) = (ContractGenerator().generate(case, context) for case in cases)
    assert isinstance(answer, Draft) is is_written
