"""Runs a project's features by behave and writes which modules each calls, for `executed.features`.

    python recording.py PROJECT PACKAGE RESULT

Run it by a Python that has behave and the project's dependencies, in a sandbox where the project is not trusted: it
executes the project. PACKAGE is the package's folder in PROJECT; RESULT a JSON file of one entry per scenario.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from types import FrameType
from typing import Any


def record(project: str, package: str, result: str) -> None:
    """Run all features of the project, and write feature, scenario, steps and called files of each scenario."""
    place = Path(result).absolute()
    os.chdir(project)
    folder = Path(package).absolute()
    inside, beside = f"{folder}{os.sep}", str(folder.parent)
    sys.path.insert(0, beside)
    from behave.configuration import Configuration  # type: ignore[import-not-found]
    from behave.runner import Runner  # type: ignore[import-not-found]

    called: set[str] = set()
    entries: list[dict[str, Any]] = []

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_name != "<module>" and code.co_filename.startswith(inside):
            called.add(os.path.relpath(code.co_filename, beside))

    class Recording(Runner):  # type: ignore[misc]
        def run_hook_with_capture(self, name: str, *arguments: Any, **options: Any) -> Any:
            if name == "before_scenario":
                called.clear()
                sys.setprofile(note)
            elif name == "after_scenario":
                sys.setprofile(None)
                entries.append(_entry(arguments[-1], sorted(called)))
            return super().run_hook_with_capture(name, *arguments, **options)

    options = ["-q", "--no-summary", "-f", "null", "features"]
    Recording(Configuration(options, load_config=False)).run()
    place.write_text(json.dumps(entries), "utf-8")


def _entry(scenario: Any, called: list[str]) -> dict[str, Any]:
    return {
        "file": scenario.filename,
        "feature": [scenario.feature.name, *scenario.feature.description],
        "scenario": scenario.name.partition(" -- ")[0],
        "steps": [f"{step.keyword} {step.name}" for step in scenario.steps],
        "called": called,
    }


if __name__ == "__main__":
    record(*sys.argv[1:4])
