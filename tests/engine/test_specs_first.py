"""Specs before any code: the tests are written at once, and meet the application wherever it comes to lie."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.commands import inside

ROOT = Path(__file__).parent.parent.parent
FLASK = """\
from flask import Flask

site = Flask(__name__)


@site.get("/prices")
def prices():
    return {"amount": 1}
"""
CONTRACT = """\
openapi: 3.1.0
info: {title: Shop, version: '1'}
paths:
  /prices:
    get:
      responses:
        '200':
          description: All prices
          content: {application/json: {schema: {type: object, required: [amount]}}}
"""


def test_an_example_of_specs_alone_needs_no_setting_before_its_code_and_none_after(tmp_path: Path) -> None:
    specs = tmp_path / "todo"
    shutil.copytree(ROOT / "specs_examples/todo-tdd/specs", specs / "specs")
    first = inside(specs, "go")
    assert "39 tests ran: 39 RED_EXPECTED" in first.stdout, first.stdout + first.stderr
    assert "there is no application yet" in first.stdout

    shutil.copytree(ROOT / "benchmarks/tdd/todo", specs / "todo", ignore=shutil.ignore_patterns("mutants.py"))
    before = {file.name: file.read_text("utf-8") for file in (specs / "tests/crossfact").glob("test_*.py")}
    done = inside(specs, "run")
    assert "39 tests ran: 39 PASSED" in done.stdout, done.stdout + done.stderr
    assert "the application is todo.main:app now: tests/crossfact/conftest.py says so" in done.stderr
    after = {file.name: file.read_text("utf-8") for file in (specs / "tests/crossfact").glob("test_*.py")}
    assert after == before


def test_a_run_follows_the_application_to_another_framework_but_not_into_a_conftest_of_a_person(
    tmp_path: Path,
) -> None:
    (tmp_path / "openapi.yaml").write_text(CONTRACT, "utf-8")
    inside(tmp_path, "go", "--app", "shop:site")
    conftest = tmp_path / "tests/crossfact/conftest.py"
    assert "starlette" in conftest.read_text("utf-8")

    (tmp_path / "shop.py").write_text(FLASK, "utf-8")
    done = inside(tmp_path, "run")
    assert "the application is shop:site now" in done.stderr, done.stdout + done.stderr
    text = conftest.read_text("utf-8")
    assert "test_client()" in text

    mine = "# Mine.\n" + text.partition("\n")[2]
    conftest.write_text(mine, "utf-8")
    (tmp_path / "shop.py").rename(tmp_path / "store.py")
    told = inside(tmp_path, "run")
    assert "the application is" not in told.stderr
    assert conftest.read_text("utf-8") == mine
