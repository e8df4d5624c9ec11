"""The environment in which applications run, and tests on many versions of them: what the driver says of each."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.drift.applications.fastapi import FastApi
from benchmarks.drift.environment import WORK, environment
from benchmarks.tdd.driving import Ran, drive

_DRIVER = Path(__file__).with_name("driver.py")
REQUIREMENTS = (
    *FastApi.requirements,
    "pytest==9.0.3",
    "jsonschema==4.25.1",
    "inline-snapshot",
    "dirty-equals",
)


def python(work: Path = WORK) -> Path:
    """The interpreter of the benchmark's environment; made once."""
    return environment("tdd", REQUIREMENTS, work)


def run_all(tasks: Iterable[dict[str, Any]]) -> dict[str, Ran]:
    """What the driver says of each task, by its name. Raises SystemExit where it fails as a whole."""
    return drive(python(), _DRIVER, tasks)
