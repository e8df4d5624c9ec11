"""Contracts as facts."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.facts import Extract, Fact, Json, Verb
from graph.schemas import normalise, without_places
from ingest.ingestor import Document, Role
from ingest.located import read_located
from ingest.openapi.reader import OpenApiReader, looks_like_contract
from ingest.trees.tree import Tree

HEAD = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\n"


def read(text: str, root: Path | str = "", path: str = "api.yaml") -> Extract:
    document = Document(path=path, role=Role.CONTRACT, text=text, root=str(root))
    return OpenApiReader().read(document)


def facts(extract: Extract) -> dict[str, Fact]:
    found = {fact.id.removeprefix("spec:"): fact for fact in extract.facts}
    assert len(found) == len(extract.facts), "ids are unique"
    return found


def parsed(text: str) -> Json:
    tree = read_located(text, "api.yaml")
    assert isinstance(tree, Tree)
    return tree.value


def schema(extract: Extract, identity: str) -> Json:
    return without_places(facts(extract)[identity].aspects["schema"])


BOOKS = """\
openapi: 3.0.3
info: {title: Books, version: '1'}
servers:
  - url: https://{host}/{stage}/v1/
    variables: {host: {default: example.org}, stage: {default: live}}
security:
  - token: []
paths:
  /books/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: integer}}
      - {name: lang, in: query, schema: {type: string}}
    get:
      operationId: getBook
      deprecated: true
      tags: [books]
      security:
        - key: []
          oauth: [read, admin]
        - {}
      parameters:
        - name: lang
          in: query
          required: true
          schema: {type: string, enum: [en, de]}
        - $ref: '#/components/parameters/Trace'
      responses:
        200:
          description: The book
          headers:
            X-Rate: {schema: {type: integer}, required: true}
          content:
            application/json; charset=utf-8:
              schema: {$ref: '#/components/schemas/Book'}
        4xx: {$ref: '#/components/responses/Problem'}
        default: {description: Anything else}
    put:
      security: []
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: '#/components/schemas/Book'}
      responses:
        '204': {description: Done}
components:
  parameters:
    Trace: {name: X-Trace, in: header, schema: {type: string}}
  responses:
    Problem:
      description: A problem
      content: {application/problem+json: {schema: {type: object}}}
  securitySchemes:
    token: {type: http, scheme: Bearer}
    key: {type: apiKey, in: header, name: X-Key}
    oauth: {type: oauth2, flows: {}}
  schemas:
    Book:
      type: object
      required: [title]
      properties:
        title: {type: string, maxLength: 200}
        author: {$ref: '#/components/schemas/Author'}
        next:
          nullable: true
          allOf: [{$ref: '#/components/schemas/Book'}]
    Author: {type: object, properties: {name: {type: string}}}
    Unused: {type: string}
