"""The command line as a user meets it: messages, exit codes, and no traceback whatever the input."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.project import locate
from tests.commands import crossfact, surroundings

Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]

CONTRACT = """\
openapi: 3.1.0
info: {title: Shop, version: '1'}
paths:
  /books:
    get:
      responses:
        '200': {description: All books}
"""
STUB = "def pay(amount: int = 1) -> int: ...\n"
CODE = "def pay(amount: int = 2) -> int:\n    return amount\n"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def go(*arguments: str, hash_seed: str = "0", **environment: str) -> Done:
        child = surroundings(PYTHONHASHSEED=hash_seed, **environment)
        return crossfact(tmp_path, *arguments, environment=child)

    return go


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "shop.pyi").write_text(STUB, encoding="utf-8")
    (tmp_path / "shop.py").write_text(CODE, encoding="utf-8")
    return tmp_path


def clean(done: Done, code: int, *words: str) -> None:
    """The run ended with this code, said these words on standard error, and showed no traceback."""
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    for word in words:
        assert word in done.stderr, done.stderr


def findings(done: Done) -> list[dict[str, object]]:
    loaded = json.loads(done.stdout)["findings"]
    assert isinstance(loaded, list)
    return loaded


def test_a_disagreement_is_found_with_both_lines(run: Run, shop: Path) -> None:
    """CF-1.1"""
    done = run("check", "--format", "json")
    clean(done, 1)
    (finding,) = findings(done)
    assert finding["rule"] == "argument-default-mismatch"
    assert finding["spec"]["path"] == "shop.pyi"  # type: ignore[index]
    assert finding["code"]["path"] == "shop.py"  # type: ignore[index]


def test_fail_on_decides_the_exit_code(run: Run, shop: Path) -> None:
    """CF-1.2"""
    clean(run("check", "--fail-on", "never"), 0)
    clean(run("check", CROSSFACT_FAIL_ON="never"), 0)


def test_a_path_that_does_not_exist(run: Run) -> None:
    """CF-2.1"""
    clean(run("check", "nowhere"), 2, "nowhere", "no such file or folder")


def test_a_path_outside_the_project(run: Run, shop: Path) -> None:
    clean(run("check", "shop.py", "../elsewhere.py"), 2, "../elsewhere.py")


def test_an_unknown_option_and_an_unknown_command(run: Run) -> None:
    clean(run("check", "--fial-on", "x"), 2, "--fial-on")
    clean(run("chek"), 2, "Did you mean 'check'?")


def test_an_empty_project(run: Run) -> None:
    clean(run("check"), 2, "nothing to read")


def test_code_without_specs_says_where_it_looked(run: Run, tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(CODE, encoding="utf-8")
    clean(run("check"), 2, "no specs found", ".pyi", "--spec")


def test_specs_without_code_are_gaps(run: Run, tmp_path: Path) -> None:
    (tmp_path / "shop.pyi").write_text(STUB, encoding="utf-8")
    (tmp_path / "openapi.yaml").write_text(CONTRACT, encoding="utf-8")
    done = run("check", "--format", "json")
    clean(done, 1)
    assert {finding["kind"] for finding in findings(done)} == {"gap"}


def test_an_invalid_yaml_contract_is_a_defect_and_the_rest_is_compared(run: Run, shop: Path) -> None:
    """CF-2.2"""
    (shop / "openapi.yaml").write_text("openapi: 3.1.0\npaths:\n  /a: [\n", encoding="utf-8")
    done = run("check", "--format", "json")
    clean(done, 1)
    by_rule = {finding["rule"]: finding for finding in findings(done)}
    assert set(by_rule) == {"contract-unreadable", "argument-default-mismatch"}
    assert by_rule["contract-unreadable"]["severity"] == "error"
    assert by_rule["contract-unreadable"]["spec"]["path"] == "openapi.yaml"  # type: ignore[index]


def test_an_invalid_contract_is_a_defect_with_its_line(run: Run, tmp_path: Path) -> None:
    broken = CONTRACT.replace("'200': {description: All books}", "'200': {}")
    (tmp_path / "openapi.yaml").write_text(broken, encoding="utf-8")
    done = run("check", "--format", "json", "--select", "contract-invalid")
    clean(done, 1)
    (finding,) = findings(done)
    assert finding["kind"] == "defect"
    assert finding["spec"]["line"] == 7  # type: ignore[index]


def test_source_that_is_not_utf_8_is_skipped_with_its_line(run: Run, shop: Path) -> None:
    (shop / "latin.py").write_bytes(b"a = 1\nname = '\xe9'\n")
    done = run("check", "--format", "json")
    clean(done, 1)
    (skipped,) = json.loads(done.stdout)["skipped"]
    assert (skipped["path"], skipped["line"]) == ("latin.py", 2)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_read_permission_is_skipped(run: Run, shop: Path) -> None:
    (shop / "secret.py").write_text("x = 1\n", encoding="utf-8")
    (shop / "secret.py").chmod(0)
    done = run("check", "--format", "json")
    clean(done, 1)
    assert [each["path"] for each in json.loads(done.stdout)["skipped"]] == ["secret.py"]


def test_a_syntax_error_is_one_warning_and_healthy_parts_are_read(run: Run, shop: Path) -> None:
    (shop / "shop.py").write_text(CODE + "\n\ndef broken(:\n    pass\n", encoding="utf-8")
    done = run("check", "--format", "json")
    clean(done, 1)
    rules = sorted((str(finding["rule"]), str(finding["severity"])) for finding in findings(done))
    assert rules == [("argument-default-mismatch", "error"), ("source-syntax-error", "warning")]


def test_an_unknown_setting_names_the_nearest(run: Run, shop: Path) -> None:
    (shop / "crossfact.toml").write_text("fail-one = 'error'\n", encoding="utf-8")
    clean(run("check"), 2, "crossfact.toml", "fail_one", "Did you mean `fail_on`?")


def test_a_configuration_that_is_no_toml(run: Run, shop: Path) -> None:
    (shop / "crossfact.toml").write_text("fail-on = \n", encoding="utf-8")
    clean(run("check"), 2, "crossfact.toml", "line 1")


def test_a_damaged_store_is_put_aside_and_made_anew(run: Run, shop: Path) -> None:
    """CF-2.3"""
    run("check")
    (shop / ".crossfact" / "facts.db").write_bytes(b"rubbish" * 1000)
    done = run("check", "--format", "json")
    clean(done, 1, "was damaged")
    assert len(findings(done)) == 1
    assert (shop / ".crossfact" / "facts.db.damaged-1").exists()


def test_a_store_that_cannot_be_made_is_kept_in_memory(run: Run, shop: Path) -> None:
    (shop / ".crossfact").write_text("a file where the folder should be", encoding="utf-8")
    done = run("check", "--format", "json")
    clean(done, 1, "in memory")


def test_two_runs_print_the_same_bytes(run: Run, shop: Path) -> None:
    (shop / "openapi.yaml").write_text(CONTRACT, encoding="utf-8")
    outputs = set()
    for seed, locale in (("0", "C"), ("1", "C.UTF-8"), ("2", "POSIX")):
        for _ in range(2):
            done = run("check", "--format", "json", hash_seed=seed, LC_ALL=locale)
            outputs.add("\n".join(line for line in done.stdout.splitlines() if '"seconds"' not in line))
        run("check", "shop.py", "shop.pyi", hash_seed=seed)
        for file in (shop / ".crossfact").iterdir():
            file.unlink()
    assert len(outputs) == 1


def test_a_file_below_a_folder_that_is_no_project_is_checked_with_its_own(tmp_path: Path) -> None:
    above, shop = tmp_path.resolve(), tmp_path.resolve() / "shop"
    shop.mkdir()
    for file in (above / "other.py", shop / "shop.py", shop / "pyproject.toml"):
        file.touch()
    assert locate(["shop/shop.py"], above) == (shop, ("shop.py",))
    assert locate(["shop/shop.py", "other.py"], above) == (above, ("shop/shop.py", "other.py"))
    (above / "pyproject.toml").touch()
    assert locate(["shop/shop.py"], above) == (above, ("shop/shop.py",))


def test_a_narrowed_run_reports_only_what_was_named(run: Run, shop: Path) -> None:
    (shop / "other.pyi").write_text(STUB, encoding="utf-8")
    done = run("check", "shop.py", "shop.pyi", "--format", "json")
    assert [finding["subject"] for finding in findings(done)] == ["function shop.pay"]


def test_a_baseline_hides_what_was_accepted_until_it_changes(run: Run, shop: Path) -> None:
    """CF-4.1"""
    clean(run("baseline"), 0)
    clean(run("check"), 0)
    (shop / "shop.py").write_text("\n\n" + CODE, encoding="utf-8")
    clean(run("check"), 0)
    (shop / "shop.py").write_text(CODE.replace("2", "3"), encoding="utf-8")
    clean(run("check"), 1)
    clean(run("baseline", "--prune"), 0)
    assert json.loads((shop / "crossfact-baseline.json").read_text(encoding="utf-8"))["findings"] == []


def test_an_unknown_id_suggests_the_nearest(run: Run, shop: Path) -> None:
    clean(run("show", "code:function:shop.pya"), 2, "code:function:shop.pay")


def test_show_prints_aspects_source_and_relations(run: Run, shop: Path) -> None:
    done = run("show", "code:function:shop.pay")
    clean(done, 0)
    assert "def pay(amount: int = 2) -> int:" in done.stdout
    assert "code:module:shop contains code:function:shop.pay" in done.stdout
    document = json.loads(run("show", "code:function:shop.pay", "--json").stdout)
    assert document["source"] == {"path": "shop.py", "line": 1, "end_line": 2}


def test_facts_are_filtered(run: Run, shop: Path) -> None:
    done = run("facts", "--kind", "function", "--tag", "spec", "--name", "*pay", "--path", "*.pyi", "--json")
    assert [fact["id"] for fact in json.loads(done.stdout)] == ["spec:function:shop.pay"]


def test_neighbors_and_path_follow_relations(run: Run, shop: Path) -> None:
    (shop / "till.py").write_text(
        "from shop import pay\n\n\ndef ring() -> int:\n    return pay()\n", encoding="utf-8"
    )
    done = run("neighbors", "code:function:till.ring", "--verb", "calls", "--json")
    assert [each["fact"]["id"] for each in json.loads(done.stdout)] == ["code:function:shop.pay"]
    # The file alone does not tell what `pay` is; the whole project does.
    assert "ring calls code:function:shop.pay\n" in run("show", "code:function:till.ring").stdout
    done = run("path", "code:module:till", "code:module:shop", "--json")
    clean(done, 0)
    assert json.loads(done.stdout)[-1]["fact"]["id"] == "code:module:shop"


def test_stats_counts_facts_and_relations(run: Run, shop: Path) -> None:
    document = json.loads(run("stats", "--json").stdout)
    assert document["facts"]["spec"]["function"] == 1
    assert document["facts"]["code"]["function"] == 1


def test_rules_and_explain(run: Run) -> None:
    names = [rule["name"] for rule in json.loads(run("rules", "--json").stdout)]
    assert "response-undeclared" in names
    done = run("explain", "response-undeclared")
    assert "Why it matters" in done.stdout
    clean(run("explain", "response-undeclard"), 2, "response-undeclared")


def test_file_names_and_texts_that_steer_a_terminal_are_shown_harmless(run: Run, shop: Path) -> None:
    (shop / "evil\x1b[2J.pyi").write_text("def f(a: int = '\x1b]0;x\x07') -> int: ...\n", encoding="utf-8")
    (shop / "evil\x1b[2J.py").write_text("def f(a: int = 3) -> int:\n    return a\n", encoding="utf-8")
    for arguments in (("check",), ("check", "--format", "json"), ("facts",), ("facts", "--json")):
        done = run(*arguments)
        assert "\x1b" not in done.stdout + done.stderr
        assert "\x07" not in done.stdout + done.stderr


def test_a_report_goes_to_a_file(run: Run, shop: Path) -> None:
    done = run("check", "--format", "json", "--output", "report.json")
    assert done.stdout == ""
    assert json.loads((shop / "report.json").read_text(encoding="utf-8"))["version"] == 1


def test_a_report_that_cannot_be_written(run: Run, shop: Path) -> None:
    clean(run("check", "--output", "no/such/folder/report.txt"), 2, "no/such/folder/report.txt")
