"""Runs tests and doctests on many versions of a package, one forked process each; imports nothing of this repository.

It runs in an environment of its own. It reads tasks as JSON lines: `name`; `root`, the working folder; `paths`, put
first on the import path; `sources`, files and their texts instead of what they hold; and `tests`, words for pytest; or
`modules` and `pages`, whose examples doctest tries (`forgiving`: as most projects set it); or `modules` and `starts`,
which asks which functions run while they are imported; or `modules` and `imports`, which asks which of them can be
imported by themselves. It writes a JSON line per task, in any order.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib
import importlib.machinery
import json
import os
import random
import resource
import signal
import sys
import time
from pathlib import Path

import pytest
from forking import Outcomes, main, quiet

SECONDS = 40
MEMORY = 2 << 30


class Overlay(importlib.machinery.SourceFileLoader):
    """Reads some files from `sources`, and never their compiled form."""

    sources = {}  # noqa: RUF012 (one for the whole process)

    def path_stats(self, path):
        """Nothing is known of a file that has another text, so that it is compiled anew."""
        if path in self.sources:
            raise OSError
        return super().path_stats(path)

    def get_data(self, path):
        """The other text, where there is one."""
        return self.sources[path].encode() if path in self.sources else super().get_data(path)


class Examples(doctest.DocTestRunner):
    """Notes for each example its source and whether it gave what it says; `unnamed` where a name was not known."""

    def __init__(self, forgiving=False):
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
        super().__init__(verbose=False, optionflags=flags if forgiving else 0)
        self.tests = {}

    def _note(self, test, example, outcome):
        self.tests[f"{test.name}:{test.examples.index(example)}"] = [outcome, example.source.strip(), 0.0]

    def report_success(self, out, test, example, got):
        """As expected."""
        self._note(test, example, "passed")

    def report_failure(self, out, test, example, got):
        """Something else."""
        self._note(test, example, "failed")

    def report_unexpected_exception(self, out, test, example, exc_info):
        """An exception; a name that the text does not explain says nothing of the code."""
        self._note(test, example, "unnamed" if issubclass(exc_info[0], NameError) else "failed")


class Readable(doctest.DocTestParser):
    """Passes over docstrings that doctest refuses to read, so that all others are tried."""

    def get_examples(self, string, name="<string>"):
        """The examples of a text; none of one that is not well-formed."""
        try:
            return super().get_examples(string, name)
        except ValueError:
            return []


def ran(task):
    """The outcome of each test."""
    outcomes = Outcomes()
    words = ["-q", "-p", "no:cacheprovider", "--tb=native", "--continue-on-collection-errors"]
    pytest.main([*words, "-c", os.devnull, "--rootdir", task["root"], *task["tests"]], plugins=[outcomes])
    return {"tests": outcomes.tests}


def tried(task):
    """The outcome of each example of the docstrings and pages."""
    runner = Examples(task.get("forgiving", False))
    error = ""
    for name in task["modules"]:
        try:
            module = importlib.import_module(name)
        except BaseException as problem:  # noqa: BLE001 (told)
            error = error or f"{name}: {type(problem).__name__}: {problem}"[:300]
            continue
        for test in doctest.DocTestFinder(exclude_empty=True, parser=Readable()).find(module):
            with contextlib.suppress(Exception):
                runner.run(test, out=lambda words: None)
    for page in task["pages"]:
        text = Path(page).read_text(encoding="utf-8").replace("```", "")
        test = Readable().get_doctest(text, {"__name__": "__main__"}, Path(page).name, page, 0)
        with contextlib.suppress(Exception):
            runner.run(test, out=lambda words: None)
    return {"tests": runner.tests, "error": error}


def started(task):
    """The functions that run while the modules are imported: of each file the lines on which they begin."""
    found = set()

    def note(frame, event, argument):
        if event == "call":
            found.add((frame.f_code.co_filename, frame.f_code.co_firstlineno))

    sys.setprofile(note)
    error = ""
    for name in task["modules"]:
        try:
            importlib.import_module(name)
        except BaseException as problem:  # noqa: BLE001 (told)
            error = error or f"{name}: {type(problem).__name__}: {problem}"[:300]
    sys.setprofile(None)
    return {"starts": sorted(found), "error": error}


def imported(task):
    """Whether each module can be imported, each in a process of its own, so that none finds what another has loaded."""
    told = {}
    for name in task["modules"]:
        reading, writing = os.pipe()
        process = os.fork()
        if process == 0:
            try:
                importlib.import_module(name)
            except BaseException as problem:  # noqa: BLE001 (told)
                os.write(writing, f"{type(problem).__name__}: {problem}"[:300].encode())
            finally:
                os._exit(0)
        os.close(writing)
        with os.fdopen(reading, errors="replace") as words:
            error = words.read()
        _, status = os.waitpid(process, 0)
        error = error or (f"it ended by signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else "")
        told[name] = ["failed" if error else "passed", error, 0.0]
    return {"tests": told}


def work(task, output):
    """In a forked process: what the task asks for, written to a file."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.chdir(task["root"])
    sys.path[:0] = task["paths"]
    sys.dont_write_bytecode = True
    Overlay.sources = task.get("sources", {})
    machinery = importlib.machinery
    details = [
        (machinery.ExtensionFileLoader, machinery.EXTENSION_SUFFIXES),
        (Overlay, machinery.SOURCE_SUFFIXES),
        (machinery.SourcelessFileLoader, machinery.BYTECODE_SUFFIXES),
    ]
    sys.path_hooks.insert(0, machinery.FileFinder.path_hook(*details))
    sys.path_importer_cache.clear()
    random.seed(task.get("seed", 0))
    quiet()
    signal.alarm(task.get("seconds", SECONDS))
    began = time.perf_counter()
    asked = next((each for each in ("starts", "imports", "tests") if each in task), "")
    result = {"starts": started, "imports": imported, "tests": ran}.get(asked, tried)(task)
    seconds = time.perf_counter() - began
    output.write_text(json.dumps({"name": task["name"], "seconds": seconds, **result}), encoding="utf-8")


if __name__ == "__main__":
    main(work)
