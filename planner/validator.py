"""The port of validators: tests go in, what became of each of them comes out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Protocol

import msgspec


class Verdict(StrEnum):
    """What became of one test. Only `passed` and `failed` say something about the code."""

    PASSED = "passed"
    FAILED = "failed"
    """Red by an assertion, or by an exception of the unit under test."""
    MISSING = "missing"
    """Red since the implementation is not there: the import, route or attribute under test."""
    BROKEN = "broken"
    """Red for a wrong reason: its own syntax, import, fixture or name."""
    SKIPPED = "skipped"
    TIMEOUT = "timeout"
    CONTAINED = "contained"
    """It tried what the sandbox forbids, or used up memory, processes, disk or output; `message` says what."""
    ABSENT = "absent"
    """It was asked for and not collected."""
    ENVIRONMENT = "environment"
    """It could not run: the interpreter has no pytest, or the sandbox refuses what the code needs."""


class Frame(msgspec.Struct, frozen=True):
    """One frame of a traceback: `owner` is `test`, `project` or `library`."""

    path: str
    line: int
    function: str
    owner: str


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one test, from pytest's own report object: never from text that it printed.

    `service` is what an application said or raised whose answer had another status than the test asks for, `answered`
    that status.
    """

    node: str
    verdict: Verdict
    seconds: float = 0.0
    exception: str = ""
    message: str = ""
    service: str = ""
    answered: int = 0
    frames: tuple[Frame, ...] = ()
    output: str = ""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """Tests to run together: pytest node ids below `root`, by which interpreter.

    The id of a class or of a file stands for all its tests; where a file cannot be collected, the outcome is its own.
    `seconds` bounds each test. `environment` is added to the allow-listed one; `plugins` are modules of ours that
    pytest loads; `paths` go before the project on the import path; `options` are further words for pytest; `limits`
    replace those of `setrlimit` by name. `units` are the modules under test: where they lack something, a test is red
    for a missing implementation, and not because it is broken. `unbuilt` are modules that may be made by a build, from
    sources in another language: where one of them is not there, nothing can be said about it.
    """

    root: Path
    nodes: tuple[str, ...]
    python: Path
    seconds: float = 30.0
    environment: dict[str, str] = {}
    plugins: tuple[str, ...] = ()
    paths: tuple[Path, ...] = ()
    options: tuple[str, ...] = ()
    limits: dict[str, int] = {}
    units: tuple[str, ...] = ()
    unbuilt: tuple[str, ...] = ()


class Validator(Protocol):
    """Runs tests and says what became of each; nothing that a test does reaches the engine."""

    @property
    def level(self) -> str:
        """The sandbox that is in force: `strict`, `guarded`, `limits` or `none`."""
        ...

    def run(self, job: Job) -> Iterator[Outcome]:
        """The outcome of each test as it ends, in the order in which they ran; `ABSENT` where it was not collected."""
        ...

    def run_many(self, jobs: Sequence[Job]) -> Iterator[Outcome]:
        """The outcomes of several jobs, some of them at once."""
        ...
