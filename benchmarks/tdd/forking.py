"""What drivers share: a forked process for each task that comes in, and what pytest says of each test.

It imports nothing of this repository, and is imported by scripts that run in environments of their own.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

AT_ONCE = 2


class Outcomes:
    """Notes what became of each test: its outcome, the exception's type, its words, the seconds of its call."""

    def __init__(self):
        self.tests = {}

    def pytest_exception_interact(self, node, call, report):
        """Keep the exception; pytest tells it after the report."""
        words = f"{call.excinfo.typename}: {call.excinfo.value}"[:400]
        self.tests[report.nodeid] = ["failed", words, getattr(call, "duration", 0.0)]

    def pytest_runtest_logreport(self, report):
        """Keep the worst of the three phases."""
        if report.when == "call" or report.outcome != "passed":
            self.tests[report.nodeid] = [report.outcome, "", report.duration]

    def pytest_collectreport(self, report):
        """A file that cannot be collected counts as one failed test."""
        if report.failed:
            self.tests[report.nodeid] = ["failed", str(report.longrepr)[-400:], 0.0]


def main(work):
    """Read tasks as JSON lines and fork for each, a few at once; `work` writes the answer to the file that it is given.

    Each process leads a group of its own, which ends with it.
    """
    folder = Path(tempfile.mkdtemp(prefix="crossfact-tdd-"))
    running = {}

    def ended():
        process, _ = os.wait()
        name, output = running.pop(process)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process, signal.SIGKILL)
        try:
            print(output.read_text(encoding="utf-8"), flush=True)
            output.unlink()
        except OSError:
            print(json.dumps({"name": name, "error": "it ended without an answer"}), flush=True)

    for number, line in enumerate(sys.stdin):
        task = json.loads(line)
        output = folder / f"{number}.json"
        process = os.fork()
        if process == 0:
            try:
                os.setsid()
                work(task, output)
            finally:
                os._exit(0)
        running[process] = task["name"], output
        if len(running) >= AT_ONCE:
            ended()
    while running:
        ended()
    shutil.rmtree(folder)


def quiet():
    """Let what this process and its children write go nowhere."""
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