"""


@pytest.fixture(scope="module")
def books() -> Extract:
    return read(BOOKS)


def test_an_operation_says_what_the_contract_says(books: Extract) -> None:
    operation = facts(books)["operation:GET /live/v1/books/{id}"]
    assert (operation.source.path, operation.source.line, operation.source.end_line) == ("api.yaml", 13, 36)
    assert operation.aspects == {
        "method": "GET",
        "path": "/live/v1/books/{id}",
        "base_path": "/live/v1",
        "operation_id": "getBook",
        "deprecated": True,
        "tags": ["books"],
        "security": [{"key": [], "oauth": ["admin", "read"]}, {}],
        "security_schemes": {
            "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
            "oauth": {"type": "oauth2"},
        },
        "lines": {"operation_id": 14, "deprecated": 15, "security": 17},
    }


def test_schemes_that_no_operation_asks_for_are_told_where_nothing_is_asked_for() -> None:
    key = "    key: {type: apiKey, name: X-Key, in: header}\n"
    head = "openapi: 3.1.0\ninfo: {title: Books, version: '1'}\ncomponents:\n  securitySchemes:\n" + key
    path = "paths:\n  /books:\n    get:\n      responses: {'200': {description: All}}\n"
    public = facts(read(head + path))["operation:GET /books"].aspects
    assert public["unused_schemes"] == {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}
    asked = "    post:\n      security: [{key: []}]\n      responses: {'201': {description: One}}\n"
    assert "unused_schemes" not in facts(read(head + path + asked))["operation:GET /books"].aspects
    elsewhere = "  /shelves: {$ref: 'shelves.yaml'}\n"
    assert "unused_schemes" not in facts(read(head + path + elsewhere))["operation:GET /books"].aspects


def test_security_is_inherited_and_can_be_taken_away(books: Extract) -> None:
    public = facts(books)["operation:PUT /live/v1/books/{id}"].aspects
    assert (public["security"], public["security_schemes"]) == ([], {})
    inherited = facts(read(BOOKS.replace("      security: []\n", "")))
    aspects = inherited["operation:PUT /live/v1/books/{id}"].aspects
    assert aspects["security"] == [{"token": []}]
    assert aspects["security_schemes"] == {"token": {"type": "http", "scheme": "bearer"}}
    assert aspects["lines"] == {"security": 6}


def test_parameters_of_the_path_item_are_merged_with_the_operations_own(books: Extract) -> None:
    found = {key.partition("#")[2]: fact for key, fact in facts(books).items() if "parameter:GET" in key}
    assert list(found) == ["path.id", "query.lang", "header.x-trace"]
    assert found["path.id"].aspects["required"] is True
    assert found["query.lang"].source.line == 22
    assert found["query.lang"].aspects["required"] is True
    assert without_places(found["query.lang"].aspects["schema"]) == {"type": "string", "enum": ["de", "en"]}
    assert (found["header.x-trace"].name, found["header.x-trace"].source.line) == ("X-Trace", 48)


def test_responses_have_status_content_and_headers(books: Extract) -> None:
    found = {key.partition("#")[2]: fact for key, fact in facts(books).items() if "response:GET" in key}
    assert list(found) == ["200", "4XX", "default"]
    answer = without_places(found["200"].aspects)
    assert answer["content"] == {"application/json": {"$ref": "spec:schema:Book"}}
    assert answer["headers"] == {
        "x-rate": {"name": "X-Rate", "required": True, "schema": {"type": "integer"}, "line": 31}
    }
    assert (found["4XX"].source.line, found["4XX"].aspects["description"]) == (35, "A problem")
    assert without_places(found["4XX"].aspects["content"]) == {"application/problem+json": {"type": "object"}}
    assert found["default"].aspects["content"] == {}


def test_bodies_are_stated_by_media_type(books: Extract) -> None:
    body = facts(books)["body:PUT /live/v1/books/{id}#application/json"]
    assert body.aspects["required"] is True
    assert without_places(body.aspects["schema"]) == {"$ref": "spec:schema:Book"}
    assert body.source.line == 42


def test_schemas_keep_references_and_know_where_they_are_used(books: Extract) -> None:
    found = facts(books)
    assert schema(books, "schema:Book") == {
        "type": "object",
        "required": ["title"],
        "properties": {
            "title": {"type": "string", "maxLength": 200},
            "author": {"$ref": "spec:schema:Author"},
            "next": {"anyOf": [{"$ref": "spec:schema:Book"}, {"type": "null"}]},
        },
    }
    used = {name: found[f"schema:{name}"].aspects["used_in"] for name in ("Book", "Author", "Unused")}
    assert used == {"Book": ["request", "response"], "Author": ["request", "response"], "Unused": []}
    title = found["field:Book.title"]
    assert (title.source.line, title.aspects["required"]) == (62, True)
    assert found["field:Book.author"].aspects["required"] is False


def test_facts_are_related(books: Extract) -> None:
    related = {
        (r.verb, r.first.removeprefix("spec:"), r.second.removeprefix("spec:")) for r in books.relations
    }
    operation = "operation:GET /live/v1/books/{id}"
    assert (Verb.CONTAINS, operation, "parameter:GET /live/v1/books/{id}#path.id") in related
    assert (Verb.CONTAINS, operation, "response:GET /live/v1/books/{id}#200") in related
    assert (Verb.REFERENCES, "response:GET /live/v1/books/{id}#200", "schema:Book") in related
    assert (Verb.REFERENCES, "schema:Book", "schema:Author") in related
    assert (Verb.CONTAINS, "schema:Book", "field:Book.title") in related


def test_json_contracts_have_the_same_facts(books: Extract) -> None:
    again = read(json.dumps(parsed(BOOKS), indent=2), path="api.json")
    assert facts(again).keys() == facts(books).keys()
    assert schema(again, "schema:Book") == schema(books, "schema:Book")


@pytest.mark.parametrize(
    ("servers", "base"),
    [
        ("[{url: /api/}]", "/api"),
        ("[{url: 'https://example.org'}]", ""),
        ("[{url: 'https://example.org/{v}'}]", ""),
        ("[{url: 'https://{host}/v2'}]", "/v2"),
        ("[{url: 'api/v1'}]", ""),
        ("[{url: 'http://[broken'}]", ""),
        ("[5]", ""),
        ("{}", ""),
    ],
)
def test_the_base_path_is_that_of_the_first_server(servers: str, base: str) -> None:
    text = f"{HEAD}servers: {servers}\npaths: {{/a: {{get: {{responses: {{}}}}}}}}"
    assert list(facts(read(text))) == [f"operation:GET {base}/a"]


def test_a_server_of_an_operation_counts_for_it_alone() -> None:
    text = f"{HEAD}servers: [{{url: /a}}]\npaths: {{/x: {{get: {{servers: [{{url: /b}}]}}, put: {{}}}}}}"
    assert list(facts(read(text))) == ["operation:GET /b/x", "operation:PUT /a/x"]


def test_all_of_is_merged_where_one_schema_says_the_same() -> None:
    extract = read(
        HEAD
        + """\
