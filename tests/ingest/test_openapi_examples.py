"""Examples of contracts as facts."""

from __future__ import annotations

from graph.facts import Fact
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader

NOTES = """\
openapi: 3.1.0
info: {title: Notes, version: '1'}
paths:
  /notes:
    parameters:
      - {name: limit, in: query, schema: {type: integer}, example: 5}
    post:
      requestBody:
        content:
          application/json:
            schema: {$ref: '#/components/schemas/Note'}
            examples:
              short: {value: {text: Milk}}
              long: {$ref: '#/components/examples/Long'}
      responses:
        '201':
          description: Written down
          content:
            application/json:
              schema:
                type: object
                properties:
                  id: {type: integer, example: 7}
              examples:
                short: {value: {id: 1, text: Milk}}
components:
  examples:
    Long: {value: {text: Milk and bread}}
  schemas:
    Note:
      type: object
      example: {text: Tea}
      properties:
        text: {type: string, examples: [Sugar, Salt]}
"""

PETS = """\
swagger: '2.0'
info: {title: Pets, version: '1'}
paths:
  /pets/{id}:
    get:
      parameters:
        - {name: id, in: path, required: true, type: integer, x-example: 3}
      responses:
        '200':
          description: It
          schema: {type: object}
          examples: {application/json: {id: 3}}
"""


def facts(text: str) -> dict[str, Fact]:
    document = Document(path="api.yaml", role=Role.CONTRACT, text=text, root="")
    return {fact.id.removeprefix("spec:"): fact for fact in OpenApiReader().read(document).facts}


def test_named_examples_keep_their_names_and_lines() -> None:
    body = facts(NOTES)["body:POST /notes#application/json"]

    assert body.aspects["examples"] == [
        {"value": {"text": "Milk"}, "line": 13, "name": "short"},
        {"value": {"text": "Milk and bread"}, "line": 28, "name": "long"},
    ]


def test_examples_of_answers_say_their_media_type_and_those_of_properties_their_place() -> None:
    answer = facts(NOTES)["response:POST /notes#201"]

    assert answer.aspects["examples"] == [
        {
            "value": {"id": 1, "text": "Milk"},
            "line": 25,
            "name": "short",
            "media_type": "application/json",
        },
        {"value": 7, "line": 23, "media_type": "application/json", "place": "id"},
    ]


def test_schemas_fields_and_parameters_have_their_own() -> None:
    found = facts(NOTES)

    assert [each["value"] for each in found["schema:Note"].aspects["examples"]] == [{"text": "Tea"}]
    assert [each["value"] for each in found["field:Note.text"].aspects["examples"]] == ["Sugar", "Salt"]
    assert [each["value"] for each in found["parameter:POST /notes#query.limit"].aspects["examples"]] == [5]


def test_examples_are_no_part_of_the_schema() -> None:
    found = facts(NOTES)

    assert "example" not in found["schema:Note"].aspects["schema"]
    assert "examples" not in found["field:Note.text"].aspects["schema"]


def test_version_2_has_examples_by_media_type() -> None:
    found = facts(PETS)

    assert found["response:GET /pets/{id}#200"].aspects["examples"] == [
        {"value": {"id": 3}, "line": 12, "media_type": "application/json"}
    ]
    assert found["parameter:GET /pets/{id}#path.id"].aspects["examples"] == [{"value": 3, "line": 7}]


TOLD = """\
openapi: 3.1.0
info: {title: Plans, version: '1'}
paths: {}
components:
  schemas:
    Plan:
      type: object
      properties:
        algorithm: {type: string, description: "How it is done (e.g., 'greedy', 'balanced')"}
        colour: {anyOf: [{type: string}, {type: 'null'}], description: Such as `red`}
        listed: {type: string, enum: [a, b], description: One of 'a' and 'b'}
        day: {type: string, format: date, description: "For example 'today'"}
        shape: {type: string, description: "For example `<name>`"}
        often: {type: integer, description: "For example '3'"}
        note: {type: string, description: What is "said" of it}
"""


def test_a_value_that_the_description_of_a_free_text_names_is_its_example() -> None:
    document = Document(path="api.yaml", role=Role.CONTRACT, text=TOLD, root="")
    found = {
        fact.name: [each["value"] for each in fact.aspects["examples"]]
        for fact in OpenApiReader().read(document).facts
        if "examples" in fact.aspects and ":field:" in fact.id
    }
    assert found == {"algorithm": ["greedy"], "colour": ["red"]}
