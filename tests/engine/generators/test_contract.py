"""Tests made from a contract and its examples: what they send, what they check, and that twins bear them out."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from engine.configuration import Settings
from engine.generating import generate
from engine.planning import make_plan
from engine.project import Project
from graph.store.store import Store
from planner.cases import Case, Status

CONTRACT = """\
openapi: 3.1.0
info: {title: Shop, version: '1'}
paths:
  /lamp:
    put:
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {
        brightness: {type: number, default: 10.5}}}}}}
      responses: {'200': {description: Set, content: {application/json: {schema: {type: object, properties: {
        brightness: {type: number, default: 10.5}}}}}}}
  /books:
    get:
      operationId: listBooks
      parameters:
        - {name: Host, in: header, required: true, schema: {type: string}}
        - {name: X-Shelf, in: header, required: true, schema: {type: string}}
      responses:
        '200':
          description: A page
          content:
            application/json:
              schema:
                type: object
                required: [items, total]
                properties:
                  items: {type: array, items: {$ref: '#/components/schemas/Book'}}
                  total: {type: integer}
    post:
      operationId: addBook
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: '#/components/schemas/NewBook'}
            examples:
              plain: {value: {title: Emma, pages: 10}}
              untitled: {value: {title: '', pages: 10}}
      responses:
        '201':
          description: Made
          headers: {Location: {required: true, schema: {type: string}}}
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Book'}
              examples: {plain: {value: {bookId: 5, title: Emma, pages: 10, sold: false, made: '2026-01-31T10:00:00Z'}}}
        '422':
          description: Refused
          content:
            application/json:
              schema: {type: object, required: [detail], properties: {detail: {type: string}}}
              examples: {untitled: {value: {detail: The title is empty}}}
  /books/{book_id}:
    parameters: [{name: book_id, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: getBook
      responses:
        '200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Book'}}}}
        '404': {description: None}
    patch:
      operationId: changeBook
      requestBody:
        required: true
        content: {application/json: {schema: {type: object, properties: {sold: {type: boolean}}}}}
      responses:
        '200': {description: Changed, content: {application/json: {schema: {$ref: '#/components/schemas/Book'}}}}
    delete:
      operationId: removeBook
      security: [{key: []}]
      responses: {'204': {description: Gone}, '404': {description: None}}
  /orders:
    post:
      operationId: placeOrder
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [book_id, marks]
              properties:
                book_id: {type: integer}
                marks: {type: array, uniqueItems: true, minItems: 1, items: {type: string}}
                copies: {type: integer, minimum: 2, maximum: 8, multipleOf: 2}
      responses:
        '201':
          description: Placed
          content:
            application/json:
              schema: {type: object, required: [id], properties: {id: {type: integer}, book_id: {type: integer}}}
  /covers:
    post:
      operationId: uploadCover
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [scan, title]
              properties: {scan: {type: string, format: binary}, title: {type: string}}
      responses: {'201': {description: Kept}}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  schemas:
    NewBook:
      type: object
      required: [title, pages]
      properties: {title: {type: string, minLength: 1}, pages: {type: integer, minimum: 1}}
    Book:
      type: object
      required: [bookId, title, pages, sold, made]
      properties:
        bookId: {type: integer}
        title: {type: string}
        pages: {type: integer}
        sold: {type: boolean}
        made: {type: string, format: date-time}
"""


class Made(msgspec.Struct):
    """What was generated: the cases by the name of their test, the source of each, and those without a test."""

    tests: dict[str, Case]
    sources: dict[str, str]
    open: list[Case]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    root: Path = tmp_path_factory.mktemp("shop")
    (root / "openapi.yaml").write_text(CONTRACT, encoding="utf-8")
    settings = msgspec.structs.replace(Settings(), history=False, app="shop.main:app")
    project = Project(root, (), settings, Store.open(None))
    make_plan(project, tell=print)
    generated = generate(project)
    sources = {draft.case: draft.source for draft in generated.drafts}
    tests = {case.node.partition("::")[2]: case for case in generated.cases if case.node}
    return Made(
        tests,
        {name: sources[case.id] for name, case in tests.items()},
        [case for case in generated.cases if not case.node],
    )


def test_all_that_are_written_hold_on_their_twins(made: Made) -> None:
    assert [case.id for case in made.open if case.status is Status.REJECTED] == []
    assert all(case.proof is not None and case.proof.holds for case in made.tests.values())


def test_a_named_example_is_answered_as_its_namesake_says_but_for_what_the_server_chooses(made: Made) -> None:
    source = made.sources["test_add_book_takes_its_example_plain"]

    assert 'client.post("/books", json={"pages": 10, "title": "Emma"})' in source
    assert 'assert book["title"] == "Emma"' in source
    assert 'assert book["sold"] is False' in source
    assert 'type(book["bookId"]) is int' in source
    assert "2026" not in source


def test_a_named_example_of_an_error_is_refused_so_after_one_that_is_taken(made: Made) -> None:
    source = made.sources["test_add_book_refuses_its_example_untitled"]

    assert "    arranged(" in source
    assert 'json={"pages": 10, "title": ""}' in source
    assert "assert response.status_code == 422" in source


def test_a_documented_header_is_there(made: Made) -> None:
    assert 'assert "Location" in response.headers' in made.sources["test_add_book_is_answered_with_201"]


def test_what_identifies_a_thing_is_found_however_it_is_written(made: Made) -> None:
    assert 'book.json()["bookId"]' in made.sources["test_get_book_is_answered_with_200"]


def test_a_default_that_an_answer_may_leave_out_is_compared_where_it_is_shown(made: Made) -> None:
    source = made.sources["test_put_lamp_gives_brightness_its_default"]
    assert 'assert response.json().get("brightness", 10.5) == 10.5' in source


def test_a_change_differs_from_what_was_there(made: Made) -> None:
    source = made.sources["test_what_change_book_changed_is_read"]

    assert 'json={"sold": not book.json()["sold"]}' in source
    assert 'assert response.json().get("sold") is (not book.json()["sold"])' in source


def test_a_list_inside_an_answer_grows_by_one(made: Made) -> None:
    source = made.sources["test_what_add_book_made_is_listed"]

    assert 'assert len(response.json()["items"]) == len(before.json()["items"]) + 1' in source


def test_a_body_names_a_thing_that_was_made_before(made: Made) -> None:
    source = made.sources["test_place_order_is_answered_with_201"]

    assert 'json={"book_id": book.json()["bookId"]' in source
    assert 'assert order.get("book_id") == book.json()["bookId"]' in source


def test_items_that_must_differ_are_no_refusal_and_multiples_are(made: Made) -> None:
    assert not any("with_an_item_twice" in name for name in made.tests)
    assert '"copies": 3' in made.sources["test_place_order_refuses_copies_no_multiple_of_2"]


def test_files_are_sent_as_files(made: Made) -> None:
    source = made.sources["test_upload_cover_is_answered_with_201"]

    assert 'data={"title": "Title"}, files={"scan": ("scan.txt", b"text")}' in source


def test_what_needs_unknown_credentials_needs_a_person_but_their_lack_is_tested(made: Made) -> None:
    needing = [case for case in made.open if case.status is Status.NEEDS_HUMAN]

    assert {case.needs.partition(":")[0] for case in needing} == {"credentials"}
    assert "test_remove_book_is_refused_without_credentials" in made.tests


def test_what_clients_send_by_themselves_is_never_left_out(made: Made) -> None:
    assert "test_list_books_needs_x_shelf" in made.tests
    assert "test_list_books_needs_host" not in made.tests
