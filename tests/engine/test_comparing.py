"""What a comparison came to stands while neither facts nor rules nor settings change, and no longer."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import crossval.validate
from crossval.report.json_report import render
from crossval.report.report import Report
from engine import comparing
from engine.check import check
from engine.plugins import rules
from engine.project import open_project
from graph.store.store import Store

EXAMPLES = Path(__file__).parent.parent.parent / "specs_examples"
Checking = Callable[..., Report]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "pay.pyi").write_text("def pay(a: str) -> int: ...\n", encoding="utf-8")
    (tmp_path / "pay.py").write_text("def pay(a: int) -> int:\n    return a\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def checked() -> Checking:
    def go(folder: Path, **options: Any) -> Report:
        settings = {"history": False, "jobs": 1, **options}
        project = open_project(
            [str(folder)], here=folder, environment={}, options=settings, configuration=None, tell=print
        )
        try:
            return check(project, tell=print).report
        finally:
            project.store.close()

    return go


@pytest.fixture
def comparisons(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One entry for each time that facts were really compared."""
    counted: list[str] = []
    real = crossval.validate.cross_validate

    def counting(*arguments: Any, **words: Any) -> Any:
        counted.append("compared")
        return real(*arguments, **words)

    monkeypatch.setattr(crossval.validate, "cross_validate", counting)
    return counted


def same(report: Report) -> str:
    summary = msgspec.structs.replace(report.summary, seconds=0.0)
    return render(msgspec.structs.replace(report, summary=summary))


@pytest.mark.parametrize("example", ["bookshop", "library-cli"])
def test_an_unchanged_project_is_not_compared_again_and_says_the_same(
    tmp_path: Path, checked: Checking, comparisons: list[str], example: str
) -> None:
    project = tmp_path / "project"
    shutil.copytree(EXAMPLES / example, project, ignore=shutil.ignore_patterns(".crossfact"))
    first, again = checked(project), checked(project)
    assert first.findings == again.findings
    assert same(first) == same(again)
    assert comparisons == ["compared"]


def test_a_changed_file_is_compared_anew(shop: Path, checked: Checking, comparisons: list[str]) -> None:
    assert len(checked(shop).findings) == 1
    (shop / "pay.py").write_text("def pay(a: str) -> int:\n    return 1\n", encoding="utf-8")
    assert checked(shop).findings == ()
    assert len(comparisons) == 2


def test_what_only_becomes_unknown_is_compared_anew(shop: Path, checked: Checking) -> None:
    (shop / "send.pyi").write_text("def send() -> None: ...\n", encoding="utf-8")
    assert [finding.rule for finding in checked(shop).findings] == [
        "argument-type-mismatch",
        "module-not-implemented",
    ]
    (shop / "send.so").write_bytes(b"\x7fELF")
    assert [finding.rule for finding in checked(shop).findings] == ["argument-type-mismatch"]


def test_another_target_is_compared_anew(shop: Path, checked: Checking, comparisons: list[str]) -> None:
    code = "import sys\nif sys.version_info >= (3, 12):\n    def pay(a: str) -> int: ...\n"
    (shop / "pay.py").write_text(code, encoding="utf-8")
    assert checked(shop, python_version="3.12").findings == ()
    assert len(checked(shop, python_version="3.11").findings) == 1
    assert len(comparisons) == 2


def test_settings_that_choose_among_findings_need_no_comparison(
    shop: Path, checked: Checking, comparisons: list[str]
) -> None:
    assert len(checked(shop).findings) == 1
    assert checked(shop, ignore=["signatures"]).findings == ()
    assert len(comparisons) == 1


def test_a_changed_program_compares_anew(
    shop: Path, checked: Checking, comparisons: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    checked(shop)
    monkeypatch.setattr(comparing, "_built_in", lambda: "another")
    checked(shop)
    assert len(comparisons) == 2


def test_nothing_is_remembered_beside_rules_of_other_distributions(
    shop: Path, checked: Checking, comparisons: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "is_offered", lambda group: True)
    checked(shop)
    checked(shop)
    assert len(comparisons) == 2


def test_the_program_is_told_by_its_files(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    rule = tmp_path / "inner" / "rule.py"
    rule.write_text("one = 1\n", encoding="utf-8")
    before = list(comparing._files(str(tmp_path)))
    os.utime(rule, ns=(1, 1))
    assert list(comparing._files(str(tmp_path))) != before


def test_rules_that_are_loaded_late_are_named_as_the_rules_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    monkeypatch.setattr("sys.pycache_prefix", str(tmp_path))
    store = Store.open(None)
    try:
        late = comparing.known_rules(store)
        comparing._listed.cache_clear()
        assert comparing.known_rules(store) == late
    finally:
        comparing._listed.cache_clear()
        store.close()
    words = [(each.name, each.family, each.kind, each.severity, set(each.looks_at)) for each in late]
    assert words == [
        (each.name, each.family, each.kind, each.severity, set(each.looks_at)) for each in rules()
    ]
