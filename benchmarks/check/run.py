"""Times `--help` and checks of the bookshop, cold and unchanged. `make bench-check` prints the table."""

from __future__ import annotations

import shutil
import sys
from datetime import date
from pathlib import Path

from benchmarks.measuring import Run, crossfact, machine, median, repeated

WORK = Path(__file__).parent.parent / ".work"
EXAMPLE = Path(__file__).parent.parent.parent / "specs_examples" / "bookshop"


def main() -> None:
    """Measure and print; exit code 1 where a goal was missed."""
    project = WORK / "bookshop"
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(EXAMPLE, project, ignore=shutil.ignore_patterns(".crossfact"))

    def forget(_number: int) -> None:
        shutil.rmtree(project / ".crossfact", ignore_errors=True)

    nothing = repeated([sys.executable, "-c", "pass"], 7)
    help_ = repeated(crossfact("--help"), 7)
    check = crossfact("check", str(project), "--format", "json")
    cold, warm = repeated(check, 5, forget), repeated(check, 7)
    print(f"{date.today()}, {machine()}\n")
    print("| | CPU s (median) | wall s | goal |\n|---|---|---|---|")
    extra = median(help_) - median(nothing)
    print(f"| `--help`, more than `python -c pass` | {extra:.3f} | {median(help_, 'wall'):.3f} | 0.150 CPU |")
    missed = [] if extra <= 0.15 else ["--help"]
    for name, runs, goal in (("bookshop, cold", cold, 2.0), ("bookshop, unchanged", warm, 0.5)):
        print(f"| {name} | {median(runs):.2f} | {median(runs, 'wall'):.2f} | {goal} wall |")
        if median(runs, "wall") > goal or _broken(runs):
            missed.append(name)
    print(f"\ngoals missed: {', '.join(missed) or 'none'}")
    sys.exit(bool(missed))


def _broken(runs: list[Run]) -> bool:
    return any(run.code not in (0, 1) for run in runs)


if __name__ == "__main__":
    main()
