"""Questions to the graph follow what was concluded, too: links without tags, code of contracts, code of stubs."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.commands import inside

CONTRACT = """\
openapi: 3.1.0
info: {title: Parcels, version: "1"}
paths:
  /parcels/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {"200": {description: The parcel}}
    delete:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {"204": {description: Gone}}
"""
CODE = """\
from fastapi import FastAPI

app = FastAPI()


@app.get("/parcels/{number}")
def track_parcel(number: int): ...


def weigh(parcel):
    return 1
"""
STORY = """\
# US-1: Track
As a sender I want to track parcels so that I know where they are.

- AC-1.1: `track_parcel` tells where the parcel is.
- AC-1.2: Confetti rains on holidays.
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in (
        ("openapi.yaml", CONTRACT),
        ("shop.py", CODE),
        ("parcels.md", STORY),
        ("shop.pyi", "def weigh(parcel): ...\n"),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def asked(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return inside(project, *words, "--no-history")


def rows(project: Path, *words: str) -> list[list[str]]:
    result = asked(project, "query", *words, "--json")
    assert result.returncode == 0, result.stderr
    return [list(row.values()) for row in json.loads(result.stdout)["rows"]]


def test_cypher_finds_what_implements_a_criterion_that_nobody_tagged(project: Path) -> None:
    query = "MATCH (s:criterion)<-[r:implements]-(c:function) WHERE r.confidence < 1 RETURN s.id, c.id"
    assert rows(project, query) == [["spec:criterion:AC-1.1", "code:function:shop.track_parcel"]]
    assert rows(project, "MATCH (c:criterion) WHERE NOT (c)-[:implements]-() RETURN c.id") == [
        ["spec:criterion:AC-1.2"]
    ]


def test_cypher_finds_the_operations_of_a_contract_that_no_code_implements(project: Path) -> None:
    query = 'MATCH (o:operation {tag: "spec"}) WHERE NOT (o)<-[:implements]-() RETURN o.key'
    assert rows(project, query) == [["DELETE /parcels/{id}"]]


def test_sql_shows_concluded_relations_with_their_reason(project: Path) -> None:
    query = "SELECT first, second, reason FROM relations WHERE verb = 'implements' AND second LIKE 'spec:operation:%'"
    assert rows(project, "--sql", query) == [
        [
            "code:operation:GET /parcels/{number}",
            "spec:operation:GET /parcels/{id}",
            "the same method and path",
        ]
    ]


def test_a_declaration_of_a_stub_is_tied_to_its_code(project: Path) -> None:
    result = asked(project, "neighbors", "spec:function:shop.weigh")
    assert "code:function:shop.weigh implements spec:function:shop.weigh" in result.stdout


def test_a_path_leads_from_a_criterion_over_its_link_to_an_operation(project: Path) -> None:
    result = asked(project, "path", "spec:criterion:AC-1.1", "spec:operation:GET /parcels/{id}")
    assert result.returncode == 0
    assert "spec:criterion:AC-1.1 mentions spec:operation:GET /parcels/{id}" in result.stdout


def test_orphans_are_neither_what_is_linked_nor_what_a_contract_serves(project: Path) -> None:
    found = asked(project, "query", "orphans").stdout
    assert "AC-1.2" in found
    assert "DELETE /parcels/{id}" in found
    assert "AC-1.1" not in found
    assert "GET /parcels" not in found


def test_the_impact_of_a_file_may_be_asked_in_one_word(project: Path) -> None:
    assert "spec:criterion:AC-1.1" in asked(project, "query", "impact shop.py").stdout


def test_a_name_that_is_no_question_is_told_with_those_that_are(project: Path) -> None:
    result = asked(project, "query", "gap")
    assert result.returncode == 2
    assert "gaps, orphans, impact" in result.stderr


def test_what_code_names_in_a_table_is_no_orphan(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(
        "def checked(text: str) -> bool:\n    return bool(text)\n\n\ndef lost() -> None: ...\n\n\n"
        'def ask() -> None:\n    show({"port": {"validate": checked}})\n\n\nask()\n',
        encoding="utf-8",
    )
    assert "shop.lost" in (found := asked(tmp_path, "query", "orphans").stdout)
    assert "shop.checked" not in found
    assert "shop.ask" not in found
