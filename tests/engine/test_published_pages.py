"""The pages and schemas that are written from the program are those of today; `pytest --update` writes them anew."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from jsonschema import Draft202012Validator

from engine import schemas
from engine.cli.main import COMMANDS
from engine.cli.reference import reference
from planner.cases import Case, Layer, Proof, Status, Technique, Term
from planner.checklist import Checklist, render

DOCS = Path(__file__).parent.parent.parent / "docs"


def held(file: Path, text: str, update: bool) -> None:
    if update:
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text, "run `pytest --update` and read the diff"


def test_the_page_of_commands_is_that_of_today(update: bool) -> None:
    held(DOCS / "COMMANDS.md", reference(), update)


def test_every_command_and_option_stands_on_its_page() -> None:
    text = reference()
    for name in COMMANDS:
        assert f"\n## {name}\n" in text
    assert "| `--since REV` |" in text
    assert text.count("`--source-root DIR`") == 1


@pytest.mark.parametrize(("name", "make"), [("checklist", schemas.checklist), ("session", schemas.session)])
def test_a_schema_is_that_of_today(name: str, make: Callable[[], dict[str, Any]], update: bool) -> None:
    schema = make()
    Draft202012Validator.check_schema(schema)
    held(DOCS / f"{name}.schema.json", json.dumps(schema, indent=2) + "\n", update)


def test_a_checklist_keeps_to_its_schema() -> None:
    case = Case(
        id="a",
        description="b",
        subject="GET /a",
        aspect="responses.200",
        technique=Technique.SUCCESS,
        layer=Layer.INTEGRATION,
        cites=("spec:response:GET /a#200",),
        status=Status.PASSED,
        why=(Term("kind", 1.0, "because"),),
        proof=Proof(twins=2, twins_green=2, mutants=1, mutants_killed=1, real="red"),
        target={"operation": "GET /a"},
    )
    written = yaml.safe_load(render(Checklist((), (), ()), [case]))
    Draft202012Validator(schemas.checklist()).validate(written)
    assert msgspec.convert(written, schemas.Checklist, strict=False).test_cases[0].id == "a"
