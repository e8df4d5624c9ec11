"""`make bench-heal`: refactorings, bugs and pairs on real packages, healed; what came of them per cause."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from pathlib import Path
from random import Random

import msgspec

from benchmarks.healing.cases import Case, Prover, make
from benchmarks.healing.corpus import FOLDER, Subject, python, subjects
from benchmarks.healing.measuring import Measured, measure
from benchmarks.healing.report import report
from benchmarks.healing.running import Runner
from benchmarks.healing.services import pairs, services
from benchmarks.healing.versions import releases
from benchmarks.measuring import machine

Chosen = Callable[[Case], bool]


def main() -> None:
    """Make cases, heal them, print the tables; exit code 1 where a goal was missed."""
    options = _options()
    part = "unread" if options.unread else options.part
    print(
        f"{date.today()}, {machine()}, part {part}, seed {options.seed}, {options.each} per cause\n",
        flush=True,
    )
    found = [each for each in subjects(part) if not options.package or each.name in options.package]
    measured: list[Measured] = []
    if part == "read" and (not options.set or "services" in options.set):
        with Runner(python("services")) as runner:
            for each in services():
                cases = [case for case in pairs(each, runner) if _is_wanted(case, options)]
                print(f"{each.name}: {len(cases)} cases", flush=True)
                if not options.only_make:
                    measured += _healed(each, cases, runner, options, quiet=False)
    with Runner(python()) as runner:
        for each in found if not options.set or set(options.set) - {"versions", "services"} else ():
            cases = _cases(each, runner, options.seed, options.each, again=options.make_again)
            cases = [case for case in cases if _is_wanted(case, options)]
            if options.sample:
                cases = _sampled(cases, options.sample, options.seed)
            quiet = options.unread
            print(f"{each.name}: {len(cases)} cases" if not quiet else f"{len(cases)} cases", flush=True)
            if not options.only_make:
                measured += _healed(each, cases, runner, options, quiet=quiet)
        if not options.only_make and not options.sample and (not options.set or "versions" in options.set):
            for pair in releases(part, runner):
                if not options.package or pair.subject.name in options.package:
                    measured += _healed(pair.subject, [pair.case], runner, options, quiet=options.unread)
    if not options.only_make:
        sys.exit(not report(measured, sums_only=options.unread))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.healing", description=__doc__)
    parser.add_argument(
        "--unread", action="store_true", help="the part that nobody reads; only sums are printed"
    )
    parser.add_argument(
        "--part",
        choices=("read", "fresh", "later", "third", "fourth", "fifth"),
        default="read",
        help="the packages' part",
    )
    parser.add_argument("--package", action="append", help="only these packages")
    parser.add_argument(
        "--set",
        action="append",
        choices=("refactorings", "bugs", "pairs", "services", "versions"),
        help="only these cases",
    )
    parser.add_argument("--cause", action="append", help="only cases of these causes")
    parser.add_argument("--case", action="append", help="only these cases, by id")
    parser.add_argument("--sample", type=int, default=0, help="at most so many cases per package")
    parser.add_argument("--seed", type=int, default=7, help="the seed of all choices")
    parser.add_argument("--each", type=int, default=1, help="how many cases per cause and package")
    parser.add_argument("--run", default="latest", help="the name under which results are kept, to resume")
    parser.add_argument("--fresh", action="store_true", help="measure again what is kept")
    parser.add_argument(
        "--without-pages", action="store_true", help="bugs without stubs have no manual beside them"
    )
    parser.add_argument("--make-again", action="store_true", help="make and prove cases again")
    parser.add_argument("--only-make", action="store_true", help="heal nothing")
    parser.add_argument(
        "--details", action="store_true", help="one line per case, with reasons (never of `unread`)"
    )
    parser.add_argument("--keep", action="store_true", help="keep the work trees of the healed cases")
    return parser.parse_args()


def _cases(subject: Subject, runner: Runner, seed: int, each: int, *, again: bool) -> list[Case]:
    """The proven cases of a package, made once per seed."""
    kept = FOLDER / "cases" / f"{subject.root.name}-{seed}-{each}.json"
    if again or not kept.is_file():
        kept.parent.mkdir(parents=True, exist_ok=True)
        prover = Prover(subject, runner)
        made = {case.id: case for case in make(prover, seed, each)}
        prover.close()
        kept.write_bytes(msgspec.json.encode(list(made.values())))
    return msgspec.json.decode(kept.read_bytes(), type=list[Case])


def _is_wanted(case: Case, options: argparse.Namespace) -> bool:
    return (
        (not options.set or case.set in options.set)
        and (not options.cause or case.cause in options.cause)
        and (not options.case or case.id in options.case)
    )


def _sampled(cases: Sequence[Case], number: int, seed: int) -> list[Case]:
    """So many of the cases; pairs stay together."""
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(min(case.id, case.twin or case.id), []).append(case)
    order = Random(seed).sample(sorted(groups), len(groups))
    chosen: list[Case] = []
    for name in order:
        if len(chosen) + len(groups[name]) <= number:
            chosen += groups[name]
    return chosen


def _healed(
    subject: Subject, cases: Iterable[Case], runner: Runner, options: argparse.Namespace, *, quiet: bool
) -> list[Measured]:
    folder = FOLDER / "results" / options.run
    folder.mkdir(parents=True, exist_ok=True)
    results = []
    if options.without_pages:
        subject = subject._replace(pages={})
    for case in cases:
        kept = folder / f"{case.id}.json"
        if options.fresh or not kept.is_file():
            measured = measure(case, subject, runner, keep=options.keep and not quiet)
            _write(kept, measured)
        results.append(msgspec.json.decode(kept.read_bytes(), type=Measured))
        if options.details and not quiet:
            _tell(case, results[-1])
    return results


def _write(kept: Path, measured: Measured) -> None:
    beside = kept.with_suffix(".part")
    beside.write_bytes(msgspec.json.encode(measured))
    beside.replace(kept)


def _tell(case: Case, measured: Measured) -> None:
    state = "healed" if measured.is_healed else "WRONG" if measured.is_wrong else "left"
    print(
        f"  {case.label} {state} {measured.rulings} {measured.outcomes} {measured.green}/{measured.red} "
        f"{measured.seconds:.1f} s | {case.cause}: {case.words} | {case.id}"
    )
    for reason in measured.reasons[:3]:
        print(f"      {reason[:200]}")
    if measured.error:
        print(f"      {measured.error}")
    if measured.lost:
        print(f"      asserts less: {', '.join(measured.lost)}")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
