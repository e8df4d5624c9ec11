"""Proof on twins: a test of the contract is green on every twin and red on every broken claim, else it is rejected."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from engine.configuration import Settings
from engine.generating import generate
from engine.generators.files import digest, source_of
from engine.planning import make_plan
from engine.project import Project
from engine.proving import prove
from engine.running.runner import PytestValidator
from engine.twins.http import Twin
from engine.twins.mutation import Mutation
from engine.twins.replies import VARIANTS
from graph.store.store import Store
from planner.cases import Case, Status, Technique
from planner.contracts.operations import read_operations

EXAMPLES = Path(__file__).parent.parent.parent.parent / "specs_examples"


def opened(folder: Path, example: str, app: str) -> Project:
    shutil.copytree(
        EXAMPLES / example, folder / example, ignore=shutil.ignore_patterns(".crossfact", "tests")
    )
    settings = msgspec.structs.replace(Settings(), history=False, app=app)
    return Project(folder / example, (), settings, Store.open(None))


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, dict[str, Case]]:
    project = opened(tmp_path_factory.mktemp("proving"), "todo-tdd", "todo.main:app")
    make_plan(project, tell=print)
    return project, {case.id: case for case in generate(project).cases}


def test_every_test_that_stays_holds_on_its_twins(generated: tuple[Project, dict[str, Case]]) -> None:
    _, cases = generated
    written = [
        case for case in cases.values() if case.status is Status.GENERATED and case.target.get("operation")
    ]
    assert len(written) >= 20
    assert all(case.proof is not None and case.proof.holds for case in written)


def test_a_contract_case_is_written_declined_or_rejected_with_its_reason(
    generated: tuple[Project, dict[str, Case]],
) -> None:
    _, cases = generated
    for case in cases.values():
        if case.status is Status.NEEDS_HUMAN:
            assert case.needs
        elif case.status is Status.REJECTED:
            assert case.last_error
            assert not case.node


def test_a_weakened_test_is_rejected_and_the_claim_that_it_misses_is_named(
    generated: tuple[Project, dict[str, Case]],
) -> None:
    project, cases = generated
    bounds = [each for each in cases.values() if each.technique is Technique.BOUND_BROKEN and each.node]
    case = next(each for each in bounds if each.target["place"] == "body.title")
    file, _, name = case.node.partition("::")
    text = (project.root / file).read_text(encoding="utf-8")
    source = source_of(text, name)
    assert source is not None
    weak = source.replace("status_code == 422", "status_code < 500")
    assert weak != source
    (project.root / file).write_text(text.replace(source, weak), encoding="utf-8")
    judged = prove(project.root, [case], project.store, PytestValidator())[case.id]
    (project.root / file).write_text(text, encoding="utf-8")
    assert judged.status is Status.REJECTED
    assert "does not notice the broken claim unenforced body.title" in judged.last_error


def test_a_test_that_asserts_more_than_its_spec_fails_on_some_twin(
    generated: tuple[Project, dict[str, Case]],
) -> None:
    project, cases = generated
    case = next(each for each in cases.values() if each.id.startswith("post-todos-success"))
    file, _, name = case.node.partition("::")
    text = (project.root / file).read_text(encoding="utf-8")
    source = source_of(text, name) or ""
    (project.root / file).write_text(
        text.replace(source, source + '    assert todo["id"] == 1\n'), encoding="utf-8"
    )
    judged = prove(project.root, [case], project.store, PytestValidator())[case.id]
    (project.root / file).write_text(text, encoding="utf-8")
    assert judged.status is Status.REJECTED
    assert judged.last_error.startswith("red on the twin talkative")


def test_the_hash_in_the_checklist_is_that_of_the_file(generated: tuple[Project, dict[str, Case]]) -> None:
    project, cases = generated
    for case in cases.values():
        if case.node:
            file, _, name = case.node.partition("::")
            text = (project.root / file).read_text(encoding="utf-8")
            assert digest(source_of(text, name) or "") == case.digest


def twin(project: Project, mutation: Mutation | None = None, variant: int = 0) -> Twin:
    return Twin(tuple(read_operations(project.store)), VARIANTS[variant], mutation)


def test_a_twin_keeps_what_is_created_changed_and_removed(generated: tuple[Project, dict[str, Case]]) -> None:
    for variant in range(len(VARIANTS)):
        client = twin(generated[0], variant=variant)
        made = client.post("/todos", json={"title": "Rest"})
        assert (made.status_code, made.json()["title"]) == (201, "Rest")
        place = f"/todos/{made.json()['id']}"
        assert client.get(place).json() == made.json()
        assert [each["title"] for each in client.get("/todos").json()] == ["Rest"]
        assert client.put(place, json={"done": True}).json()["done"] is True
        assert client.get("/todos", params={"done": False}).json() == []
        assert client.delete(place).status_code == 204
        assert client.get(place).status_code == 404


def test_a_twin_refuses_what_the_contract_refuses(generated: tuple[Project, dict[str, Case]]) -> None:
    client = twin(generated[0])
    for body in ({}, {"title": ""}, {"title": "x" * 81}, {"title": 5}, {"title": "x", "due": "tomorrow"}):
        assert client.post("/todos", json=body).status_code == 422
    assert client.post("/todos", json={"title": "x" * 80, "due": "2026-01-31"}).status_code == 201
    assert client.get("/nowhere").status_code == 404
    assert client.request("PATCH", "/todos").status_code == 405


def test_every_criterion_of_the_todo_list_has_a_test_that_holds(
    generated: tuple[Project, dict[str, Case]],
) -> None:
    _, cases = generated
    told = [case for case in cases.values() if case.technique is Technique.CRITERION]

    assert len({case.target["criterion"] for case in told}) == 10
    assert all(case.proof is not None and case.proof.holds for case in told)