paths: {}
components:
  schemas:
    Pet:
      type: object
      discriminator: {propertyName: kind, mapping: {cat: Cat, dog: '#/components/schemas/Dog'}}
      required: [kind]
      properties: {kind: {type: string}}
    Cat:
      allOf:
        - $ref: '#/components/schemas/Pet'
        - type: object
          properties: {lives: {type: integer}}
    Dog:
      description: Only a name
      allOf: [{$ref: '#/components/schemas/Pet'}]
    Strict:
      allOf:
        - $ref: '#/components/schemas/Pet'
        - {additionalProperties: false, properties: {a: {}}}
    Counts:
      allOf:
        - $ref: '#/components/schemas/Pet'
        - {additionalProperties: {type: integer}, properties: {a: {}}}
"""
    )
    assert schema(extract, "schema:Pet")["discriminator"]["mapping"] == {
        "cat": "spec:schema:Cat",
        "dog": "spec:schema:Dog",
    }
    assert schema(extract, "schema:Cat") == {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"type": "string"}, "lives": {"type": "integer"}},
    }
    assert facts(extract)["field:Cat.kind"].source.line == 8 + 2
    assert schema(extract, "schema:Dog") == {"$ref": "spec:schema:Pet"}
    # What closes one part is meant for the whole: to the letter nothing could fit it.
    assert schema(extract, "schema:Strict") == {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"type": "string"}, "a": {}},
        "additionalProperties": False,
    }
    assert schema(extract, "schema:Counts")["allOf"][0] == {"$ref": "spec:schema:Pet"}


def test_what_stands_beside_a_reference_counts_from_3_1_on() -> None:
    text = HEAD + (
        "paths: {}\ncomponents: {schemas: {A: {type: string}, B: {type: object, properties: "
        "{a: {$ref: '#/components/schemas/A', maxLength: 3, default: x}}}}}"
    )
    assert schema(read(text), "field:B.a") == {"$ref": "spec:schema:A", "default": "x"}
    newer = schema(read(text.replace("3.0.3", "3.1.0")), "field:B.a")
    assert newer == {"allOf": [{"$ref": "spec:schema:A"}, {"maxLength": 3}], "default": "x"}


def test_fields_of_inner_schemas_are_stated_with_their_lines() -> None:
    text = HEAD + (
        "paths: {}\ncomponents:\n  schemas:\n    Order:\n      properties:\n        lines:\n          type: array\n"
        "          items:\n            required: [price]\n            properties:\n"
        "              price: {type: number}\n"
        "              x-note: {type: string}\n"
    )
    found = facts(read(text))
    assert found["field:Order.lines[].price"].source.line == 13
    assert found["field:Order.lines[].price"].aspects["required"] is True
    assert "field:Order.lines[].x-note" in found


def test_parameters_that_other_parts_describe_and_serialised_ones_are_not_compared() -> None:
    text = HEAD + (
        "paths: {/a: {get: {parameters: [{name: Authorization, in: header, schema: {}}, "
        "{name: filter, in: query, content: {application/json: {schema: {type: object}}}}]}}}"
    )
    found = facts(read(text))
    assert list(found) == ["operation:GET /a", "parameter:GET /a#query.filter"]
    assert "x-unknown" in found["parameter:GET /a#query.filter"].aspects["schema"]


def test_webhooks_and_callbacks_are_no_operations_but_requests_that_the_service_sends() -> None:
    text = (
        "openapi: 3.1.0\ninfo: {title: T, version: '1'}\nsecurity: [{token: []}]\n"
        "components: {securitySchemes: {token: {type: http, scheme: bearer}}}\n"
        "webhooks: {/a: {post: {responses: {'200': {description: x}}}}, a: {post: {deprecated: true}}}\n"
        "paths: {/a: {post: {callbacks: {done: {'{$request.body#/url}': {$ref: '#/x'}}}}}}\n"
        "x: {post: {requestBody: {content: {text/plain: {schema: {type: string}}}}}}"
    )
    found = facts(read(text))
    assert {name for name in found if not name.startswith("operation")} == {
        "callback:POST a",
        "response:POST a#200",
        "callback:POST a~2",
        "callback:POST {$request.body/url}",
        "body:POST {$request.body/url}#text/plain",
    }
    assert (
        found["callback:POST a~2"].aspects["deprecated"]
        and "security" not in found["callback:POST a"].aspects
    )
    caused = found["callback:POST {$request.body/url}"]
    assert (caused.aspects["of"], caused.aspects["path"]) == ("POST /a", "{$request.body#/url}")


def test_version_3_2_has_further_methods() -> None:
    text = "openapi: 3.2.0\ninfo: {title: T, version: '1'}\npaths: {/a: {query: {}, additionalOperations: {LINK: {}}}}"
    assert list(facts(read(text))) == ["operation:QUERY /a", "operation:LINK /a"]


SWAGGER = """\
swagger: '2.0'
info: {title: T, version: '1'}
basePath: /v2/
consumes: [application/json, application/xml]
produces: [application/json]
securityDefinitions:
  basic: {type: basic}
