"""Several reports of one run, and where they go."""

from __future__ import annotations

import json
import stat
import subprocess
from pathlib import Path

import pytest

from tests.commands import crossfact, inside

Done = subprocess.CompletedProcess[str]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A module that takes another type than its stub says, and one whose difference is suppressed."""
    (tmp_path / "pay.pyi").write_text(
        "def pay(a: str) -> int: ...\ndef owe(a: str) -> int: ...\n", encoding="utf-8"
    )
    (tmp_path / "pay.py").write_text(
        "def pay(a: int) -> int:\n    return 1\n\n\n"
        "def owe(a: int) -> int:  # crossfact: ignore[argument-type-mismatch] the bank sends numbers\n    return 1\n",
        encoding="utf-8",
    )
    return tmp_path


def test_one_run_writes_each_form_to_the_file_behind_it_and_shows_the_one_without(shop: Path) -> None:
    """CF-6.1"""
    done = crossfact(
        shop, "check", "--format", "sarif", "--output", "a.sarif",
        "--format", "text", "--concise", "--output=b.txt", "--format", "ndjson",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "")
    assert json.loads((shop / "a.sarif").read_text("utf-8"))["runs"][0]["results"][0]["ruleId"] == (
        "argument-type-mismatch"
    )
    assert (shop / "b.txt").read_text("utf-8").startswith("pay.py:1: error[argument-type-mismatch]: ")
    assert [json.loads(line)["type"] for line in done.stdout.splitlines()] == ["finding", "summary"]


@pytest.mark.parametrize(
    "options",
    [("--output", "a.json", "--format", "json"), ("--format", "json", "--output", "a.json")],
)
def test_one_form_and_one_file_belong_together_in_either_order(shop: Path, options: tuple[str, ...]) -> None:
    assert inside(shop, "check", *options).stdout == ""
    assert json.loads((shop / "a.json").read_text("utf-8"))["version"] == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--output", "a", "--format", "json", "--format", "sarif"), "--output a belongs to no --format\n"),
        (
            ("--format", "json", "--output", "a", "--output", "b"),
            "--output b belongs to no --format: `json` goes to a already",
        ),
        (("--format", "json", "--format", "sarif"), "`json` and `sarif` would both go to standard output"),
        (
            ("--format", "json", "--output", "a", "--format", "sarif", "--output", "./a"),
            "`json` and `sarif` would both go to a",
        ),
        (("--format", "json", "--output", "no/a"), "no/a: cannot be written: there is no folder no"),
        (("--format", "json", "--output", "."), "cannot be written: it is a folder"),
        (("--format", "pdf"), "'pdf' is not one of"),
    ],
)
def test_what_cannot_be_meant_is_said_before_anything_is_read(
    shop: Path, options: tuple[str, ...], said: str
) -> None:
    done = inside(shop, "check", *options)
    assert done.returncode == 2
    assert said in done.stderr
    assert "help: " in done.stderr
    assert not (shop / ".crossfact").exists()


def test_a_file_is_replaced_as_a_whole_and_keeps_its_rights_and_its_link(shop: Path) -> None:
    folder = shop / "reports"
    folder.mkdir()
    real = folder / "real.json"
    real.write_text("old", encoding="utf-8")
    real.chmod(0o640)
    (shop / "link.json").symlink_to(real)
    inside(shop, "check", "--format", "json", "--output", "link.json")
    assert (shop / "link.json").is_symlink()
    assert json.loads(real.read_text("utf-8"))["version"] == 1
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert [each.name for each in folder.iterdir()] == ["real.json"]


def test_a_device_is_written_to_and_stays_a_device(shop: Path) -> None:
    assert inside(shop, "check", "--format", "json", "--output", "/dev/null").returncode == 1
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    assert json.loads(inside(shop, "check", "--format", "json", "--output", "-").stdout)["version"] == 1


def test_reports_are_not_read_as_sources_of_the_next_run(shop: Path) -> None:
    every = ("json", "ndjson", "sarif", "markdown", "github", "gitlab", "junit")
    pairs = [part for form in every for part in ("--format", form, "--output", f"report.{form}.md")]
    before = inside(shop, "check", "--format", "json").stdout
    inside(shop, "check", *pairs)
    after = inside(shop, "check", "--format", "json").stdout
    assert json.loads(after)["findings"] == json.loads(before)["findings"]
    assert json.loads(after)["summary"]["facts"] == json.loads(before)["summary"]["facts"]


def test_what_is_suppressed_is_shown_with_its_reason_where_that_is_asked_for(shop: Path) -> None:
    assert "the bank sends numbers" not in inside(shop, "check").stdout
    assert "pay.py:5: the bank sends numbers" in inside(shop, "check", "--show-suppressed").stdout
    inside(shop, "baseline")
    results = json.loads(inside(shop, "check", "--show-suppressed", "--format", "sarif").stdout)["runs"][0][
        "results"
    ]
    assert sorted(each["suppressions"][0]["kind"] for each in results) == ["external", "inSource"]


def test_a_project_below_the_top_of_its_repository_names_files_from_the_top(shop: Path) -> None:
    below = shop / "services"
    below.mkdir()
    for name in ("pay.py", "pay.pyi"):
        (shop / name).rename(below / name)
    subprocess.run(["git", "init", "-q"], cwd=shop, check=True)
    assert inside(shop, "check", "services", "--format", "github").stdout.startswith(
        "::error file=services/pay.py,"
    )
    assert inside(shop, "check", "services", "--concise").stdout.startswith("pay.py:1: ")


def test_a_difference_goes_to_files_too(shop: Path) -> None:
    inside(shop, "ingest")
    done = inside(shop, "diff", "--format", "markdown", "--output", "d.md", "--format", "json")
    assert json.loads(done.stdout)["facts"]
    assert (shop / "d.md").read_text("utf-8").startswith("### crossfact: ")


def test_the_matrix_of_all_stories_is_a_table_for_spreadsheets(shop: Path) -> None:
    story = "# Pay\n## US-1 Pay\nAs a customer I want to pay so that I own.\n\n### Acceptance criteria\n"
    story += "- US-1.1 Paying works.\n"
    (shop / "stories.md").write_text(story, encoding="utf-8")
    (shop / "test_pay.py").write_text(
        'from pay import pay\n\n\ndef test_pay():\n    """US-1.1"""\n    assert pay(1) == 1\n',
        encoding="utf-8",
    )
    done = inside(shop, "trace", "--format", "csv", "--output", "m.csv", "--format", "json")
    assert done.returncode == 0, done.stderr
    (thread,) = json.loads(done.stdout)
    assert thread["fact"]["id"] == "spec:story:US-1"
    lines = (shop / "m.csv").read_text("utf-8").splitlines()
    assert lines[0].startswith('"story","criterion","text"')
    assert all(line.startswith('"US-1","US-1.1","Paying works.","stories.md:6"') for line in lines[1:])
    assert any("test:test:test_pay.py::test_pay" in line for line in lines[1:])
    assert json.loads(inside(shop, "trace", "US-1", "--json").stdout)["fact"]["id"] == "spec:story:US-1"
