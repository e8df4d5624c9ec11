"""Times reading CPython's standard library: cold, with one file changed, and with nothing changed.

`make bench-index` copies the library of the running interpreter (without installed packages) into
benchmarks/.work, reads it, and prints the table that docs/BENCHMARKS.md shows.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
from datetime import date
from pathlib import Path

from benchmarks.measuring import crossfact, machine, median, repeated

WORK = Path(__file__).parent.parent / ".work"
LIBRARY = WORK / "stdlib"
STORE = WORK / "store" / "facts.db"
GOALS = {"cold": 15.0, "one file changed": 0.5, "nothing changed": 0.3}


def main() -> None:
    """Measure and print; exit code 1 where a goal was missed."""
    lines = copy_library()
    ingest = crossfact("ingest", str(LIBRARY), "--store", str(STORE), "--no-history")
    changed = LIBRARY / "argparse.py"
    original = changed.read_text(encoding="utf-8")

    def forget(_number: int) -> None:
        shutil.rmtree(STORE.parent, ignore_errors=True)
        STORE.parent.mkdir(parents=True)

    def edit(number: int) -> None:
        changed.write_text(
            f"{original}\n\ndef added_{number}(a: int) -> int:\n    return a\n", encoding="utf-8"
        )

    runs = {
        "cold": repeated(ingest, 3, forget),
        "one file changed": repeated(ingest, 5, edit),
        "nothing changed": repeated(ingest, 5),
    }
    size = sum(file.stat().st_size for file in STORE.parent.iterdir()) / 1e6
    said = json.loads(subprocess.run([*ingest, "--json"], capture_output=True, text=True, check=True).stdout)
    stats = json.loads(
        subprocess.run(
            crossfact("stats", "--project", str(LIBRARY), "--store", str(STORE), "--no-history", "--json"),
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    )
    print(f"{date.today()}, {machine()}; {lines:,} lines in {said['files']} files")
    print(
        f"{sum(said['facts'].values()):,} facts, {sum(stats['relations'].values()):,} relations, {size:.0f} MB on disk"
    )
    print(
        f"skipped: {len(said['skipped'])}"
        + "".join(f"\n  {s['path']}: {s['reason']}" for s in said["skipped"][:10])
    )
    print("\n| | CPU s (median) | wall s | peak MB | goal, CPU s |\n|---|---|---|---|---|")
    for name, measured in runs.items():
        print(
            f"| {name} | {median(measured):.2f} | {median(measured, 'wall'):.2f} | {median(measured, 'peak'):.0f} "
            f"| {GOALS[name]} |"
        )
    missed = [name for name, measured in runs.items() if median(measured) > GOALS[name]]
    failed = [name for name, measured in runs.items() if any(run.code for run in measured)]
    print(f"\ngoals missed: {', '.join(missed) or 'none'}; runs that failed: {', '.join(failed) or 'none'}")
    sys.exit(bool(missed or failed or size > 200))


def copy_library() -> int:
    """Copy the standard library once; the number of its lines of Python."""
    shutil.rmtree(LIBRARY, ignore_errors=True)
    source = Path(sysconfig.get_paths()["stdlib"])
    ignore = shutil.ignore_patterns("site-packages", "__pycache__", "*.so", "config-*")
    shutil.copytree(source, LIBRARY, ignore=ignore)
    return sum(file.read_bytes().count(b"\n") for file in LIBRARY.rglob("*.py"))


if __name__ == "__main__":
    main()
