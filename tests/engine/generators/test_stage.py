"""Tests of what must exist before a request, and where the contract says that it may be lacking."""

from __future__ import annotations

import re

import pytest

from engine.generators.operations.requests import without
from engine.generators.operations.stage import Stage
from engine.generators.values.schema_values import NoValueError
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.cases import Technique
from planner.contracts.effect_cases import effect_cases
from planner.contracts.operations import read_operations

CONTRACT = """\
openapi: 3.1.0
info: {title: Library, version: '1'}
paths:
  /books:
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [title],
        properties: {title: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [id],
        properties: {id: {type: integer}}}}}}}
  /loans:
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [book],
        properties: {book: {type: integer}}}}}}
      responses: {'201': {description: Lent}, '404': {description: No such book}}
  /moves:
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [start_id],
        properties: {start_id: {type: integer}}}}}}
      responses: {'201': {description: Moved}}
  /places:
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [hub],
        properties: {hub: {type: string, format: uuid}}}}}}
      responses: {'201': {description: Placed}}
  /plans:
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [product],
        properties: {product: {type: string}}}}}}
      responses: {'201': {description: Planned}}
  /products:
    post:
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [id],
        properties: {id: {type: string}}}}}}}
  /labels:
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [label_id, product],
        properties: {label_id: {type: string, format: uuid}, product: {type: string, maxLength: 8}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object,
        properties: {label_id: {type: string, format: uuid}}}}}}}
  /jobs:
    get:
      parameters: [{name: enabled, in: query, schema: {type: boolean}}]
      responses: {'200': {description: All, content: {application/json: {schema: {}}}}}
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [name], properties: {
        name: {type: string}, owner: {type: object, readOnly: true, required: [mail], properties: {
        mail: {type: string}}}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object}}}}}
  /jobs/{job_id}/log:
    get:
      parameters: [{name: job_id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: All, content: {application/json: {schema: {}}}}}
  /jobs/{job_id}/notes:
    post:
      parameters: [{name: job_id, in: path, required: true, schema: {type: integer}, example: 3}]
      requestBody: {content: {application/json: {schema: {type: object, properties: {text: {type: string}}}}}}
      responses: {'200': {description: Noted, content: {application/json: {schema: {type: object}}}}}
  /faces/{face}/image:
    post:
      parameters: [&face {name: face, in: path, required: true, schema: {type: integer}, example: 3}]
      requestBody: &form {content: {multipart/form-data: {schema: {type: object, required: [file],
        properties: {file: {type: string, format: binary}}}}}}
      responses: {'200': {description: Shown}}
  /faces/{face}/notes:
    post:
      parameters: [*face]
      requestBody: *form
      responses: {'200': {description: Noted}}
  /badge:
    get:
      parameters: [{name: Authorization, in: header, schema: {type: string}}]
      responses: {'200': {description: One}, '401': {description: Unknown}}
  /shelves:
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [room],
        properties: {room: {type: string}}}}}}
      responses: {'201': {description: Put up}, '404': {description: No such room}}
  /lamps:
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [room],
        properties: {room: {type: string, example: hall}}}}}}
      responses: {'201': {description: Put up}, '404': {description: No such room}}
  /notes:
    get:
      parameters: [{name: x-token, in: header, required: true, schema: {type: string}}]
      responses: {'200': {description: All}}
  /keys:
    get:
      parameters: [{name: api_key, in: query, required: true, schema: {type: string}}]
      responses: {'200': {description: All}}
  /hints:
    get:
      parameters: [{name: x-token, in: header, required: true, schema: {type: string, example: open sesame}}]
      responses: {'200': {description: All}}
  /login:
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [name, password],
        properties: {name: {type: string}, password: {type: string}}}}}}
      responses: {'200': {description: Let in, content: {application/json: {schema: {type: object,
        properties: {access_token: {type: string}}}}}}}
  /auth/sign-in:
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [password],
        properties: {password: {type: string}}}}}}
      responses: {'204': {description: Let in}}
  /accounts:
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [name, password],
        properties: {name: {type: string}, password: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object,
        properties: {name: {type: string}}}}}}}
  /readers/{reader_id}:
    get:
      parameters: [&reader {name: reader_id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: One, content: {application/json: {schema: {}}}}}
    put:
      parameters: [*reader]
      responses: {'200': {description: Kept, content: {application/json: {schema: {}}}}}
  /rooms/{room_id}:
    get:
      parameters: [{name: room_id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: One, content: {application/json: {schema: {}}}}}
  /halls/{hall_id}:
    get:
      parameters: [{name: hall_id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: One, content: {application/json: {schema: {type: object, required: [name],
        properties: {name: {type: string}}}}}}}
  /towns/{town}:
    get:
      parameters: [{name: town, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: One, content: {application/json: {schema: {}}}}}
  /shorten:
    post:
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [code],
        properties: {code: {type: string}}}}, text/html: {schema: {type: string}}}}}
  /stats/{code}:
    get:
      parameters: [{name: code, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: One, content: {application/json: {schema: {}}}}}
  /replies:
    post:
      responses: {'200': {description: Made, content: {application/json: {schema: {type: object,
        properties: {code: {type: integer}, message: {type: string}}}}}}}
  /replies/{rid}:
    delete:
      parameters: [{name: rid, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: Gone}}
  /words/{word}:
    get:
      parameters: [{name: word, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: One, content: {application/json: {schema: {}}}}}
"""
SOURCE = Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root=""))])
STAGE = Stage(read_operations(SOURCE))


