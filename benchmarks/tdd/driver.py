"""Runs tests on many versions of an application, one forked process each; imports nothing of this repository.

It runs in an environment of its own. It reads tasks as JSON lines: `name`; `folder`, where imports begin; `root`, where
tests lie (`folder` if missing); `sources`, module names and their texts instead of their files; `tests`, files below
the root; or `probe`, the requests to send, and `module`, whose `app` takes them. It writes a JSON line per task, in any
order.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util
import json
import os
import random
import signal
import sys
import time
import uuid
from pathlib import Path

import anyio._backends._asyncio  # noqa: F401 (loaded before the forks, which share it)
import fastapi.testclient  # noqa: F401
import httpx  # noqa: F401
import pytest
from forking import Outcomes, main, quiet
from starlette.testclient import TestClient

SECONDS = 60


class Overlay(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives modules other texts than those of their files."""

    def __init__(self, sources):
        self.sources = sources

    def find_spec(self, name, path=None, target=None):
        """The module from here, where it has another text."""
        return importlib.util.spec_from_loader(name, self) if name in self.sources else None

    def exec_module(self, module):
        """Run the other text as this module."""
        exec(compile(self.sources[module.__name__], f"<{module.__name__}>", "exec"), module.__dict__)  # noqa: S102 (the application itself)


def ran(task):
    """The outcome of each test."""
    outcomes = Outcomes()
    words = ["-q", "-p", "no:cacheprovider", "--no-header", "-c", os.devnull]  # No settings of folders above.
    root = task.get("root", task["folder"])
    words += ["--rootdir", root, *(str(Path(root) / each) for each in task["tests"])]
    began = time.process_time()
    pytest.main(words, plugins=[outcomes])
    return {"tests": outcomes.tests, "seconds": time.process_time() - began}


def probed(task):
    """What is answered to each request, one after the other: status, media type, JSON or text."""
    try:
        application = importlib.import_module(task["module"]).app
        client = TestClient(application, raise_server_exceptions=False, follow_redirects=False)
        client.__enter__()
    except BaseException as error:  # noqa: BLE001 (told)
        return {"error": f"{type(error).__name__}: {error}"[:300]}
    answers = []
    for request in task["probe"]:
        try:
            answer = client.request(**request)
        except BaseException as error:  # noqa: BLE001 (told)
            answers.append([0, type(error).__name__, None])
            continue
        kind = answer.headers.get("content-type", "")
        try:
            content = answer.json()
        except ValueError:
            content = answer.text[:300]
        answers.append([answer.status_code, kind, content])
    return {"answers": answers}


def seeded_uuid():
    """An identity that is the same in each run of one seed, as `uuid4` would give another one to each answer."""
    return uuid.UUID(int=random.getrandbits(128), version=4)


def scratch(folder, place):
    """A new folder with links to all that is in another: what a task writes there, no other task sees."""
    place.mkdir()
    for each in Path(folder).iterdir():
        (place / each.name).symlink_to(each)
    return place


def work(task, output):
    """In a forked process: what the task asks for, written to a file."""
    os.chdir(scratch(task["folder"], output.with_suffix("")))
    sys.path.insert(0, task["folder"])
    sys.meta_path.insert(0, Overlay(task.get("sources", {})))
    sys.dont_write_bytecode = True
    random.seed(task.get("seed", 0))
    uuid.uuid4 = seeded_uuid
    quiet()
    signal.alarm(SECONDS)
    result = probed(task) if "probe" in task else ran(task)
    output.write_text(json.dumps({"name": task["name"], **result}), encoding="utf-8")


if __name__ == "__main__":
    main(work)
