"""Times `crossfact run` on 200 tests beside plain pytest on the same files, in turns, and prints the ratio.

`python -m benchmarks.running.run`; the tests are in ten files, half of them call a FastAPI application where that is
installed, the others functions. Medians of ROUNDS rounds; wall-clock seconds of whole commands.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from planner.cases import Case, Layer, Status, Technique
from planner.checklist import FILE, Checklist, save

ROUNDS = 5
FILES = 10
TESTS = 20
_APP = """\
from fastapi import FastAPI

app = FastAPI()


@app.get("/double/{number}")
def double(number: int) -> int:
    return number * 2
"""
_CONFTEST = """\
import pytest


@pytest.fixture
def client():
    from starlette.testclient import TestClient

    from shop import app

    with TestClient(app) as client:
        yield client
"""
_BY_REQUEST = (
    "def test_{name}(client):\n    assert client.get('/double/{number}').json() == {number} * 2\n\n\n"
)
_BY_CALL = (
    "def test_{name}():\n    from plain import double\n\n    assert double({number}) == {number} * 2\n\n\n"
)


def make(root: Path) -> list[str]:
    """Write the project with its checklist, and give the files of tests."""
    folder = root / "tests" / "crossfact"
    folder.mkdir(parents=True)
    web = find_spec("fastapi") is not None and find_spec("httpx") is not None
    (root / "plain.py").write_text("def double(number):\n    return number * 2\n", encoding="utf-8")
    if web:
        (root / "shop.py").write_text(_APP, encoding="utf-8")
        (folder / "conftest.py").write_text(_CONFTEST, encoding="utf-8")
    cases, files = [], []
    for file in range(FILES):
        path = f"tests/crossfact/test_{file}.py"
        files.append(path)
        text = ""
        for number in range(TESTS):
            name = f"{file}_{number}"
            text += (_BY_REQUEST if web and file % 2 else _BY_CALL).format(name=name, number=number)
            cases.append(
                Case(
                    id=f"case-{name}",
                    description=f"doubles {number}",
                    subject="function plain.double",
                    aspect="returns",
                    technique=Technique.RETURNS,
                    layer=Layer.UNIT,
                    cites=(),
                    status=Status.GENERATED,
                    node=f"{path}::test_{name}",
                    priority=float(number),
                )
            )
        (root / path).write_text(text, encoding="utf-8")
    (root / ".crossfact").mkdir()
    save(root / FILE, Checklist(), cases)
    return files


def timed(command: list[str], root: Path) -> float:
    """The seconds that a command takes; it has to succeed."""
    home = str(Path(__file__).parent.parent.parent)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((home, str(root)))}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    begun = time.perf_counter()
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
    seconds = time.perf_counter() - begun
    assert done.returncode == 0, done.stdout + done.stderr
    assert "200 passed" in done.stdout or "200 PASSED" in done.stdout, done.stdout + done.stderr
    return seconds


def main() -> None:
    """Print the medians and the ratios."""
    with tempfile.TemporaryDirectory(prefix="crossfact-running-") as folder:
        root = Path(folder)
        files = make(root)
        plain = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *files]
        ours: Callable[[str], list[str]] = lambda level: [  # noqa: E731 (a command with one word open)
            *(sys.executable, "-m", "crossfact", "run", "--all", "--no-history", "--sandbox", level)
        ]
        commands = {"pytest": plain, "crossfact limits": ours("limits")}
        from engine.running.bubblewrap import probe

        if probe()[0]:
            commands["crossfact strict"] = ours("strict")
        taken: dict[str, list[float]] = {name: [] for name in commands}
        for turn in range(ROUNDS + 1):
            for name, command in commands.items():
                seconds = timed(command, root)
                if turn:  # the first turn fills caches
                    taken[name].append(seconds)
        base = statistics.median(taken["pytest"])
        for name, seconds_taken in taken.items():
            median = statistics.median(seconds_taken)
            print(f"{name:18} {median:6.2f} s  {median / base:5.2f} times plain pytest")


if __name__ == "__main__":
    main()