def test_a_number_that_is_called_as_a_thing_names_one_that_is_made_before() -> None:
    loans = STAGE.operations["POST /loans"]
    scene = STAGE.scene(loans)
    assert scene.lines == (
        'book = client.post("/books", json={"title": "Title"})',
        "assert book.status_code == 201",
    )
    assert STAGE.request(loans, scene).call() == 'client.post("/loans", json={"book": book.json()["id"]})'


def test_a_text_that_is_called_as_a_thing_names_one_that_is_made_before() -> None:
    scene = STAGE.scene(STAGE.operations["POST /plans"])
    assert scene.lines[0] == 'product = client.post("/products")'
    assert scene.references == {"product": 'product.json()["id"]'}


def test_what_a_thing_is_called_by_in_its_own_body_names_no_other_thing_nor_does_a_text_with_a_limit() -> (
    None
):
    scene = STAGE.scene(STAGE.operations["POST /labels"])
    assert (scene.lines, dict(scene.references)) == ((), {})


def test_what_operations_make_and_do_not_tell_is_not_named_by_a_number() -> None:
    with pytest.raises(NoValueError, match="an existing job_id"):
        STAGE.scene(STAGE.operations["GET /jobs/{job_id}/log"])


def test_what_narrows_a_list_of_what_is_made_may_leave_it_as_it_is() -> None:
    jobs = STAGE.operations["GET /jobs"]
    cases = effect_cases(jobs, [*STAGE.operations.values()])
    assert not [each for each in cases if each.technique is Technique.EFFECT]


def test_no_request_carries_a_part_of_what_only_answers_have() -> None:
    names = [member.name for member in STAGE.operations["POST /jobs"].members()]
    assert names == ["name", "owner"]


def test_what_is_told_of_one_thing_is_not_nothing() -> None:
    notes = STAGE.operations["POST /jobs/{job_id}/notes"]
    sent = STAGE.request(notes, STAGE.scene(notes))
    assert sent.call() == 'client.post("/jobs/3/notes", json={"text": "Text"})'


def test_a_file_of_a_kind_is_not_made_up_and_any_other_is() -> None:
    notes, image = (STAGE.operations[f"POST /faces/{{face}}/{last}"] for last in ("notes", "image"))
    assert "files=" in STAGE.request(notes, STAGE.scene(notes)).call()
    with pytest.raises(NoValueError, match="takes as image"):
        STAGE.request(image, STAGE.scene(image))


def test_an_operation_with_a_401_and_a_header_of_credentials_that_may_be_left_out_asks_for_credentials() -> (
    None
):
    badge = STAGE.operations["GET /badge"]
    assert badge.secured
    assert STAGE.request(badge, STAGE.scene(badge)).call() == 'client.get("/badge", headers=auth)'


def test_a_request_that_names_what_may_be_lacking_needs_a_person_who_knows_what_is_there() -> None:
    with pytest.raises(NoValueError, match="POST /shelves names: it may be answered with 404"):
        STAGE.scene(STAGE.operations["POST /shelves"])
    assert STAGE.scene(STAGE.operations["POST /lamps"]).lines == ()


@pytest.mark.parametrize(("key", "name"), [("POST /moves", "start_id"), ("POST /places", "hub")])
def test_what_a_number_or_a_uuid_names_that_nothing_makes_is_not_made_up(key: str, name: str) -> None:
    with pytest.raises(NoValueError, match=f"what {name} of {key} names"):
        STAGE.scene(STAGE.operations[key])


