"""Faults of crossfact itself: what they concern is unknown, all else is reported, and the run ends with 3."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NoReturn

import pytest

from engine.cli.entry import exit_code
from graph.errors import StoreError
from graph.faults import Attempt, is_fault

_CONTRACT = """openapi: 3.1.0
info: {title: Books, version: '1'}
paths:
  /books:
    get: {responses: {'200': {description: all}}}
    post: {responses: {'200': {description: made}}}
  /loans:
    get: {responses: {'200': {description: all}}}
"""
_CODE = """from fastapi import FastAPI

app = FastAPI()


@app.get("/books")
def books() -> list[str]:
    return []


@app.post("/books", status_code=201)
def add() -> str:
    return ""
"""
_STUB = "def price(code: str, amount: int) -> float: ...\ndef weight(code: str) -> int: ...\n"
_PRICES = "def price(code: str) -> float:\n    return 1.5\n\n\ndef weight(name: str) -> int:\n    return 1\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one contract and one stub, in the current folder; faults are contained, as for users."""
    files = {"openapi.yaml": _CONTRACT, "app.py": _CODE, "prices.pyi": _STUB, "prices.py": _PRICES}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CROSSFACT_DEBUG")
    return tmp_path


def _fail(*_arguments: object, **_options: object) -> NoReturn:
    raise KeyError("out of range")


def _checked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *options: str
) -> tuple[int, dict[str, Any], str]:
    """The exit code, the report, and what was said beside it."""
    words = ["crossfact", "check", "--strict", "--jobs", "1", "--format", "json", *options]
    monkeypatch.setattr("sys.argv", words)
    code = exit_code()
    told = capsys.readouterr()
    return code, json.loads(told.out), told.err


def _subjects(report: dict[str, Any]) -> set[str]:
    return {finding["subject"] for finding in report["findings"]}


def test_without_faults_all_is_found(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, report, said = _checked(monkeypatch, capsys)

    assert code == 1
    assert _subjects(report) == {
        "POST /books",
        "GET /loans",
        "function prices.price",
        "function prices.weight",
    }
    assert "internal error" not in said


@pytest.mark.parametrize(
    ("broken", "lost"),
    [
        pytest.param(
            "ingest.python.reader.PythonReader.read",
            {"POST /books", "GET /loans", "function prices.price", "function prices.weight"},
            id="reader",
        ),
        pytest.param(
            "ingest.web.resolvers.fastapi.FastApiResolver.resolve",
            {"POST /books", "GET /loans"},
            id="resolver",
        ),
        pytest.param(
            "ingest.web.fastapi.inputs.InputReader.function", {"POST /books", "GET /loans"}, id="route"
        ),
        pytest.param(
            "crossval.link.contracts.operations.compare_operations", {"POST /books"}, id="comparison"
        ),
        pytest.param(
            "crossval.link.definitions.definitions._Aligner._compare",
            {"function prices.price", "function prices.weight"},
            id="definition",
        ),
        pytest.param(
            "crossval.link.contracts.operations.gather", {"POST /books", "GET /loans"}, id="alignment"
        ),
    ],
)
def test_what_a_fault_concerns_is_unknown_and_all_else_is_found(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    broken: str,
    lost: set[str],
) -> None:
    _, whole, _ = _checked(monkeypatch, capsys, "--store", "whole/facts.db")
    with monkeypatch.context() as patch:
        patch.setattr(broken, _fail)
        code, report, said = _checked(patch, capsys)
        again, _, _ = _checked(patch, capsys)

    assert (code, again) == (3, 3)
    assert _subjects(whole) - _subjects(report) == lost
    reasons = [each["reason"] for each in (*report["unknown"], *report["skipped"])]
    assert any(map(is_fault, reasons))
    assert "internal error: " in said and "KeyError: 'out of range'" in said
    assert "Traceback" not in said

    # A fault that was mended leaves nothing behind, though no reader has a new version.
    code, mended, _ = _checked(monkeypatch, capsys)
    assert code == 1
    assert mended["findings"] == whole["findings"]


def test_a_case_whose_test_cannot_be_written_for_a_fault_is_left_to_a_person(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("engine.generators.operations.contract.ContractGenerator.generate", _fail)
    for command in ("plan", "generate"):
        monkeypatch.setattr("sys.argv", ["crossfact", command])
        exit_code()
    capsys.readouterr()
    monkeypatch.setattr("sys.argv", ["crossfact", "status", "--json"])
    exit_code()
    cases = json.loads(capsys.readouterr().out)

    failed = [case for case in cases if "crossfact itself failed on it" in case["needs"]]
    assert {case["status"] for case in failed} == {"NEEDS_HUMAN"}
    assert {case["generator"] for case in cases} == {"contract", "signature"}
    assert failed
    assert not any(case["generator"] == "signature" for case in failed)


def test_faults_are_let_through_where_they_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSFACT_DEBUG", "1")

    with pytest.raises(KeyError), Attempt():
        _fail()


def test_what_ends_a_run_on_purpose_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CROSSFACT_DEBUG")

    with pytest.raises(StoreError), Attempt():
        raise StoreError("no room")
    with pytest.raises(KeyboardInterrupt), Attempt():
        raise KeyboardInterrupt
