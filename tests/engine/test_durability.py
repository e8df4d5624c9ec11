"""A kill at any moment loses nothing that was published, and several runs at once do not disturb each other."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "crossfact", *arguments]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def facts(project: Path, store: Path) -> str:
    arguments = command("facts", "--project", str(project), "--store", str(store), "--no-history", "--json")
    return subprocess.run(arguments, env=environment(), capture_output=True, text=True, check=True).stdout


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    body = "".join(f"def f{n}(a: int = {n}) -> int:\n    return f{n}(a)\n\n\n" for n in range(60))
    for number in range(120):
        (folder / f"m{number}.py").write_text(f"import m{number - 1}\n\n\n{body}", encoding="utf-8")
    return folder


def test_a_killed_run_is_resumed_to_the_same_facts(project: Path, tmp_path: Path) -> None:
    expected = facts(project, tmp_path / "whole.db")
    store = tmp_path / "killed.db"
    killed = 0
    for delay in (0.15, 0.2, 0.25, 0.3, 0.35, 0.4):
        arguments = command("ingest", str(project), "--store", str(store), "--no-history", "--jobs", "1")
        child = subprocess.Popen(
            arguments, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(delay)  # the moment of the kill, not a wait for something
        child.send_signal(signal.SIGKILL)
        killed += child.wait() == -signal.SIGKILL
        if store.exists():
            with sqlite3.connect(store) as connection:
                assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            connection.close()
    assert killed > 0
    assert facts(project, store) == expected


def test_runs_at_the_same_time_all_end_well(project: Path, tmp_path: Path) -> None:
    expected = facts(project, tmp_path / "whole.db")
    store = tmp_path / "shared.db"
    arguments = command("ingest", str(project), "--store", str(store), "--no-history")
    children = [
        subprocess.Popen(
            arguments, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    for child in children:
        _, said = child.communicate(timeout=60)
        assert child.returncode == 0, said
        assert "locked" not in said
    assert facts(project, store) == expected
