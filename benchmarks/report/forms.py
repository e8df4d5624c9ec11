"""Times every form of a report of 5,000 findings, and re-checking after a save. `make bench-forms` prints the tables.

A form is timed from a report in memory to its text, with all that it looks up: the files' lines, the rules.
"""

from __future__ import annotations

import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

import msgspec

from benchmarks.measuring import crossfact, machine
from benchmarks.report.made import large_report
from crossval.report.formats import FORMATS, shown_as
from crossval.report.shown import Shown

EXAMPLE = Path(__file__).parent.parent.parent / "specs_examples" / "bookshop"
_GOALS = {"sarif": 2.0, "json": 2.0}
_GOAL_SAVE = 0.5
_RUNS = 5
_SAVES = 9
_WAITING = "waiting for a change"


def main() -> None:
    """Measure and print; exit code 1 where a goal was missed."""
    print(f"{date.today()}, {machine()}\n")
    missed = [*_forms(), *_saves()]
    print(f"\ngoals missed: {', '.join(missed) or 'none'}")
    sys.exit(bool(missed))


def _forms() -> list[str]:
    missed = []
    print("| 5,000 findings as | CPU s (median) | wall s | MB | goal |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        made = large_report(Path(folder))
        for form in FORMATS:
            cpu, wall, size = _timed(form, made)
            goal = _GOALS.get(form)
            print(
                f"| {form} | {cpu:.2f} | {wall:.2f} | {size / 1e6:.2f} | {f'{goal} wall' if goal else ''} |"
            )
            if goal and wall > goal:
                missed.append(form)
    return missed


def _timed(form: str, made: Shown) -> tuple[float, float, int]:
    times = []
    size = 0
    for _ in range(_RUNS):
        shown = msgspec.structs.replace(made)
        cpu, wall = time.process_time(), time.perf_counter()
        size = len(shown_as(form, shown).encode())
        times.append((time.process_time() - cpu, time.perf_counter() - wall))
    return statistics.median(each[0] for each in times), statistics.median(each[1] for each in times), size


def _saves() -> list[str]:
    """From a save of a module until the report of the check that follows it is out, several times in one watch."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "bookshop"
        shutil.copytree(EXAMPLE, project, ignore=shutil.ignore_patterns(".crossfact"))
        module = project / "code/bookshop/pricing.py"
        text = module.read_text(encoding="utf-8")
        with subprocess.Popen(
            crossfact("check", str(project), "--watch", "--concise"),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as watch:
            _until_waiting(watch)
            taken = []
            for number in range(_SAVES):
                time.sleep(0.7)  # a person saves at any moment of the pause between two looks
                begun = time.perf_counter()
                module.write_text(f"{text}\nSAVED = {number}\n", encoding="utf-8")
                _until_waiting(watch)
                taken.append(time.perf_counter() - begun)
            watch.send_signal(signal.SIGINT)
    middle = statistics.median(taken)
    print("\n| a save of one module of the bookshop until its report is out | wall s | goal |\n|---|---|---|")
    print(f"| the first | {taken[0]:.2f} | |\n| median of {_SAVES} | {middle:.2f} | {_GOAL_SAVE} |")
    return ["a save"] if middle > _GOAL_SAVE else []


def _until_waiting(watch: subprocess.Popen[str]) -> None:
    assert watch.stdout is not None
    for line in watch.stdout:
        if _WAITING in line:
            return
    raise SystemExit("the watch ended")


if __name__ == "__main__":
    main()
