"""`make bench-tdd`: the three figures of todo-tdd, and the tests made from contracts alone on real applications.

`make bench-functions` (`--only functions`): the tests made from stubs, docstrings and pages of real packages.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
from datetime import date
from pathlib import Path

import msgspec

from benchmarks.measuring import machine
from benchmarks.tdd import example
from benchmarks.tdd.applications import Subject, Suite, subjects, suite
from benchmarks.tdd.functions import measure as measure_package
from benchmarks.tdd.functions_report import report as functions_report
from benchmarks.tdd.measuring import measure
from benchmarks.tdd.packages import packages
from benchmarks.tdd.packages import suite as packages_suite
from benchmarks.tdd.peer import compare
from benchmarks.tdd.report import report


def functions(part: str, mutants: int, seed: int, details: bool) -> bool:
    """Measure and print the packages of a part; whether all goals are met. It takes long, so it has to be asked for."""
    every = []
    for package in packages(part):
        began = _processor_seconds()
        made = packages_suite(package)
        making = _processor_seconds() - began
        every.append(msgspec.structs.replace(measure_package(package, made, mutants, seed), making=making))
    return functions_report(every, details and part == "read")


def main() -> None:
    """Measure what was asked for and print it; exit code 1 where a goal was missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tdd", description=__doc__)
    parser.add_argument(
        "--only", choices=("example", "applications", "functions"), help="leave the other out"
    )
    parser.add_argument("--applications", type=int, default=30, help="how many, evenly chosen; 0 for all")
    parser.add_argument("--besides", type=int, default=0, help="leave out an even choice of so many")
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
    if options.only in (None, "example"):
        with tempfile.TemporaryDirectory(prefix="crossfact-tdd-") as folder:
            good &= example.report(example.measure(Path(folder)), options.details)
    if options.only in (None, "applications"):
        began = _processor_seconds()
        chosen = subjects(options.applications, options.part, only_told=options.told, besides=options.besides)
        pairs: list[tuple[Subject, Suite]] = [(each, suite(each)) for each in chosen]
        making = _processor_seconds() - began
        measured = measure(pairs, options.mutants, options.seed)
        good &= report(measured, making, options.details and options.part == "read")
        if options.peer:
            alone = [subject for subject, _ in pairs if not subject.told]
            compare(alone, measured, options.peer, options.mutants, options.seed)
    if options.only == "functions":
        good &= functions(options.part, options.mutants, options.seed, options.details)
    sys.exit(not good)


def _processor_seconds() -> float:
    """What this process and its children have used so far; a loaded machine makes no difference."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


if __name__ == "__main__":
    main()
