"""The real command on each example gives the whole report that lies beside it, and what its README says."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.commands import crossfact

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "specs_examples"
NAMES = ("bookshop", "claims-shop", "clean", "library-cli", "todo-tdd")
EXIT_CODES = {"bookshop": 1, "claims-shop": 1, "clean": 0, "library-cli": 1, "todo-tdd": 1}


def check(name: str, store: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return crossfact(ROOT, "check", str(EXAMPLES / name), "--store", str(store), *arguments)


@pytest.fixture(scope="module", params=NAMES)
def example(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Any, str]:
    """An example's name, its report in JSON and as text."""
    name: str = request.param
    store = tmp_path_factory.mktemp(name) / "facts.db"
    as_json = check(name, store, "--format", "json")
    assert as_json.returncode == EXIT_CODES[name], as_json.stderr
    as_text = check(name, store)
    return name, json.loads(as_json.stdout), re.sub(r"in \d+\.\d+ s", "in 0.00 s", as_text.stdout)


def test_the_whole_report_is_as_expected(example: tuple[str, Any, str], update: bool) -> None:
    name, report, text = example
    report["summary"]["seconds"] = 0.0
    rendered = json.dumps(report, indent=2, ensure_ascii=False) + "\n"
    expected = EXAMPLES / name / "expected"
    if update:
        expected.mkdir(exist_ok=True)
        (expected / "report.json").write_text(rendered, encoding="utf-8")
        (expected / "report.txt").write_text(text, encoding="utf-8")
    assert rendered == (expected / "report.json").read_text(encoding="utf-8")
    assert text == (expected / "report.txt").read_text(encoding="utf-8")


def test_the_report_keeps_the_published_schema(example: tuple[str, Any, str]) -> None:
    schema = json.loads((ROOT / "docs" / "check.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(example[1], schema)


def test_what_was_planted_is_what_is_found(example: tuple[str, Any, str]) -> None:
    name, report, _ = example
    readme = (EXAMPLES / name / "README.md").read_text(encoding="utf-8")
    planted = re.findall(r"^\| *\d+ \|.*\| `([a-z-]+)` *\|$", readme, re.MULTILINE)
    assert sorted(finding["rule"] for finding in report["findings"]) == sorted(planted) or name == "todo-tdd"
    for finding in report["findings"]:
        if finding["code"] and finding["spec"]:
            place = f"{finding['spec']['path']}:{finding['spec']['line']}"
            assert place in readme, place
