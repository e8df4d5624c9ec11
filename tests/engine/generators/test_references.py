"""Tests of fields that name other things without saying so: numbers that are called as things, alone and in lists."""

from __future__ import annotations

import pytest

from engine.generators.operations.contract import ContractGenerator
from engine.generators.operations.stage import Stage
from engine.generators.values.schema_values import NoValueError
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.cases import Technique
from planner.contracts.cases import contract_cases
from planner.contracts.operations import read_operations
from planner.generator import Application, Context, Declined

CONTRACT = """\
openapi: 3.1.0
info: {title: Prints, version: '1'}
paths:
  /genre:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name],
        properties: {name: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [id],
        properties: {id: {type: integer}, name: {type: string}}}}}}}
  /frames:
    get: {responses: {'200': {description: All}}}
  /prints:
    post:
      requestBody: {required: true, content: {application/json: {schema: SCHEMA}}}
      responses: {'201': {description: Made}}
  /prints/{id}:
    put:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: Changed}}
"""
THING = "{type: object, required: [FIELD], properties: {FIELD: TYPE}}"
NUMBER, NUMBERS = "{type: integer}", "{type: array, items: {type: integer}}"


def stage(schema: str) -> Stage:
    text = CONTRACT.replace("SCHEMA", schema)
    document = Document(path="api.yaml", role=Role.CONTRACT, text=text, root="")
    return Stage(read_operations(Memory([OpenApiReader().read(document)])))


def sent(schema: str) -> str:
    """The request that makes a print."""
    ready = stage(schema)
    operation = ready.operations["POST /prints"]
    return ready.request(operation, ready.scene(operation)).call()


def of(field: str, kind: str) -> str:
    return THING.replace("FIELD", field).replace("TYPE", kind)


@pytest.mark.parametrize(
    ("schema", "given"),
    [
        (of("genres", NUMBERS), '"genres": [genre.json()["id"]]'),
        (of("genres", NUMBER), '"genres": genre.json()["id"]'),
        (f"{{type: array, items: {of('genre', NUMBER)}}}", '"genre": genre.json()["id"]'),
    ],
    ids=["a list of them", "a number under a plural", "in each thing of a list"],
)
def test_what_a_number_names_is_made_first(schema: str, given: str) -> None:
    assert given in sent(schema)


LINES = "{type: object, required: [lines], properties: {lines: {type: array, items: SCHEMA}}}"


@pytest.mark.parametrize("example", ["", ", example: {lines: [{genre_id: 1}, {genre_id: 2}]}"])
def test_what_things_in_a_list_name_is_made_first(example: str) -> None:
    schema = LINES.replace("SCHEMA", of("genre_id", NUMBER))
    assert '"lines": [{"genre_id": genre.json()["id"]}]' in sent(schema.removesuffix("}") + example + "}")


def test_a_thing_in_a_list_that_nothing_makes_is_not_made_up() -> None:
    with pytest.raises(NoValueError, match="what frame of POST /prints names: no operation makes one"):
        sent(LINES.replace("SCHEMA", of("frame", NUMBER)))


def test_a_text_that_is_called_as_the_id_of_a_thing_is_not_made_up_where_nothing_tells_one() -> None:
    with pytest.raises(NoValueError, match="what frame_id of POST /prints names: no operation makes one"):
        sent(of("frame_id", "{type: string}"))
    with pytest.raises(NoValueError, match="what shelf_id of POST /prints names"):
        sent(of("shelf_id", "{type: string}"))
    assert '"session_id": ' in sent(of("session_id", "{type: string}"))
    assert '"print_id": ' in sent(of("print_id", "{type: string}"))


@pytest.mark.parametrize(("field", "kind"), [("frame", NUMBER), ("frames", NUMBERS), ("owner", NUMBER)])
def test_a_number_of_a_thing_that_nothing_makes_is_not_made_up(field: str, kind: str) -> None:
    with pytest.raises(NoValueError, match=f"what {field} of POST /prints names: no operation makes one"):
        sent(of(field, kind))


@pytest.mark.parametrize(
    ("field", "kind"),
    [("frame", "{type: string}"), ("count", NUMBER), ("frame", "{type: integer, example: 3}")],
)
def test_other_values_are(field: str, kind: str) -> None:
    assert f'"{field}": ' in sent(of(field, kind))


def test_what_a_put_changes_was_made_before() -> None:
    ready = stage(of("count", NUMBER))
    with pytest.raises(NoValueError, match="an existing id: no operation makes one"):
        ready.scene(ready.operations["PUT /prints/{id}"])


def test_a_value_at_its_bound_is_not_tried_where_it_names_a_thing() -> None:
    schema = of("genre_id", "{type: integer, minimum: 1}")
    text = CONTRACT.replace("SCHEMA", schema)
    source = Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=text, root=""))])
    context = Context(source=source, application=Application("fastapi", "prints:app"))
    (case,) = (
        each
        for each in contract_cases(read_operations(source))
        if each.technique is Technique.BOUND_KEPT and each.subject == "POST /prints"
    )
    answer = ContractGenerator().generate(case, context)
    assert isinstance(answer, Declined)
    assert answer.needs == "something that exists under the last allowed genre_id"


def test_an_id_within_each_thing_of_a_list_names_what_the_list_is_called_after() -> None:
    schema = of("genres", f"{{type: array, items: {of('id', NUMBER)}}}")
    assert '"genres": [{"id": genre.json()["id"]}]' in sent(schema)
    assert '"lines": [{"id": 1}]' in sent(schema.replace("genres", "lines"))
