"""Runs both tools on the planted demo and counts which of its disagreements each reports."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path
from typing import NamedTuple

from benchmarks.stubs.corpus import WORK, prepare
from benchmarks.stubs.records import Report
from benchmarks.stubs.tools import Answer, ask_crossfact, ask_stubtest

DEMO = Path(__file__).parent / "demo"


class Planted(NamedTuple):
    """One disagreement of the demo, and the kinds of report any of which tells it."""

    symbol: str
    what: str
    told_as: frozenset[str]

    def is_told_by(self, report: Report) -> bool:
        """Whether a report is about this disagreement."""
        return report.symbol == self.symbol and report.kind in self.told_as


def planted() -> list[Planted]:
    """What was planted, in the order of the file."""
    listed = tomllib.loads((DEMO / "expected.toml").read_text(encoding="utf-8"))["planted"]
    return [Planted(each["symbol"], each["what"], frozenset(each["told_as"])) for each in listed]


def measure(details: bool) -> bool:
    """Ask both tools and print; whether crossfact reports all and nothing else."""
    prepare()
    project, store = WORK / "demo", WORK / "stores" / "demo"
    for folder in (project, store):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(DEMO, project)
    store.mkdir(parents=True)
    theirs, ours = ask_stubtest(project, "parcels"), ask_crossfact(project, store / "facts.db")
    expected = planted()
    print(f"\n| planted in the demo ({len(expected)}) | stubtest | crossfact |\n|---|---|---|")
    for each in expected:
        marks = ["yes" if any(map(each.is_told_by, answer.reports)) else "–" for answer in (theirs, ours)]
        print(f"| {each.what} | {marks[0]} | {marks[1]} |")
    good = False
    for name, answer in (("stubtest", theirs), ("crossfact", ours)):
        found, false = _found(expected, answer), _false(expected, answer)
        print(f"{name}: {found} of {len(expected)}, {len(false)} false, {answer.cpu:.2f} s of CPU")
        if details:
            print("\n".join(f"  false: {report.symbol}: {report.kind}: {report.message}" for report in false))
        good = found == len(expected) and not false
    return good


def _found(expected: list[Planted], answer: Answer) -> int:
    return sum(any(map(each.is_told_by, answer.reports)) for each in expected)


def _false(expected: list[Planted], answer: Answer) -> list[Report]:
    """What a tool reports about symbols in which nothing was planted."""
    symbols = {each.symbol for each in expected}
    return [report for report in answer.reports if report.symbol not in symbols]
