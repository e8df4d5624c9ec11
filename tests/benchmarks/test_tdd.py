"""The parts of the benchmark of tests made from specs: mutants are what they say, labels need no generator."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from benchmarks.tdd.applications import STORIES
from benchmarks.tdd.labelling import Contract, Label, fault, label, probes
from benchmarks.tdd.measuring import is_about
from benchmarks.tdd.mutating import mutants, stub
from benchmarks.tdd.todo.mutants import MUTANTS, REFERENCE
from graph.facts import Kind
from ingest.ingestor import Document, Role
from ingest.stories.reader import StoryReader
from planner.cases import Case, Layer, Technique
from planner.stories.exchanges import exchanges_of

SOURCE = '''
from fastapi import FastAPI, HTTPException, Query
from pydantic import BaseModel

app = FastAPI()
items = {}


class Item(BaseModel):
    name: str
    price: float | None = None


@app.put("/items/{number}", status_code=201)
async def put_item(number: int, item: Item, size: int = Query(ge=3)):
    """Keep it."""
    if number in items:
        raise HTTPException(status_code=409)
    items[number] = item
    return {"number": number, "item": item}


def beside():
    return 1
'''

CONTRACT: dict[str, Any] = {
    "paths": {
        "/items": {
            "post": {
                "parameters": [{"name": "size", "in": "query", "schema": {"type": "integer", "minimum": 3}}],
                "requestBody": {
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}}
                },
                "responses": {
                    "201": {
                        "description": "made",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}},
                    },
                    "422": {"description": "refused"},
                },
            }
        }
    },
    "components": {
        "schemas": {
            "Item": {
                "type": "object",
                "required": ["name"],
                "properties": {"name": {"type": "string", "maxLength": 5}, "left": {"type": "integer"}},
            }
        }
    },
}


def test_each_operator_changes_the_one_place_that_it_names() -> None:
    made = mutants(SOURCE, 100, seed=1)
    changed = {each.operator: each.text for each in made}
    assert "if not number in items" in changed["condition negated"]
    assert "number not in items" in changed["comparison"]
    assert "raise" not in changed["raise dropped"]
    assert "items[number] = item" not in changed["state not kept"]
    assert "Query()" in changed["bound removed"]
    assert "Query(ge=4)" in changed["bound off by one"]
    assert {each.line for each in made if each.operator == "status"} == {14, 18}
    assert all(each.text != ast.unparse(ast.parse(SOURCE)) for each in made)


def test_mutants_are_the_same_for_the_same_seed_and_fair_among_operators() -> None:
    assert mutants(SOURCE, 5, seed=3) == mutants(SOURCE, 5, seed=3)
    assert len({each.operator for each in mutants(SOURCE, 5, seed=3)}) == 5


def test_a_stub_keeps_routes_and_signatures_and_raises_in_handlers_alone() -> None:
    text = stub(SOURCE)
    assert "async def put_item(number: int, item: Item, size: int=Query(ge=3)):" in text
    assert text.count("raise NotImplementedError") == 1
    assert "return 1" in text


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ([201, "application/json", {"name": "abc"}], ""),
        ([200, "application/json", {"name": "abc"}], "the undocumented status 200"),
        ([201, "application/json", {"left": 3}], "'name' is a required property"),
        ([422, "application/json", {}], "a valid request is answered with 422"),
    ],
)
def test_an_answer_is_held_against_the_contract(answer: list[Any], told: str) -> None:
    contract = Contract(CONTRACT)
    assert fault(contract, probes(contract)[0], answer) == told


def test_probes_are_valid_or_break_one_statement() -> None:
    asked = probes(Contract(CONTRACT))
    refused = [probe.request["json"] for probe in asked if probe.valid is False]
    assert {"left": 7} in refused
    assert {"name": "xxxxxx", "left": 7} in refused
    assert {"name": "xxxxx", "left": 7} in [probe.request["json"] for probe in asked if probe.valid]


def test_a_mutant_is_labelled_by_what_its_answers_break() -> None:
    contract = Contract(CONTRACT)
    asked = probes(contract)[:1]
    right = [[201, "application/json", {"name": "abc"}]]
    other = [[201, "application/json", {"name": "abd"}]]
    broken = [[204, "", None]]
    assert label(contract, asked, right, right) == (Label.UNSEEN, "")
    assert label(contract, asked, right, other)[0] is Label.SEEN
    assert label(contract, asked, right, broken)[0] is Label.SPEC
    assert label(contract, asked, broken, other)[0] is Label.SEEN


def test_each_mutant_of_the_reference_is_python_and_changes_it_in_one_place() -> None:
    reference = REFERENCE.read_text(encoding="utf-8")
    texts = [mutant.text() for mutant in MUTANTS]
    assert len({ast.dump(ast.parse(text)) for text in texts} - {ast.dump(ast.parse(reference))}) == len(texts)
    assert len({mutant.claim for mutant in MUTANTS}) == len(MUTANTS) >= 30


def test_each_criterion_of_the_stories_tells_requests_and_their_answers() -> None:
    pages = sorted(STORIES.glob("*.md"))
    told = 0
    for page in pages:
        document = Document(path=page.name, role=Role.STORY, text=page.read_text(encoding="utf-8"), root="")
        for fact in StoryReader().read(document).facts:
            if fact.kind is Kind.CRITERION:
                assert exchanges_of(fact), f"{page.name}: {fact.name}"
                told += 1
    assert told > 2 * len(pages) > 60


def test_a_red_test_is_explained_where_the_reference_itself_breaks_the_contract() -> None:
    case = Case(
        id="a",
        description="",
        subject="",
        aspect="",
        technique=Technique.READ_BACK,
        layer=Layer.INTEGRATION,
        cites=(),
        target={"operation": "POST /items", "read": "GET /items/{id}"},
    )
    assert is_about(case, {"get /items/{id}"})
    assert is_about(case, {"post /items"})
    assert not is_about(case, {"get /items"})
