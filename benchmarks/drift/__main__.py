"""`python -m benchmarks.drift`: measures and prints the tables."""

from __future__ import annotations

import argparse
import os
import time
from datetime import date

import msgspec

from benchmarks.drift.applications.registry import FRAMEWORKS
from benchmarks.drift.environment import WORK
from benchmarks.drift.report import HEAD, details, operators, rules, summary
from benchmarks.drift.run import Options, measure
from benchmarks.measuring import machine


def main() -> None:
    """Measure the chosen frameworks and print one row each, then recall per operator."""
    arguments = _arguments()
    options = Options(
        work=WORK,
        seed=arguments.seed,
        changes=arguments.changes,
        all_spellings=arguments.all_spellings,
        operators=tuple(arguments.operator),
    )
    rows, tables = [], []
    begun = time.perf_counter()
    for framework in FRAMEWORKS:
        if arguments.framework and framework.name.lower() not in arguments.framework:
            continue
        for part in ("read", "unread") if arguments.part == "both" else (arguments.part,):
            scores, skipped, twice = measure(framework, part, options, arguments.jobs)
            rows.append(summary(framework.name, part, scores, skipped, twice))
            tables += [f"\n{framework.name}, {part} part\n", *operators(scores)]
            if arguments.rules:
                tables += ["", *rules(scores)]
            # Nobody looks at the unread part, so that nothing is tuned to it.
            if arguments.details and part == "read":
                tables += [
                    *details(scores, arguments.details),
                    *(f"skipped: {s.name}: {s.reason}" for s in skipped),
                ]
            _keep(framework.name, part, scores)
    print(f"{date.today()}, {machine()}, seed {options.seed}, {time.perf_counter() - begun:.0f} s\n")
    print(HEAD)
    for row in rows:
        print(f"| {' | '.join(row)} |")
    print("\n".join(tables))


def _keep(name: str, part: str, scores: object) -> None:
    if part == "read":
        place = WORK / f"drift-{name.lower().replace(' ', '-')}.json"
        place.write_bytes(msgspec.json.format(msgspec.json.encode(scores), indent=1))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.drift", description=__doc__)
    parser.add_argument(
        "--framework",
        action="append",
        default=[],
        type=str.lower,
        choices=[each.name.lower() for each in FRAMEWORKS],
        help="only this one (may be repeated)",
    )
    parser.add_argument("--part", choices=("read", "unread", "both"), default="read")
    parser.add_argument("--operator", action="append", default=[], help="only this one (may be repeated)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--changes", type=int, default=3, help="per operator and application")
    parser.add_argument("--all-spellings", action="store_true", help="count near duplicates too")
    parser.add_argument(
        "--details", type=int, default=0, metavar="LINES", help="per application, read part only"
    )
    parser.add_argument("--rules", action="store_true", help="sums of false findings per rule, both parts")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    return parser.parse_args()


if __name__ == "__main__":
    main()
