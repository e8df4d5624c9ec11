"""Tests of numbers that name other things only by the code's own columns: `genre = ForeignKey(BookCategory)`."""

from __future__ import annotations

import pytest

from engine.generators.operations.contract import ContractGenerator
from graph.facts import Extract, Fact, Kind, Location, Tag
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.cases import Technique
from planner.contracts.cases import contract_cases
from planner.contracts.operations import read_operations
from planner.generator import Application, Context, Declined, Draft

CONTRACT = """\
openapi: 3.1.0
info: {title: Books, version: '1'}
paths:
  /kinds/:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name],
        properties: {name: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {$ref:
        '#/components/schemas/BookCategory'}}}}}
  /books/:
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Book'}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {$ref:
        '#/components/schemas/Book'}}}}}
components:
  schemas:
    BookCategory: {type: object, required: [id, name], properties: {id: {type: integer, readOnly: true},
      name: {type: string}}}
    Book: {type: object, required: [id, genre], properties: {id: {type: integer, readOnly: true}, genre: TYPE}}
"""
NUMBER, NUMBERS = "{type: integer}", "{type: array, items: {type: integer}}"
CATEGORY = "models.ForeignKey(BookCategory, on_delete=models.CASCADE)"


def made(columns: dict[str, str], kind: str = NUMBER, caller: str = "", field: str = "genre") -> str:
    """The test that a book is made, where models have these columns; else what is missing for it."""
    text = CONTRACT.replace("TYPE", kind).replace("genre", field)
    api = OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=text, root=""))
    told = [
        Fact(
            tag=Tag.CODE,
            kind=Kind.ATTRIBUTE,
            key=key,
            name=key.rpartition(".")[2],
            aspects={"value": value},
            source=Location("models.py", 1, 1),
        )
        for key, value in columns.items()
    ]
    source = Memory([api, Extract(facts=told)])
    context = Context(
        source=source, application=Application("django", "books:app"), options={"caller": caller}
    )
    case = next(
        each
        for each in contract_cases(read_operations(source))
        if each.subject == "POST /books/" and each.technique is Technique.SUCCESS
    )
    answer = ContractGenerator().generate(case, context)
    assert isinstance(answer, Draft | Declined)
    return answer.source if isinstance(answer, Draft) else answer.needs


@pytest.mark.parametrize(
    ("column", "kind", "given"),
    [
        (CATEGORY, NUMBER, '"genre": kind.json()["id"]'),
        ('models.ForeignKey(to="shop.BookCategory")', NUMBER, '"genre": kind.json()["id"]'),
        ('db.Column(db.Integer, db.ForeignKey("kinds.id"))', NUMBER, '"genre": kind.json()["id"]'),
        ("models.ManyToManyField(BookCategory)", NUMBERS, '"genre": [kind.json()["id"]]'),
    ],
    ids=["a model", "its name", "a table", "a list of them"],
)
def test_what_a_column_refers_to_is_made_first(column: str, kind: str, given: str) -> None:
    assert given in made({"shop.models.Book.genre": column}, kind)


def test_of_two_columns_of_one_name_that_of_the_thing_itself_counts() -> None:
    films = {"shop.models.Film.genre": "models.ForeignKey(Book, on_delete=models.CASCADE)"}
    assert '"genre": kind.json()["id"]' in made({"shop.models.Book.genre": CATEGORY, **films})
    assert '"genre": 1' in made({"a.Song.genre": CATEGORY, **films})


def test_a_number_that_the_code_does_not_know_is_any() -> None:
    assert '"genre": 1' in made({})
    assert '"genre": 1' in made({"shop.models.Book.genre": "models.IntegerField()"})


def test_a_field_may_be_called_after_its_column_with_an_ending() -> None:
    assert '"genre_id": kind.json()["id"]' in made({"shop.models.Book.genre": CATEGORY}, field="genre_id")


def test_what_nobody_makes_is_left_to_a_person() -> None:
    shelf = {"shop.models.Book.genre": "models.ForeignKey(Shelf, on_delete=models.CASCADE)"}
    assert made(shelf) == "what genre of POST /books/ names: no operation makes one"


def test_users_are_the_caller_where_tests_make_it_themselves() -> None:
    user = {"shop.models.Book.genre": "models.ForeignKey(settings.AUTH_USER_MODEL)"}
    assert '"genre": caller.pk' in made(user, caller="own")
    assert made(user) == "what genre of POST /books/ names: no operation makes one"
