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
from benchmarks.tdd.report import report


def main() -> None:
    """Measure what was asked for and print it; exit code 1 where a goal was missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tdd", description=__doc__)
    parser.add_argument("--only", choices=("example", "applications"), help="leave the other out")
    parser.add_argument("--applications", type=int, default=30, help="how many, evenly chosen; 0 for all")
    parser.add_argument("--mutants", type=int, default=6, help="at most so many per application")
    parser.add_argument("--seed", type=int, default=6, help="the seed of the mutator")
    parser.add_argument("--details", action="store_true", help="list each mutant and each failure")
    options = parser.parse_args()
    print(f"{date.today()}, {machine()}\n")
    good = True
    if options.only != "applications":
        with tempfile.TemporaryDirectory(prefix="crossfact-tdd-") as folder:
            good &= example.report(example.measure(Path(folder)), options.details)
    if options.only != "example":
        began = time.perf_counter()
        pairs: list[tuple[Subject, Suite]] = [(each, suite(each)) for each in subjects(options.applications)]
        making = time.perf_counter() - began
        good &= report(measure(pairs, options.mutants, options.seed), making, options.details)
    sys.exit(not good)


if __name__ == "__main__":
    main()