paths:
  /pets:
    post:
      security: [{basic: []}]
      parameters:
        - {name: pet, in: body, required: true, schema: {$ref: '#/definitions/Pet'}}
        - {name: tag, in: query, type: array, items: {type: string}, collectionFormat: csv}
      responses:
        '201':
          description: Made
          schema: {$ref: '#/definitions/Pet'}
          headers: {X-Id: {type: integer, format: int64}}
  /pets/photo:
    put:
      consumes: [multipart/form-data]
      parameters:
        - {name: photo, in: formData, type: file, required: true}
        - {name: note, in: formData, type: string, maxLength: 9}
      responses:
        '200': {description: Done}
definitions:
  Pet:
    type: object
    properties: {name: {type: string, x-nullable: true}}
"""


def test_version_2_says_the_same_in_its_own_words() -> None:
    extract = read(SWAGGER)
    found = facts(extract)
    operation = found["operation:POST /v2/pets"]
    assert operation.aspects["security_schemes"] == {"basic": {"type": "http", "scheme": "basic"}}
    bodies = [key.partition("#")[2] for key in found if key.startswith("body:POST")]
    assert bodies == ["application/json", "application/xml"]
    assert schema(extract, "parameter:POST /v2/pets#query.tag") == {
        "type": "array",
        "items": {"type": "string"},
    }
    answer = without_places(found["response:POST /v2/pets#201"].aspects)
    assert answer["content"] == {"application/json": {"$ref": "spec:schema:Pet"}}
    assert answer["headers"]["x-id"]["schema"] == {"type": "integer", "format": "int64"}
    assert schema(extract, "schema:Pet")["properties"]["name"] == {"type": ["null", "string"]}


def test_forms_of_version_2_are_objects() -> None:
    extract = read(SWAGGER)
    form = facts(extract)["body:PUT /v2/pets/photo#multipart/form-data"].aspects["schema"]
    assert without_places(form) == {
        "type": "object",
        "required": ["photo"],
        "properties": {
            "photo": {"type": "string", "format": "binary"},
            "note": {"type": "string", "maxLength": 9},
        },
    }
    assert form["properties"]["note"]["x-line"] == 25


def test_notes_silence_the_lines_of_what_they_stand_in() -> None:
    extract = read(
        HEAD
        + """\
