"""`make bench-stubs`: agreement with stubtest, recall per mutation, false findings, the demo, and the time ratio."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections import Counter
from collections.abc import Iterable
from datetime import date
from statistics import mean, median

from benchmarks.measuring import machine
from benchmarks.stubs.agreement import Agreement, Judgement, Verdict, compare, judgements
from benchmarks.stubs.automatic import settle
from benchmarks.stubs.corpus import PARTS, WORK, Pair, pairs
from benchmarks.stubs.tools import Answer, ask_crossfact, ask_stubtest, warm_up

STORES = WORK / "stores"


def main() -> None:
    """Measure what was asked for and print it; exit code 1 where a goal was missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stubs", description=__doc__)
    parser.add_argument("--part", choices=PARTS, default="read", help="which packages (default: read)")
    parser.add_argument(
        "--only", choices=("agreement", "mutations", "demo"), action="append", help="leave the rest out"
    )
    parser.add_argument(
        "--details", action="store_true", help="list what was not judged yet (not of the part `unread`)"
    )
    parser.add_argument(
        "--rounds", type=int, default=1, help="how often both tools run on each pair; medians are told"
    )
    parser.add_argument("--seed", type=int, default=4, help="the seed of the mutator")
    options = parser.parse_args()
    wanted = options.only or ["agreement", "mutations", "demo"]
    print(f"{date.today()}, {machine()}\n")
    good = True
    if "agreement" in wanted:
        good &= agreement(options.part, options.details and options.part != "unread", options.rounds)
    if "mutations" in wanted:
        from benchmarks.stubs.mutations import measure

        good &= measure(pairs(options.part), options.seed, options.details and options.part != "unread")
    if "demo" in wanted:
        from benchmarks.stubs.planted import measure as measure_demo

        good &= measure_demo(options.details)
    sys.exit(not good)


def agreement(part: str, details: bool, rounds: int) -> bool:
    """Set both tools beside each other on every pair of a part, and print; whether all goals were met."""
    judged = judgements() if part != "unread" else []
    rows: dict[str, list[Agreement]] = {"matching": [], "drift": []}
    times: list[tuple[Answer, Answer, Answer]] = []
    print(
        "| set | package | stubtest's that count | found | ours in all | ours false or unjudged | CPU s: stubtest "
        "| crossfact, cold | unchanged |\n|---|---|---|---|---|---|---|---|---|"
    )
    compared = [each for each in pairs(part) if each.set in rows]
    warm_up(compared[0].project)
    for pair in compared:
        agreed, answers = _one(pair, judged, rounds)
        rows[pair.set].append(agreed)
        times.append(answers)
        (found, counted), (wrong, all_ours) = agreed.found, agreed.false
        cpu = " | ".join(f"{answer.cpu:.2f}" for answer in answers)
        print(
            f"| {pair.set} | {pair.package} | {counted} | {found} | {all_ours} | {wrong} | {cpu} |",
            flush=True,
        )
    good = _summary(part, rows, times)
    if details:
        _details([each for agreed in rows.values() for each in agreed])
    return good


def _one(pair: Pair, judged: list[Judgement], rounds: int) -> tuple[Agreement, tuple[Answer, Answer, Answer]]:
    store = STORES / pair.set / pair.package
    asked: list[tuple[Answer, Answer, Answer]] = []
    for _ in range(rounds):
        shutil.rmtree(store, ignore_errors=True)
        store.mkdir(parents=True)
        theirs = ask_stubtest(pair.project, pair.module)
        cold = ask_crossfact(pair.project, store / "facts.db")
        asked.append((theirs, cold, ask_crossfact(pair.project, store / "facts.db")))
    theirs, cold, again = (_median([each[index] for each in asked]) for index in range(3))
    agreed = compare(pair.package, cold.reports, theirs.reports, judged)
    return settle(pair, agreed), (theirs, cold, again)


def _median(answers: list[Answer]) -> Answer:
    """The same reports with the medians of the times."""
    cpu, wall = (median(getattr(answer, field) for answer in answers) for field in ("cpu", "wall"))
    return answers[0]._replace(cpu=cpu, wall=wall)


def _summary(part: str, rows: dict[str, list[Agreement]], times: list[tuple[Answer, Answer, Answer]]) -> bool:
    everything = [agreed for each in rows.values() for agreed in each]
    print()
    for set_, agreements in rows.items():
        found, counted = _sums(agreed.found for agreed in agreements)
        recalls = [agreed.found[0] / agreed.found[1] for agreed in agreements if agreed.found[1]]
        average = f", {mean(recalls):.3f} averaged over {len(recalls)} packages" if recalls else ""
        print(f"{set_}: {found} of {counted} of stubtest's reports found{average}")
    verdicts = Counter((each.ours, each.verdict) for agreed in everything for each in agreed.disagreements)
    for ours in (True, False):
        who = "only ours" if ours else "only stubtest's"
        told = ", ".join(
            f"{verdicts[ours, verdict]} {verdict}" for verdict in Verdict if verdicts[ours, verdict]
        )
        print(f"{who}: {told or 'none'}")
    if part == "unread":
        _by_kind(everything)
    wrong, all_ours = _sums(agreed.false for agreed in everything)
    print(f"ours that are false or unjudged: {wrong} of {all_ours}")
    for field, name in (("wall", "wall time"), ("cpu", "CPU time")):
        theirs, cold, again = (sum(getattr(answers[at], field) for answers in times) for at in range(3))
        print(
            f"{name}: stubtest {theirs:.1f} s, crossfact {cold:.1f} s cold ({theirs / cold:.1f} times faster), "
            f"{again:.1f} s unchanged ({theirs / again:.1f} times faster)"
        )
    found, counted = _sums(agreed.found for agreed in everything)
    if part == "unread":
        return True
    return found >= 0.95 * counted and wrong <= 0.05 * max(all_ours, 1) and theirs >= 10 * cold


def _by_kind(agreements: list[Agreement]) -> None:
    """How many reports of each kind only one tool makes: all that is told of what nobody reads."""
    for ours in (True, False):
        kinds = Counter(
            each.report.kind for agreed in agreements for each in agreed.disagreements if each.ours is ours
        )
        told = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
        print(f"{'only ours' if ours else 'only stubtest'}, by kind: {told or 'none'}")


def _sums(figures: Iterable[tuple[int, int]]) -> tuple[int, int]:
    listed = list(figures)
    return sum(each[0] for each in listed), sum(each[1] for each in listed)


def _details(agreements: list[Agreement]) -> None:
    print("\nnot judged:")
    for agreed in agreements:
        for each in agreed.disagreements:
            if each.verdict is Verdict.UNJUDGED:
                who = "ours" if each.ours else "stubtest"
                print(
                    f"  {each.package}: {who}: {each.report.symbol}: {each.report.kind}: {each.report.message}"
                )


if __name__ == "__main__":
    main()
