"""`check --since`: what a change adds, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import crossfact, git, inside
from tests.engine.test_diff import CODE, STUB


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository whose main branch disagrees with a stub already; a branch of it is checked out."""
    for name in ("old", "new"):
        (tmp_path / f"{name}.pyi").write_text(STUB, encoding="utf-8")
    (tmp_path / "old.py").write_text(CODE.format(2), encoding="utf-8")
    (tmp_path / "new.py").write_text(CODE.format(1), encoding="utf-8")
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "First")
    git(tmp_path, "checkout", "-q", "-b", "change")
    return tmp_path


def found(shop: Path, *arguments: str) -> list[str]:
    done = inside(shop, "check", "--format", "json", *arguments)
    assert done.returncode in (0, 1), done.stderr
    return [each["subject"] for each in json.loads(done.stdout)["findings"]]


def test_only_what_the_change_adds_is_reported_and_fails(shop: Path) -> None:
    """CF-6.2"""
    assert found(shop) == ["function old.pay"]
    unchanged = crossfact(shop, "check", "--since", "main")
    assert unchanged.returncode == 0
    assert "Since main: only what was added is shown; 0 findings removed, 1 stayed" in unchanged.stdout
    (shop / "new.py").write_text("\n\n" + CODE.format(3), encoding="utf-8")
    assert found(shop, "--since", "main") == ["function new.pay"]
    assert inside(shop, "check", "--since", "main").returncode == 1
    assert inside(shop, "check", "--since", "main", "--fail-on", "never").returncode == 0


def test_what_the_change_mends_is_counted(shop: Path) -> None:
    (shop / "old.py").write_text(CODE.format(1), encoding="utf-8")
    done = inside(shop, "check", "--since", "main")
    assert "1 finding removed, 0 stayed" in done.stdout


def test_moved_lines_and_a_renamed_file_beside_it_add_nothing(shop: Path) -> None:
    (shop / "old.py").write_text("# a comment\n\n" + CODE.format(2), encoding="utf-8")
    assert found(shop, "--since", "main") == []


def test_what_others_did_to_the_branch_meanwhile_counts_for_nothing(shop: Path) -> None:
    git(shop, "checkout", "-q", "main")
    (shop / "old.py").write_text(CODE.format(1), encoding="utf-8")
    git(shop, "commit", "-qam", "Mended on main")
    git(shop, "checkout", "-q", "change")
    assert found(shop, "--since", "main") == []


def test_a_suppression_that_is_taken_away_adds_its_finding(shop: Path) -> None:
    suppressed = CODE.format(2).replace(
        ":\n", ":  # crossfact: ignore[argument-default-mismatch] agreed\n", 1
    )
    (shop / "old.py").write_text(suppressed, encoding="utf-8")
    git(shop, "commit", "-qam", "Suppressed")
    assert found(shop, "--since", "HEAD") == []
    (shop / "old.py").write_text(CODE.format(2), encoding="utf-8")
    assert found(shop, "--since", "HEAD") == ["function old.pay"]


def test_an_accepted_finding_stays_accepted(shop: Path) -> None:
    (shop / "new.py").write_text(CODE.format(3), encoding="utf-8")
    inside(shop, "baseline")
    assert found(shop, "--since", "main") == []


def test_paths_narrow_what_is_counted_too(shop: Path) -> None:
    (shop / "new.py").write_text(CODE.format(3), encoding="utf-8")
    assert found(shop, "--since", "main", "old.py", "old.pyi") == []
    done = inside(shop, "check", "--since", "main", "new.py", "new.pyi")
    assert "0 findings removed, 0 stayed" in done.stdout


def test_the_store_is_left_as_it_was_and_the_second_run_compares_nothing(shop: Path) -> None:
    inside(shop, "ingest")
    before = inside(shop, "facts", "--no-refresh").stdout
    first = inside(shop, "check", "--since", "main").stdout
    assert inside(shop, "facts", "--no-refresh").stdout == before
    assert inside(shop, "check", "--since", "main").stdout == first


@pytest.mark.parametrize(
    ("revision", "said"), [("nope", "git knows no revision nope"), ("-q", "git knows no revision -q")]
)
def test_an_unknown_revision_is_said(shop: Path, revision: str, said: str) -> None:
    done = inside(shop, "check", f"--since={revision}")
    assert done.returncode == 2
    assert said in done.stderr


def test_a_shallow_clone_is_told_how_to_get_what_is_missing(
    shop: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (shop / "new.py").write_text(CODE.format(3), encoding="utf-8")
    git(shop, "commit", "-qam", "Second")
    clone = tmp_path_factory.mktemp("clone") / "shop"
    git(shop.parent, "clone", "-q", "--depth", "1", f"file://{shop}", str(clone))
    done = inside(clone, "check", "--since", "main")
    assert done.returncode == 2
    assert "fetch-depth: 0" in done.stderr


def test_without_a_repository_it_is_a_wrong_use(tmp_path: Path) -> None:
    (tmp_path / "a.pyi").write_text(STUB, encoding="utf-8")
    done = inside(tmp_path, "check", "--since", "main")
    assert done.returncode == 2
    assert "lies in no git repository" in done.stderr


def test_what_a_sub_module_has_is_compared_with_the_commit_that_was_pinned(
    shop: Path, tmp_path: Path
) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    git(whole, "init", "-q", "-b", "main")
    git(whole, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(shop), "part")
    git(whole, "commit", "-qm", "First")
    assert found(whole) == ["function part.old.pay"]
    assert found(whole, "--since", "main") == []
    (whole / "part" / "new.py").write_text(CODE.format(3), encoding="utf-8")
    assert found(whole, "--since", "main") == ["function part.new.pay"]
