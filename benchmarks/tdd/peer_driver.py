"""Runs schemathesis on many versions of an application, one forked process each; imports nothing of this repository.

It runs in an environment of its own. It reads tasks as JSON lines: `name`; `folder`, where imports begin; `module`,
whose `app` is served; `contract`, the pinned contract's file; `sources`, module names and their texts instead of their
files. It writes a JSON line per task, in any order: the failures, each an operation and a check, and the seconds.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import socket
import sys
import threading
import time

import schemathesis.cli
import uvicorn
from driver import Overlay
from forking import main, quiet

EXAMPLES = "25"
SECONDS = 120


def served(module):
    """The address at which a thread of this process serves the application."""
    application = importlib.import_module(module).app
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(application, log_level="critical"))
    threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True).start()
    while not server.started:
        time.sleep(0.01)
    return f"http://127.0.0.1:{listening.getsockname()[1]}"


def failures(report):
    """Each operation with each check that failed on it."""
    found = set()
    for line in report.read_text(encoding="utf-8").splitlines():
        walk(json.loads(line), "", found)
    return sorted(found)


def walk(value, operation, found):
    """Gather failed checks from an event, wherever they stand in it."""
    if isinstance(value, dict):
        operation = value.get("operation_label") or value.get("label") or operation
        if value.get("status") == "failure" and isinstance(value.get("name"), str):
            found.add((str(operation), value["name"]))
        for each in value.values():
            walk(each, operation, found)
    elif isinstance(value, list):
        for each in value:
            walk(each, operation, found)


def work(task, output):
    """In a forked process: serve the application and let schemathesis loose on it."""
    os.chdir(task["folder"])
    sys.path.insert(0, task["folder"])
    sys.meta_path.insert(0, Overlay(task.get("sources", {})))
    sys.dont_write_bytecode = True
    quiet()
    report = output.with_suffix(".ndjson")
    signal.alarm(SECONDS)
    began = time.perf_counter()
    try:
        url = served(task["module"])
    except BaseException as error:  # noqa: BLE001 (told)
        output.write_text(json.dumps({"name": task["name"], "error": repr(error)[:300]}), encoding="utf-8")
        return
    words = ["run", task["contract"], "--url", url, "--max-examples", EXAMPLES, "--seed", "1", "--no-color"]
    words += ["--no-shrink", "--continue-on-failure", "--warnings", "off"]
    words += ["--report", "ndjson", "--report-ndjson-path", str(report)]
    try:
        schemathesis.cli.schemathesis.main(words, standalone_mode=False)
    except BaseException as error:  # noqa: BLE001 (its exit code)
        ended = repr(error)[:300]
    else:
        ended = ""
    seconds = time.perf_counter() - began
    told = {"name": task["name"], "failures": failures(report), "seconds": seconds, "ended": ended}
    output.write_text(json.dumps(told), encoding="utf-8")


if __name__ == "__main__":
    main(work)
