"""How twins answer where a contract leaves much open: lists that nothing fills, identities that may be left out."""

from __future__ import annotations

import msgspec
import pytest

from engine.twins.http import Twin
from engine.twins.mutation import Mutation
from engine.twins.replies import VARIANTS, Variant
from graph.facts import Fact, Json, Kind, Location, Tag
from planner.contracts.operations import Answer, Body, Operation

BOOK = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}
KEPT = {**BOOK, "properties": {"name": {"type": "string"}, "id": {"type": "integer"}}}


def operation(method: str, answer: Json, body: Json = None) -> Operation:
    key = f"{method} /books"
    fact = Fact(tag=Tag.SPEC, kind=Kind.OPERATION, key=key, name=key, source=Location("openapi.json", 1, 1))
    return Operation(
        key=key,
        method=method,
        path="/books",
        fact=fact,
        parameters=(),
        body=None
        if body is None
        else Body(schema=body, required=True, media_type="application/json", fact=""),
        answers=(Answer(status="200", schema=answer, description="", fact=f"spec:response:{key}#200"),),
        secured=False,
    )


READ = operation("GET", {"type": "array", "items": BOOK})


def test_a_list_that_nothing_fills_has_an_item_so_that_its_fields_are_seen() -> None:
    plain, _, terse = (Twin((READ,), variant).get("/books").json() for variant in VARIANTS)
    assert [set(each) for each in plain] == [{"name"}]
    assert terse == []
    lacking = Mutation(
        kind="field-removed", operation=READ.key, fact="spec:response:GET /books#200", place="[].name"
    )
    assert Twin((READ,), VARIANTS[0], lacking).get("/books").json() == [{}]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda each: each.name)
def test_a_list_that_an_operation_fills_is_empty_until_then(variant: Variant) -> None:
    client = Twin((READ, operation("POST", KEPT, BOOK)), variant)
    assert client.get("/books").json() == []
    made = client.post("/books", json={"name": "Emma"}).json()
    assert (made["name"], made["id"]) == ("Emma", variant.first)
    assert [each["name"] for each in client.get("/books").json()] == ["Emma"]


def test_what_is_read_only_is_shown_wherever_it_stands_and_what_has_no_type_is_something() -> None:
    numbered: Json = {
        "type": "object",
        "required": ["id", "more"],
        "properties": {"id": {"type": "integer", "readOnly": True}, "more": {}},
    }
    reader = operation("GET", {"type": "object", "required": ["one"], "properties": {"one": numbered}})
    assert {*Twin((reader,), VARIANTS[0]).get("/books").json()["one"]} == {"id", "more"}
    lister = operation("GET", {"type": "array", "items": numbered})
    assert isinstance(Twin((lister,), VARIANTS[0]).get("/books").json(), list)


def test_a_thing_is_known_by_what_its_path_names_also_where_paths_end_with_a_slash() -> None:
    coded: Json = {
        "type": "object",
        "required": ["book_code"],
        "properties": {"book_code": {"type": "string"}},
    }
    maker, reader = operation("POST", coded, BOOK), operation("GET", coded)
    maker = msgspec.structs.replace(maker, path="/books/")
    reader = msgspec.structs.replace(reader, path="/books/{book_code}/", key="GET /books/{book_code}/")
    client = Twin((maker, reader), VARIANTS[0])
    code = client.post("/books/", json={"name": "Emma"}).json()["book_code"]
    assert client.get(f"/books/{code}/").json() == {"book_code": code}


def test_what_was_put_is_read_also_where_it_has_a_list_in_it() -> None:
    text, tags = {"type": "string"}, {"type": "array", "items": {}}
    tagged: Json = {**BOOK, "properties": {"name": text, "tags": tags}}
    client = Twin((operation("PUT", tagged, BOOK), operation("GET", tagged)), VARIANTS[0])
    client.put("/books", json={"name": "Emma"})
    assert client.get("/books").json()["name"] == "Emma"


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda each: each.name)
def test_things_within_what_was_sent_are_shown_with_all_that_an_answer_has_of_each(variant: Variant) -> None:
    page: Json = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
    name: Json = {"type": "string"}
    sent: Json = {"type": "object", "properties": {"name": name, "pages": {"type": "array", "items": page}}}
    numbered: Json = {
        "type": "object",
        "required": ["text", "number"],
        "properties": {"text": {"type": "string"}, "number": {"type": "integer"}},
    }
    pages: Json = {"type": "array", "items": numbered}
    shown: Json = {"type": "object", "properties": {"id": {"type": "integer"}, "name": name, "pages": pages}}
    client = Twin((operation("POST", shown, sent),), variant)
    (only,) = client.post("/books", json={"name": "Emma", "pages": [{"text": "I"}]}).json()["pages"]
    assert only["text"] == "I"
    assert type(only["number"]) is int
