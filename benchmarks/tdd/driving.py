"""Runs a driver in an environment of its own: what it says of each version of an application or package."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec


class Ran(msgspec.Struct, frozen=True):
    """What a version came to: the outcome, words and seconds of each test or example; or the answers to requests, or
    the functions that run on import: their file and first line.
    """

    name: str
    tests: dict[str, tuple[str, str, float]] = {}
    answers: tuple[tuple[int, str, Any], ...] = ()
    starts: tuple[tuple[str, int], ...] = ()
    seconds: float = 0.0
    error: str = ""

    @property
    def failed(self) -> frozenset[str]:
        """The tests that are red."""
        return frozenset(name for name, told in self.tests.items() if told[0] == "failed")

    @property
    def passed(self) -> frozenset[str]:
        """The tests that are green."""
        return frozenset(name for name, told in self.tests.items() if told[0] == "passed")


def drive(python: Path, driver: Path, tasks: Iterable[dict[str, Any]], seed: int = 0) -> dict[str, Ran]:
    """What the driver says of each task, by its name; `seed` is that of hashes. Raises SystemExit where it fails."""
    words = {
        **os.environ,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": str(seed),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    done = subprocess.run(
        [str(python), str(driver)],
        input="".join(json.dumps(task) + "\n" for task in tasks),
        capture_output=True,
        text=True,
        env=words,
    )
    if done.returncode:
        raise SystemExit(f"the driver failed:\n{done.stderr[-3000:]}")
    answers = (msgspec.json.decode(line, type=Ran) for line in done.stdout.splitlines())
    return {ran.name: ran for ran in answers}
