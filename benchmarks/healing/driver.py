"""Runs in the benchmark's environment: one test run per line of standard input, each in a fork of this process.

A line is a JSON object with `root`, `paths` (put first on the import path), `targets` and `seconds`; the answer is a
JSON object of the outcome of each test and each file that could not be collected, or `{}` where time ran out.
"""

import json
import os
import select
import signal
import sys

import pytest


class Recorder:
    """Keeps the worst outcome of each test's phases, and the files that could not be collected."""

    def __init__(self):
        self.outcomes = {}

    def pytest_runtest_logreport(self, report):
        """Keep a phase's outcome."""
        known = self.outcomes.get(report.nodeid, "passed")
        if report.outcome != "passed" and known == "passed":
            self.outcomes[report.nodeid] = report.outcome
        else:
            self.outcomes.setdefault(report.nodeid, "passed")

    def pytest_collectreport(self, report):
        """Keep what could not be collected."""
        if report.failed:
            self.outcomes[report.nodeid] = "failed"


def _child(task, out):
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    os.chdir(task["root"])
    sys.path[:0] = task["paths"]
    os.environ["PYTHONPATH"] = os.pathsep.join(task["paths"])
    recorder = Recorder()
    words = ["-p", "no:cacheprovider", "--continue-on-collection-errors", "--tb=no", "-q", "--color=no"]
    pytest.main([*words, *task["targets"]], plugins=[recorder])
    with os.fdopen(out, "w") as stream:
        json.dump(recorder.outcomes, stream)


def _run(task):
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        try:
            _child(task, write)
        finally:
            os._exit(0)
    os.close(write)
    parts = []
    while True:
        ready, _, _ = select.select([read], [], [], task["seconds"])
        part = os.read(read, 1 << 16) if ready else b""
        if not part:
            break
        parts.append(part)
    os.close(read)
    if not ready:
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return json.loads(b"".join(parts) or b"{}")


for line in sys.stdin:
    print(json.dumps(_run(json.loads(line))), flush=True)
