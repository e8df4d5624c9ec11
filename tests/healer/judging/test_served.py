"""What contracts say about operations decides who is wrong where a route, a status or a field changed."""

from __future__ import annotations

import pytest

from graph.changes import changes
from graph.facts import Extract, Fact, Kind, Location, Tag
from graph.store.records import Owner
from graph.store.store import Store
from graph.store.writing import Writer
from healer.analysing.analysing import analyse
from healer.evidence import Judgement, Ruling
from healer.judging.judging import judge
from healer.judging.served import is_same_field, is_same_operation
from healer.moving.telling import movements
from planner.validator import Frame, Outcome, Verdict
from tests.healer.moving.changing import read

CONTRACT = """\
openapi: 3.0.3
info: {title: Shelf, version: "1"}
paths:
  /books/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: integer}}
    get:
      operationId: showBook
      responses:
        "200":
          description: it
          content: {application/json: {schema: {$ref: "#/components/schemas/Book"}}}
components:
  schemas:
    Book: {type: object, required: [title], properties: {title: {type: string}}}
"""
CODE = '@app.get("/books/{number}")\ndef book(number):\n    return {"title": "Emma"}, 200\n'
TEST = """\
def test_book(client):
    answer = client.get("/books/7")
    assert answer.status_code == 200
    assert answer.json()["title"] == "Emma"
"""
FILES = {"specs/shelf.yaml": CONTRACT, "shelf.py": CODE, "test_shelf.py": TEST}


def served(code: str) -> list[Fact]:
    """What a web resolver reads from the code, as far as it matters here."""
    path = code.partition('("')[2].partition('")')[0]
    status = code.rstrip().rpartition(", ")[2]
    key = f"GET {path}"
    place = Location("shelf.py", 1, 3)
    handler = {"handler": "shelf.book", "method": "GET", "path": path}
    return [
        Fact(tag=Tag.CODE, kind=Kind.OPERATION, key=key, name=key, source=place, aspects=handler),
        Fact(
            tag=Tag.CODE,
            kind=Kind.RESPONSE,
            key=f"{key}#{status}",
            name=status,
            source=place,
            aspects={"status": status},
        ),
    ]


def judged(
    then: dict[str, str],
    now: dict[str, str],
    message: str,
    *,
    line: int = 3,
    exception: str = "AssertionError",
) -> Judgement:
    """The judgement about the test after the files changed."""
    store = Store.open(None)
    for files in (then, now):
        writer = Writer(store)
        with writer.transaction():
            for path, text in files.items():
                extract, module = read(path, text)
                writer.replace(Owner(name=path, reader="test", role="python", module=module), extract)
            owner = Owner(name="web", reader="web", role="python", module="")
            writer.replace(owner, Extract(facts=served(files["shelf.py"])))
        store.publish()
    outcome = Outcome(
        node="test_shelf.py::test_book",
        verdict=Verdict.FAILED,
        exception=exception,
        message=message,
        frames=(Frame("test_shelf.py", line, "test_book", "test"),),
    )
    moved = movements(changes(store, 1, 2), now.get)
    found = judge([analyse(outcome, now.get)], moved, store=store, read=now.get)
    store.close()
    return found


CHANGES = {
    "route": ("/books/", "/volumes/", "assert 404 == 200"),
    "status": ("200", "203", "assert 203 == 200"),
    "field": ("title", "name", "assert 500 == 200"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_the_contract_changed_too_makes_the_test_stale(what: str) -> None:
    old, new, message = CHANGES[what]
    code = CODE.replace(old, new)
    contract = CONTRACT.replace(f"[{old}]", f"[{new}]").replace(f"{{{old}:", f"{{{new}:")
    contract = contract.replace("/books/", "/volumes/") if what == "route" else contract
    contract = contract.replace("200", "203") if what == "status" else contract
    found = judged(FILES, FILES | {"shelf.py": code, "specs/shelf.yaml": contract}, message)
    assert found.ruling is Ruling.TEST_STALE, found.reason
    assert any(each.startswith("spec:") for each in found.evidence)


@pytest.mark.parametrize("what", CHANGES)
def test_what_the_contract_still_promises_makes_the_code_wrong(what: str) -> None:
    old, new, message = CHANGES[what]
    found = judged(FILES, FILES | {"shelf.py": CODE.replace(old, new)}, message)
    assert found.ruling is Ruling.CODE_WRONG
    assert found.evidence[0].startswith(
        ("spec:operation:GET /books/{id}", "spec:response:GET /books/{id}#200")
    )


def test_a_refusal_says_nothing_about_who_is_wrong() -> None:
    found = judged(FILES, FILES | {"shelf.py": CODE.replace("Emma", "Ema")}, "assert 422 == 200")
    assert found.ruling is Ruling.UNDECIDED


def test_another_route_than_the_requested_one_says_nothing() -> None:
    test = TEST.replace("/books/7", "/loans")
    files = FILES | {"test_shelf.py": test}
    found = judged(files, files | {"shelf.py": CODE.replace("/books/", "/volumes/")}, "assert 404 == 200")
    assert found.ruling is Ruling.UNDECIDED


def test_operations_and_fields_are_compared_by_what_both_sides_share() -> None:
    assert is_same_operation("GET /books/{id}", "GET /books/{number}")
    assert not is_same_operation("GET /books/{id}", "GET /books")
    assert is_same_field("shop.models.Book.title", "Book.title")
    assert not is_same_field("shop.models.Film.title", "Book.title")


@pytest.mark.parametrize(("name", "ruling"), [("title", Ruling.CODE_WRONG), ("pages", Ruling.UNDECIDED)])
def test_a_field_that_an_answer_lacks_is_looked_for_in_the_contract(name: str, ruling: Ruling) -> None:
    now = FILES | {"shelf.py": CODE.replace("title", "name")}
    found = judged(FILES, now, f"'{name}'", line=4, exception="KeyError")
    assert found.ruling is ruling
    assert ("spec:field:Book.title" in found.evidence) == (ruling is Ruling.CODE_WRONG)


@pytest.mark.parametrize(
    ("line", "message", "is_told"),
    [
        ("assert not missing", "assert not {'title', 'pages'}", True),
        ("assert not missing", "assert not {'pages'}", False),
        ("assert not missing", "assert not {'title', ...}", True),
        ('assert "title" in answer.json()', "assert 'title' in {'name': 'Emma'}", True),
        ('assert "title" in answer.headers', "assert 'title' in Headers({})", False),
        ('assert answer.json().get("title") == "Emma"', "assert None == 'Emma'", True),
        ('assert answer.json().get("title") == "Emma"', "assert 'Ema' == 'Emma'", False),
    ],
)
def test_a_field_that_an_assertion_demands_is_looked_for_in_the_contract(
    line: str, message: str, is_told: bool
) -> None:
    files = FILES | {"test_shelf.py": TEST.replace('assert answer.json()["title"] == "Emma"', line)}
    found = judged(files, files | {"shelf.py": CODE.replace("title", "name")}, message, line=4)
    assert ("spec:field:Book.title" in found.evidence) == is_told
