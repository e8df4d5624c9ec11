"""Imports one application after another, each in a process of its own, and prints what its exporter says.

Runs in the framework's environment: `python driver.py EXPORTER`; one JSON object per line comes in
(`name`, `folder`, `module`, `options`) and one goes out (`name`, `contract`, `routes`, `files` or `error`).
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import sys
from pathlib import Path


def main() -> None:
    """Answer every line of the standard input."""
    exporter = importlib.import_module(sys.argv[1])
    for line in sys.stdin:
        task = json.loads(line)
        print(_in_a_child(exporter, task), flush=True)


def _in_a_child(exporter, task):
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "w") as out, contextlib.redirect_stdout(sys.stderr):
            out.write(json.dumps(_answer(exporter, task), default=str))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return text or json.dumps({"name": task["name"], "error": "the process died"})


def _answer(exporter, task):
    folder = Path(task["folder"]).resolve()
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    try:
        said = exporter.export(task["module"], task.get("options") or {})
    except BaseException as error:  # noqa: BLE001 - an example may do anything, even exit
        return {"name": task["name"], "error": f"{type(error).__name__}: {error}"[:300]}
    return {"name": task["name"], "files": _loaded(folder), **said}


def _loaded(folder):
    """The files below the folder that were imported."""
    found = set()
    for module in list(sys.modules.values()):
        place = getattr(module, "__file__", None)
        if place and Path(place).resolve().is_relative_to(folder) and "site-packages" not in place:
            found.add(Path(place).resolve().relative_to(folder).as_posix())
    return sorted(found)


if __name__ == "__main__":
    main()
