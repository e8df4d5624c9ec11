"""A list that is narrowed to those things which name one other thing."""

from __future__ import annotations

from planner.cases import Technique
from tests.engine.twins.proving import of_contract, of_stories, prove, source_of

CONTRACT = """\
openapi: 3.1.0
info: {title: Parcels, version: '1'}
paths:
  /depots:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [code],
        properties: {code: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: &depot {type: object,
        required: [code, stored], properties: {code: {type: string}, stored: {type: integer}}}}}}}
  /depots/{code}:
    parameters: [{name: code, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *depot}}}}}
  /parcels:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [depot, name],
        properties: {depot: {type: string}, name: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: &parcel {type: object,
        required: [id, depot, name], properties: {id: {type: integer}, depot: {type: string},
        name: {type: string}}}}}}}
    get:
      parameters: [{name: depot, in: query, schema: {type: string}}]
      responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: *parcel}}}}}
  /parcels/{id}:
    parameters: [&id {name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *parcel}}}}}
  /parcels/{id}/send:
    parameters: [*id]
    post: {operationId: send_parcel, responses: {'200': {description: Sent, content: {application/json: {
      schema: *parcel}}}}}
"""


def test_what_names_one_thing_is_listed_and_what_names_another_is_not() -> None:
    source = source_of(CONTRACT, "parcels", "Nothing is said.")
    text = prove(source, of_contract(source, "GET /parcels", Technique.NARROWED))
    assert 'other_depot = arranged(client.post("/depots"' in text
    assert 'params={"depot": depot.json()["code"]}' in text
    assert '"depot": other_depot.json()["code"]' in text


def test_so_it_is_where_an_id_names_the_other_thing() -> None:
    numbered = CONTRACT.replace("depot: {type: string}", "depot_id: {type: integer}").replace(
        "depot, name]", "depot_id, name]"
    )
    numbered = numbered.replace(
        "name: depot, in: query, schema: {type: string}", "name: depot_id, in: query, schema: *number"
    )
    numbered = numbered.replace("[code, stored]", "[id, stored]").replace(
        "code: {type: string}, stored", "id: {type: integer}, stored"
    )
    numbered = (
        numbered.replace("{code}", "{id}")
        .replace(
            "name: code, in: path, required: true, schema: {type",
            "name: id, in: path, required: true, schema: &number {type",
        )
        .replace("schema: &number {type: string}", "schema: &number {type: integer}")
    )
    source = source_of(numbered, "parcels", "Nothing is said.")
    text = prove(source, of_contract(source, "GET /parcels", Technique.NARROWED))
    assert 'params={"depot_id": depot.json()["id"]}' in text
    assert '"depot_id": other_depot.json()["id"]' in text


def test_a_request_changes_a_number_of_what_its_thing_names() -> None:
    sentence = "WHEN a parcel is sent THE SYSTEM SHALL log it and lower the depot's `stored` by one."
    source = source_of(CONTRACT, "parcels", sentence)
    found = [each for each in of_stories(source) if each.target["like"] == "moves"]
    assert [each.target["operation"] for each in found] == ["POST /parcels/{id}/send"]
    assert "before" in prove(source, found[0])
