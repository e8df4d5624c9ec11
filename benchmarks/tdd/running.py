"""The environment in which applications run, and tests on many versions of them: what the driver says of each."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.drift.applications.fastapi import FastApi
from benchmarks.drift.environment import WORK, environment

_DRIVER = Path(__file__).with_name("driver.py")
REQUIREMENTS = (
    *FastApi.requirements,
    "pytest==9.0.3",
    "jsonschema==4.25.1",
    "inline-snapshot",
    "dirty-equals",
)


class Ran(msgspec.Struct, frozen=True):
    """What a version of an application came to: each test's outcome, words and seconds; or the answers to requests."""

    name: str
    tests: dict[str, tuple[str, str, float]] = {}
    answers: tuple[tuple[int, str, Any], ...] = ()
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


def python(work: Path = WORK) -> Path:
    """The interpreter of the benchmark's environment; made once."""
    return environment("tdd", REQUIREMENTS, work)


def run_all(tasks: Iterable[dict[str, Any]]) -> dict[str, Ran]:
    """What the driver says of each task, by its name. Raises SystemExit where it fails as a whole."""
    environment_words = {
        **os.environ,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    done = subprocess.run(
        [str(python()), str(_DRIVER)],
        input="".join(json.dumps(task) + "\n" for task in tasks),
        capture_output=True,
        text=True,
        env=environment_words,
    )
    if done.returncode:
        raise SystemExit(f"the driver failed:\n{done.stderr[-3000:]}")
    answers = (msgspec.json.decode(line, type=Ran) for line in done.stdout.splitlines())
    return {ran.name: ran for ran in answers}
