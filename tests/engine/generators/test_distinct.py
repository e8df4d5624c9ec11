"""Tests of what tells the things apart that tests make in one application."""

from __future__ import annotations

import msgspec
import pytest

from engine.generators.operations.stage import Stage
from engine.generators.values.distinct import distinct, sized_apart, tag_of
from graph.facts import Json
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.contracts.operations import read_operations

FIELDS = (
    "{title: {type: string, maxLength: 8}, sku: {type: string, pattern: '^[a-z]{2,9}$'}, "
    "email: {type: string, format: email}, number: {type: integer}, count: {type: integer}, "
    "code: {type: string, enum: [a, b]}, password: {type: string}, colour: {type: string, example: red}, "
    "born: {type: string, format: date}, name: {type: string}}"
)
SENT: dict[str, Json] = {
    "title": "Title", "sku": "aa", "email": "reader@example.org", "number": 1, "count": 1, "code": "a",
    "password": "Password", "colour": "red", "born": "2026-01-31", "name": "Name",
}  # fmt: skip


def _stage(statuses: str) -> Stage:
    text = f"""\
openapi: 3.1.0
info: {{title: Shop, version: '1'}}
paths:
  /items:
    post:
      requestBody: {{content: {{application/json: {{schema: {{type: object, required: [title, sku],
        properties: {FIELDS}}}}}}}}}
      responses: {{'201': {{description: Made}}{statuses}}}
"""
    document = Document(path="api.yaml", role=Role.CONTRACT, text=text, root="")
    return Stage(read_operations(Memory([OpenApiReader().read(document)])))


@pytest.mark.parametrize(
    "statuses",
    [", '409': {description: There}", ", '400': {description: Taken}, '422': {description: Wrong}"],
)
def test_free_texts_differ_where_a_request_may_conflict(statuses: str) -> None:
    operation = _stage(statuses).operations["POST /items"]
    changed = distinct(operation, SENT, "bcdf")
    assert changed == {
        **SENT, "title": "Titlbcdf", "sku": "aabcdf", "email": "reader-bcdf@example.org",
        "number": 1000 + int.from_bytes(b"bcdf") % 999_000, "name": "Name bcdf",
    }  # fmt: skip


def test_elsewhere_only_what_is_told_of_one_thing_alone_differs() -> None:
    operation = _stage("").operations["POST /items"]
    changed = distinct(operation, SENT, "bcdf")
    assert isinstance(changed, dict)
    assert {name for name in SENT if changed[name] != SENT[name]} == {"sku", "email", "number", "name"}


def test_what_is_called_as_the_thing_that_is_made_is_its_name() -> None:
    operation = _stage("").operations["POST /items"]
    tags = msgspec.structs.replace(operation, path="/titles")
    changed = distinct(tags, SENT, "bcdf")
    assert isinstance(changed, dict)
    assert changed["title"] == "Titlbcdf"


@pytest.mark.parametrize(
    ("words", "changed"),
    [
        ("A tool of that name exists", {"name"}),
        ("Conflict", {"name"}),
        ("The colour is taken", {"colour"}),
        ("There is a tool of this name already", {"name"}),
        ("The tool is lent", {"name"}),
    ],
)
def test_an_example_changes_where_the_contract_says_that_what_exists_is_not_made_again(
    words: str, changed: set[str]
) -> None:
    text = f"""\
openapi: 3.1.0
info: {{title: Tools, version: '1'}}
paths:
  /tools:
    post:
      requestBody: {{content: {{application/json: {{example: {{name: Hammer, colour: red, kind: a}},
        schema: {{type: object, properties: {{name: {{type: string}}, colour: {{type: string}},
          kind: {{type: string, enum: [a, b]}}}}}}}}}}}}
      responses: {{'201': {{description: Made}}, '409': {{description: {words}}}}}
"""
    document = Document(path="api.yaml", role=Role.CONTRACT, text=text, root="")
    stage = Stage(read_operations(Memory([OpenApiReader().read(document)])))
    sent: dict[str, Json] = {"name": "Hammer", "colour": "red", "kind": "a"}
    made = distinct(stage.operations["POST /tools"], sent, "bcdf")
    assert isinstance(made, dict)
    assert {name for name in sent if made[name] != sent[name]} == changed


def test_a_case_has_the_same_things_each_time_and_another_case_has_others() -> None:
    stage = _stage("")
    operation = stage.operations["POST /items"]
    one, again, other = (
        stage.of(case).request(operation, stage.scene(operation)).body for case in ("a", "a", "b")
    )
    assert one == again != other
    assert len({tag_of(f"case-{number}") for number in range(300)}) > 295


def test_a_name_of_a_certain_length_is_told_apart_and_keeps_its_length() -> None:
    assert sized_apart("name", {"type": "string"}, "Namexxxx", "bcdf") == "Namebcdf"
    assert sized_apart("name", {"type": "string"}, "Na", "bcdf") == "bc"
    assert sized_apart("note", {"type": "string"}, "Notexxxx", "bcdf") == "Notexxxx"
    assert sized_apart("name", {"type": "string", "pattern": "^N"}, "Na", "bcdf") == "Na"


@pytest.mark.parametrize(("shown", "expected"), [("email", True), ("id", False)])
def test_an_address_in_an_example_differs_where_an_operation_makes_what_has_it(
    shown: str, *, expected: bool
) -> None:
    text = f"""\
openapi: 3.1.0
info: {{title: Shop, version: '1'}}
paths:
  /readers:
    post:
      requestBody: {{content: {{application/json: {{schema: {{type: object, required: [email, title],
        properties: {{email: {{type: string, format: email}}, title: {{type: string}}}},
        example: {{email: ada@example.org, title: Dr}}}}}}}}}}
      responses: {{'201': {{description: Made, content: {{application/json: {{schema: {{type: object,
        properties: {{{shown}: {{type: string}}}}}}}}}}}}}}
"""
    document = Document(path="api.yaml", role=Role.CONTRACT, text=text, root="")
    stage = Stage(read_operations(Memory([OpenApiReader().read(document)])))
    sent: Json = {"email": "ada@example.org", "title": "Dr"}
    changed = distinct(stage.operations["POST /readers"], sent, "bcdf")
    assert changed == ({"email": "ada-bcdf@example.org", "title": "Dr"} if expected else sent)
