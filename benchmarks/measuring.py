"""Runs a command as a whole process and takes its CPU time, with that of the processes that it started."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple


class Run(NamedTuple):
    """One finished process: seconds of CPU and of wall time, the largest process in MB, and the exit code."""

    cpu: float
    wall: float
    peak: float
    code: int


def run(command: Sequence[str], cwd: Path | None = None) -> Run:
    """Run the command to its end, its output thrown away."""
    # As for a user: Python keeps compiled modules.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    begun = time.perf_counter()
    child = subprocess.Popen(
        command, cwd=cwd, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - begun
    return Run(
        usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)
    )


def repeated(
    command: Sequence[str],
    times: int,
    before: Callable[[int], None] = lambda number: None,
    cwd: Path | None = None,
) -> list[Run]:
    """That many runs, each prepared by `before`, which gets its number."""
    runs = []
    for number in range(times):
        before(number)
        runs.append(run(command, cwd))
    return runs


def median(runs: Sequence[Run], field: str = "cpu") -> float:
    """The median of one figure."""
    return float(statistics.median(getattr(each, field) for each in runs))


def machine() -> str:
    """What was measured on: Python, system, cores."""
    cores = len(os.sched_getaffinity(0))
    return f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {cores} cores"


def crossfact(*arguments: str) -> list[str]:
    """The command line of crossfact in this interpreter."""
    return [sys.executable, "-m", "crossfact", *arguments]
