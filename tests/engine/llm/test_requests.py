"""A model reads a criterion as requests: the test that comes of it is written by rules, proved, and never made up."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.commands import inside, surroundings
from tests.engine.llm.scripted import Said, Scripted, serving

CONTRACT = Path(__file__).parent / "tools.openapi.yaml"
WORDS = "The inventory speaks of each thing in the words under which it came in, such as band saw."
STORY = f"# US-1: Keep an inventory\n\nAs a caretaker I want an inventory.\n\n## Acceptance criteria\n\n- {WORDS}\n"
ADD = {
    "method": "POST",
    "path": "/tools",
    "query": {},
    "body": {"name": "band saw"},
    "status": "",
    "answer": {},
}
READ: dict[str, Any] = {"method": "GET", "path": "/tools/{id}", "query": {}, "body": None, "status": "200"}
READ_NAME = {**READ, "answer": {"name": "band saw"}}


def reply(*requests: dict[str, Any], missing: str = "") -> str:
    return json.dumps({"requests": requests, "missing": missing})


def project(folder: Path) -> Path:
    (folder / "specs").mkdir()
    shutil.copy(CONTRACT, folder / "specs" / "openapi.yaml")
    (folder / "specs" / "stories.md").write_text(STORY, encoding="utf-8")
    (folder / "crossfact.toml").write_text('app = "tools.main:app"\n', encoding="utf-8")
    return folder


def generated(folder: Path, script: Scripted) -> str:
    """What planning and generating with this model say, one after the other."""
    model = surroundings(CROSSFACT_LLM_URL=script.url, CROSSFACT_LLM_MODEL="scripted")
    planned = inside(folder, "plan", environment=model)
    assert planned.returncode == 0, planned.stderr
    done = inside(folder, "generate", environment=model)
    return done.stdout + done.stderr


def checklist(folder: Path) -> str:
    return (folder / "test_execution_state.yaml").read_text(encoding="utf-8")


def written_tests(folder: Path) -> str:
    return "\n".join(each.read_text(encoding="utf-8") for each in (folder / "tests").rglob("test_*.py"))


def test_a_criterion_that_no_rule_reads_becomes_a_test_that_its_twins_prove(tmp_path: Path) -> None:
    with serving(reply(ADD, READ_NAME)) as script:
        said = generated(project(tmp_path), script)
    assert "0 rejected" in said and "0 need a person" in said
    written = written_tests(tmp_path)
    assert "def test_us_1_1_the_inventory_speaks_of_each_thing" in written
    assert 'tool = client.post("/tools", json={"name": "band saw"})' in written
    assert 'assert response.json().get("name") == "band saw"' in written
    assert "exchanges" in checklist(tmp_path)
    (prompt,) = script.prompts()
    assert WORDS in prompt and "GET /tools/{id}" in prompt and "x-fact" not in prompt
    form = script.asked[0]["response_format"]["json_schema"]["schema"]["properties"]["requests"]["items"]
    assert form["properties"]["status"]["enum"] == ["", "200", "404", "201", "422"]


def test_a_second_run_asks_nothing_and_writes_the_same(tmp_path: Path) -> None:
    with serving(reply(ADD, READ_NAME)) as script:
        generated(project(tmp_path), script)
        first = written_tests(tmp_path)
        generated(tmp_path, script)
    assert len(script.asked) == 1
    assert written_tests(tmp_path) == first


def test_a_server_that_knows_no_form_is_asked_without(tmp_path: Path) -> None:
    refusal = (400, '{"error": {"message": "response_format is not supported"}}')
    with serving(refusal, reply(ADD, READ_NAME)) as script:
        said = generated(project(tmp_path), script)
    assert "0 need a person" in said
    assert ["response_format" in each for each in script.asked] == [True, False]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (reply(ADD, {**READ_NAME, "path": "/things/{id}"}), "which no contract has"),
        (reply(ADD, {**READ_NAME, "status": "203"}), "203 is not documented"),
        (reply(ADD, {**READ, "answer": {"name": "axe"}}), "where the expected 'axe' comes from"),
        (reply(ADD, {**READ, "answer": {"label": "band saw"}}), "a field label in the answer"),
        (reply({**ADD, "body": {"title": "band saw"}}, READ_NAME), "a field title in the body"),
        (reply(ADD, {**READ_NAME, "query": {"q": "x"}}), "a parameter q of GET /tools/{id}"),
        (reply(READ_NAME), "a request before GET /tools/{id} that is answered with id"),
        (reply(ADD, {**READ, "path": "/tools/9", "status": "404"}), "a refusal by GET /tools/{id}"),
        (reply(*[ADD] * 4, READ_NAME), "the model found 5"),
        (reply(missing="which words these are"), "which words these are"),
        ("Sure! Here is a test.", "in the form that the model was asked for"),
        ((500, "{}"), "answered 500"),
    ],
)
def test_what_contract_and_words_do_not_bear_out_waits_for_a_person(
    tmp_path: Path, answer: Said, why: str
) -> None:
    with serving(answer) as script:
        said = generated(project(tmp_path), script)
    assert "1 need a person" in said
    assert "(a model was asked: " in checklist(tmp_path) and why in checklist(tmp_path).replace('\\"', '"')
    assert "inventory_speaks" not in written_tests(tmp_path)