paths:
  /a:
    get:
      x-crossfact-ignore:
        response-undeclared: the gateway answers
        security-mismatch:
      parameters:
        - name: q  # crossfact: ignore[default-mismatch] historic
          in: query
          x-crossfact-ignore: [bound-mismatch it is so]
          schema: {}
    # crossfact: ignore[operation-not-implemented] next year
    put: {}
"""
    )
    notes = {note.rules[0]: note for note in extract.suppressions}
    assert {rule: (note.line, note.reason, note.first, note.last) for rule, note in notes.items()} == {
        "response-undeclared": (7, "the gateway answers", 5, 13),
        "security-mismatch": (8, "", 5, 13),
        "default-mismatch": (10, "historic", 10, 10),
        "bound-mismatch": (12, "it is so", 10, 13),
        "operation-not-implemented": (14, "next year", 15, 15),
    }


@pytest.mark.parametrize(
    "text",
    [
        "openapi: 3.0.0\n",
        "# hello\n\n'openapi' : '3.1.0'\n",
        "info: {}\nswagger: '2.0'",
        '{"swagger": "2.0"}',
        '  {"info": {"title": "}{["}, "openapi" : "3.0.1"}',
    ],
)
def test_contracts_are_recognised(text: str) -> None:
    assert looks_like_contract(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name: openapi",
        "a:\n  openapi: 3.0.0\n",
        '{"dependencies": {"openapi": "3.0.1"}}',
        '[{"openapi": "3.0.1"}]',
        "openapi:\n  title: x\n",
        "# openapi: 3.0.0",
    ],
)
def test_other_texts_are_not_taken_for_contracts(text: str) -> None:
    assert not looks_like_contract(text)


JUNK: list[Json] = [
    None, 5, True, "x", [], {}, [1], {"$ref": "#/components/schemas/Book"}, {"$ref": "#"}, {"$ref": 5},
    {"a": {"b": [{}]}}, [[]], {"type": "x"}, {"nullable": True},
    {"allOf": [{"$ref": "#/definitions/Pet"}, {"$ref": "#"}]},
]  # fmt: skip


def places(value: Json) -> list[tuple[Json, str | int]]:
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    return [place for key in keys for place in [(value, key), *places(value[key])]]


@given(
    st.sampled_from([BOOKS, SWAGGER]), st.lists(st.tuples(st.integers(0), st.sampled_from(JUNK)), min_size=1)
)
def test_no_damage_to_a_contract_raises_or_breaks_the_normal_form(
    text: str, damages: list[tuple[int, Json]]
) -> None:
    value = parsed(text)
    for place, junk in damages:
        found = places(value)
        parent, key = found[place % len(found)]
        parent[key] = copy.deepcopy(junk)
    for fact in facts(read(json.dumps(value), path="api.json")).values():
        stated = fact.aspects.get("schema", {})
        assert normalise(stated) == stated
