"""`make bench-tdd`: the three figures of todo-tdd, and the tests made from contracts alone on real applications."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

from benchmarks.measuring import machine
from benchmarks.tdd import example
from benchmarks.tdd.applications import Subject, Suite, subjects, suite
from benchmarks.tdd.measuring import measure
from benchmarks.tdd.peer import compare
from benchmarks.tdd.report import report


def main() -> None:
    """Measure what was asked for and print it; exit code 1 where a goal was missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tdd", description=__doc__)
    parser.add_argument("--only", choices=("example", "applications"), help="leave the other out")
    parser.add_argument("--applications", type=int, default=30, help="how many, evenly chosen; 0 for all")
    parser.add_argument("--part", choices=("read", "unread"), default="read", help="of unread ones sums only")
    parser.add_argument("--told", action="store_true", help="only applications that have stories")
    parser.add_argument("--mutants", type=int, default=6, help="at most so many per application")
    parser.add_argument("--seed", type=int, default=6, help="the seed of the mutator")
    parser.add_argument(
        "--peer", type=int, default=0, help="schemathesis on so many of the applications, too"
    )
    parser.add_argument("--details", action="store_true", help="list each mutant and each failure")
    options = parser.parse_args()
    print(f"{date.today()}, {machine()}\n")
    good = True
    if options.only != "applications":
        with tempfile.TemporaryDirectory(prefix="crossfact-tdd-") as folder:
            good &= example.report(example.measure(Path(folder)), options.details)
    if options.only != "example":
        began = time.perf_counter()
        chosen = subjects(options.applications, options.part, only_told=options.told)
        pairs: list[tuple[Subject, Suite]] = [(each, suite(each)) for each in chosen]
        making = time.perf_counter() - began
        measured = measure(pairs, options.mutants, options.seed)
        good &= report(measured, making, options.details and options.part == "read")
        if options.peer:
            alone = [subject for subject, _ in pairs if not subject.told]
            compare(alone, measured, options.peer, options.mutants, options.seed)
    sys.exit(not good)


if __name__ == "__main__":
    main()