def test_a_required_token_is_a_credential_which_the_fixture_auth_has() -> None:
    notes, hints = STAGE.operations["GET /notes"], STAGE.operations["GET /hints"]
    sent = STAGE.request(notes, STAGE.scene(notes))
    assert sent.call() == 'client.get("/notes", headers=auth)'
    assert without(sent, notes.parameters[0]).call() == 'client.get("/notes")'
    keys = STAGE.operations["GET /keys"]
    with pytest.raises(NoValueError, match="a api_key that GET /keys takes"):
        STAGE.request(keys, STAGE.scene(keys))
    assert STAGE.request(hints, STAGE.scene(hints)).headers == {"x-token": "open sesame"}


@pytest.mark.parametrize("key", ["POST /login", "POST /auth/sign-in"])
def test_nobody_makes_up_an_account_to_be_let_in_with(key: str) -> None:
    with pytest.raises(NoValueError, match=f"an account that {key} lets in"):
        STAGE.request(STAGE.operations[key], STAGE.scene(STAGE.operations[key]))


def test_an_account_can_be_made() -> None:
    accounts = STAGE.operations["POST /accounts"]
    assert STAGE.request(accounts, STAGE.scene(accounts)).body == {
        "name": "Name",
        "password": "Kx7!lanternHill",
    }


def test_what_one_operation_alone_tells_is_made_by_it_and_json_is_asked_for_where_there_is_more() -> None:
    stats = STAGE.operations["GET /stats/{code}"]
    scene = STAGE.scene(stats)
    assert scene.lines[0] == 'shorten = client.post("/shorten", headers={"Accept": "application/json"})'
    assert scene.path == {"code": 'shorten.json()["code"]'}


def test_the_code_of_an_envelope_identifies_nothing_so_that_what_is_removed_is_not_known() -> None:
    with pytest.raises(NoValueError, match="an existing rid: no operation makes one"):
        STAGE.scene(STAGE.operations["DELETE /replies/{rid}"])


@pytest.mark.parametrize("key", ["GET /readers/{reader_id}", "GET /halls/{hall_id}", "GET /towns/{town}"])
def test_what_identifies_a_thing_that_nothing_makes_is_not_made_up(key: str) -> None:
    with pytest.raises(NoValueError, match="an existing"):
        STAGE.scene(STAGE.operations[key])


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("PUT /readers/{reader_id}", "'Reader id'"),
        ("GET /rooms/{room_id}", "1"),
        ("GET /words/{word}", "'Word'"),
    ],
)
def test_what_is_put_a_first_number_and_what_identifies_nothing_may_have_any_value(
    key: str, value: str
) -> None:
    assert [*STAGE.scene(STAGE.operations[key]).path.values()] == [value]


def test_a_404_of_every_operation_says_nothing_of_one() -> None:
    shelf = """\
  /{name}:
    post:
      requestBody: {{content: {{application/json: {{schema: {{type: object, required: [room],
        properties: {{room: {{type: string}}}}}}}}}}}}
      responses: {{'201': {{description: Put up}}, '404': {{description: Not found}}}}
"""
    text = CONTRACT.partition("  /books:")[0] + "".join(map(shelf.format_map, [{"name": "a"}, {"name": "b"}]))
    for more, is_told in (("", False), (shelf.format(name="c"), True)):
        document = Document(path="api.yaml", role=Role.CONTRACT, text=text + more, root="")
        stage = Stage(read_operations(Memory([OpenApiReader().read(document)])))
        if is_told:
            assert stage.scene(stage.operations["POST /a"]).lines == ()
        else:
            with pytest.raises(NoValueError, match="may be answered with 404"):
                stage.scene(stage.operations["POST /a"])


def test_what_a_client_names_itself_is_such_as_the_path_takes_it() -> None:
    text = (
        CONTRACT.partition("  /books:")[0]
        + """\
  /coupons:
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [code],
        properties: {code: {type: string, minLength: 4}}}, example: {code: spring24}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [code],
        properties: {code: {type: string}}}}}}}
  /coupons/{code}:
    get:
      parameters: [{name: code, in: path, required: true, schema: {type: string, pattern: '^[A-Z0-9]{4,8}$'}}]
      responses: {'200': {description: One}, '404': {description: None}}
"""
    )
    document = Document(path="api.yaml", role=Role.CONTRACT, text=text, root="")
    stage = Stage(read_operations(Memory([OpenApiReader().read(document)])), "q")
    (line, _) = stage.scene(stage.operations["GET /coupons/{code}"]).lines
    assert re.search(r'"code": "[A-Z0-9]{4,8}"', line), line
