"""`check --watch`: every change is checked again, and nothing else is."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.running.watching import snapshot, wait_for_change
from tests.commands import surroundings
from tests.interrupting import heed_interrupts

WAITING = "crossfact: waiting for a change; Ctrl-C ends"
CODE = "def pay(a: {}) -> int:\n    return 1\n"


class Watched:
    """A watching check whose lines, of both streams, are read as they come."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-u", "-m", "crossfact", "check", "--watch", "--concise", *arguments],
            cwd=folder,
            env=surroundings(),
            preexec_fn=heed_interrupts,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self.process.stdout or ():
            self._lines.put(line.rstrip("\n"))

    def end(self) -> None:
        """Kill it, if it still runs."""
        self.process.kill()
        self.process.wait()
        self._reader.join()
        if self.process.stdout:
            self.process.stdout.close()

    def until_waiting(self) -> list[str]:
        """The lines up to the next time that it waits."""
        lines = []
        while (line := self._lines.get(timeout=60)) != WAITING:
            lines.append(line)
        return lines


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "pay.pyi").write_text("def pay(a: str) -> int: ...\n", encoding="utf-8")
    (tmp_path / "pay.py").write_text(CODE.format("int"), encoding="utf-8")
    return tmp_path


@pytest.fixture
def watched(shop: Path) -> Iterator[Watched]:
    started = Watched(shop, "--format", "text", "--format", "json", "--output", "report.json")
    yield started
    started.end()


def test_each_save_is_checked_and_ctrl_c_ends_with_the_last_code(shop: Path, watched: Watched) -> None:
    assert watched.until_waiting()[0].startswith("pay.py:1: error[argument-type-mismatch]: ")
    (shop / "pay.py").write_text(CODE.format("str"), encoding="utf-8")
    told = watched.until_waiting()
    assert told[0] == "crossfact: pay.py changed"
    assert told[1].startswith("No disagreement found"), (
        "neither the cache nor the report that it writes is a change"
    )
    (shop / "crossfact.toml").write_text("fail-on = 3\n", encoding="utf-8")
    told = watched.until_waiting()
    assert "crossfact: error: " in "\n".join(told), "half a file does not end it"
    (shop / "crossfact.toml").write_text("strict = true\n", encoding="utf-8")
    (shop / "pay.py").write_text(CODE.format("bytes"), encoding="utf-8")
    while not any("argument-type-mismatch" in line for line in told):
        told = watched.until_waiting()
    watched.process.send_signal(signal.SIGINT)
    assert watched.process.wait(timeout=60) == 1


def test_a_look_sees_what_came_went_and_changed_and_passes_over_what_is_left_out(tmp_path: Path) -> None:
    for name in (
        "a.py",
        "b.md",
        "c.yaml",
        "own.json",
        "state.yaml",
        "picture.png",
        ".hidden/x.py",
        "build/y.py",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("1", encoding="utf-8")
    own = frozenset({"state.yaml", str(tmp_path / "own.json")})
    before = snapshot(tmp_path, own)
    assert sorted(Path(path).name for path in before) == ["a.py", "b.md", "c.yaml"]

    pauses: list[float] = []

    def change(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 2:
            (tmp_path / "a.py").write_text("22", encoding="utf-8")
            (tmp_path / "b.md").unlink()
            (tmp_path / "new").mkdir()
            (tmp_path / "new" / "d.pyi").write_text("", encoding="utf-8")
            (tmp_path / "own.json").write_text("22", encoding="utf-8")

    assert wait_for_change(tmp_path, before, own, change) == ["a.py", "b.md", os.path.join("new", "d.pyi")]  # noqa: PTH118
    assert len(pauses) == 2
    assert all(0.1 <= pause < 5 for pause in pauses)
