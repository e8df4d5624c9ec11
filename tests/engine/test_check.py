"""What a check of a whole project, or of a part of it, reports and accepts."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands import crossfact, inside

Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def go(*arguments: str) -> Done:
        return inside(tmp_path, *arguments)

    return go


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Two modules, each of which takes another type than its stub says; one also returns another."""
    for name, result in (("pay", "int"), ("send", "str")):
        (tmp_path / f"{name}.pyi").write_text(f"def {name}(a: str) -> int: ...\n", encoding="utf-8")
        code = f"def {name}(a: int) -> {result}:\n    raise ValueError\n"
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
    return tmp_path


def reported(done: Done) -> list[tuple[str, str]]:
    return [(each["rule"], each["subject"]) for each in json.loads(done.stdout)["findings"]]


def accepted(shop: Path) -> list[str]:
    document = json.loads((shop / "crossfact-baseline.json").read_text(encoding="utf-8"))
    return [entry["rule"] for entry in document["findings"]]


@pytest.mark.parametrize("path", ["pay.py", "pay.pyi"])
def test_one_file_is_compared_with_the_rest_of_the_project(run: Run, shop: Path, path: str) -> None:
    done = run("check", path, "--format", "json")
    assert reported(done) == [("argument-type-mismatch", "function pay.pay")]


def test_a_narrowed_check_makes_the_store_forget_nothing(run: Run, shop: Path) -> None:
    before = run("facts").stdout
    run("check", "pay.py")
    assert run("facts", "--no-refresh").stdout == before


def test_a_narrowed_check_calls_nothing_elsewhere_gone(run: Run, shop: Path) -> None:
    run("baseline")
    assert run("check", "pay.py").stderr == ""
    assert "whole project" in run("baseline", "pay.py", "send.py").stderr


def test_a_check_by_some_rules_calls_nothing_of_others_gone(run: Run, shop: Path) -> None:
    run("baseline")
    assert run("check", "--select", "return-type-mismatch").stderr == ""


@pytest.mark.parametrize("mode", [(), ("--update",), ("--prune",)])
def test_a_baseline_by_some_rules_keeps_what_is_accepted_of_others(
    run: Run, shop: Path, mode: tuple[str, ...]
) -> None:
    run("baseline")
    before = accepted(shop)
    assert len(before) == 3
    run("baseline", *mode, "--select", "return-type-mismatch")
    assert accepted(shop) == before


def test_a_module_that_cannot_be_read_is_not_called_missing(run: Run, shop: Path) -> None:
    (shop / "pay.py").write_bytes(b"name = '\xe9'\n")
    done = run("check", "--format", "json", "--strict")
    assert {subject for _, subject in reported(done)} == {"function send.send"}
    unknown = json.loads(done.stdout)["unknown"]
    assert any(each["subject"] == "module pay" and "UTF-8" in each["reason"] for each in unknown)


def test_equal_runs_print_equal_text(shop: Path) -> None:
    assert crossfact(shop, "check").stdout == crossfact(shop, "check").stdout


def test_damage_inside_the_store_costs_the_store_only(run: Run, shop: Path) -> None:
    before = run("check").stdout
    with sqlite3.connect(shop / ".crossfact" / "facts.db") as connection:
        connection.execute("DROP TABLE symbol")
    connection.close()
    done = run("check")
    assert done.stdout == before
    assert "put aside as facts.db.damaged-1" in done.stderr
    assert run("check").stderr == ""


def test_a_wrong_word_in_a_setting_is_answered_with_the_right_ones(run: Run, shop: Path) -> None:
    done = run("check", "--severity", "return-type-mismatch=bad")
    assert done.returncode == 2
    assert "Use one of error, warning, note, off." in done.stderr


def test_what_is_left_out_is_named_where_nothing_else_is_left(run: Run, shop: Path) -> None:
    done = run("check", "--max-file-size", "3")
    assert "nothing to read (4 paths left out: pay.py" in done.stderr
    assert "(1 path left out: *.yaml no file matches" in run("check", "--spec", "*.yaml").stderr


def test_a_spec_that_could_not_be_read_is_named_where_nothing_is_to_compare(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pay.py").write_text("def pay() -> int:\n    return 1\n", encoding="utf-8")
    (tmp_path / "pay.pyi").write_bytes(b"def pay() -> \xff\xfeint: ...\n")
    done = run("check")
    assert done.returncode == 2
    assert "no specs found beside 2 facts of code" in done.stderr
    assert "(1 path left out: pay.pyi is not UTF-8" in done.stderr


def test_docstrings_are_specs_where_there_are_no_others(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pay.py").write_text('def pay(sum):\n    """Pay.\n\n    :param total: what\n    """\n')
    done = run("check")
    assert done.returncode == 0
    assert (
        "The docstring of function pay.pay describes parameter total, which the code does not take"
        in done.stdout
    )
    assert "no contracts, stubs, stories or features here" in done.stderr
    assert run("check", "--spec", "*.yaml").returncode == 2


def test_a_page_that_shows_python_is_no_spec_to_compare_with(run: Run, tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("def pay():\n    return 3\n", encoding="utf-8")
    (tmp_path / "README.md").write_text("```python\n>>> pay()\n3\n```\n", encoding="utf-8")
    done = run("check")
    assert done.returncode == 2
    assert "no specs found beside 2 facts of code in 2 files" in done.stderr


def test_without_a_command_the_help_is_shown(run: Run) -> None:
    done = run()
    assert done.returncode == 2
    assert done.stderr.startswith("Usage: crossfact")


def test_ids_with_spaces_need_no_quotes(run: Run, tmp_path: Path) -> None:
    answers = "responses: {'200': {description: b}}"
    contract = f"openapi: 3.0.3\ninfo: {{title: a, version: '1'}}\npaths: {{/a: {{get: {{{answers}}}}}}}\n"
    (tmp_path / "openapi.yaml").write_text(contract, encoding="utf-8")
    assert run("show", "spec:operation:GET", "/a").stdout.startswith("spec:operation:GET /a\n")
    assert "spec:response:GET /a#200" in run("neighbors", "GET", "/a").stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
def test_output_that_cannot_be_written_is_no_internal_error(shop: Path) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = crossfact(shop, "check", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert "cannot be written" in done.stderr


def test_services_whose_modules_share_a_name_are_not_called_incomplete(run: Run, tmp_path: Path) -> None:
    for name in ("orders", "users"):
        folder = tmp_path / name / "app"
        folder.mkdir(parents=True)
        (folder / "__init__.py").touch()
        route = f"@app.get('/{name}')\ndef answer() -> str:\n    return ''\n"
        (folder / "main.py").write_text(f"from fastapi import FastAPI\n\napp = FastAPI()\n{route}", "utf-8")
        contract = f"openapi: 3.0.3\ninfo: {{title: a, version: '1'}}\npaths:\n  /{name}:\n    get:\n"
        answer = "      responses: {'200': {description: ok}}\n"
        (tmp_path / name / "openapi.yaml").write_text(contract + answer, "utf-8")
    done = run("check")
    assert done.returncode == 0
    assert "users/app/main.py:1: it is the same module as orders/app/main.py" in done.stdout
    assert "Not compared" not in run("check", "users").stdout
    (tmp_path / "orders" / "app" / "main.py").unlink()
    assert reported(run("check", "--format", "json")) == [("operation-not-implemented", "GET /orders")]


def test_an_empty_store_says_how_to_fill_it(run: Run, shop: Path) -> None:
    done = run("facts", "--no-refresh")
    assert (done.returncode, done.stdout) == (0, "")
    assert "crossfact ingest" in done.stderr
