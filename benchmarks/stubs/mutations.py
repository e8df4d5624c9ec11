"""Mutates stubs, checks them against their unchanged code, and counts which mutations are reported."""

from __future__ import annotations

import ast
import shutil
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

from benchmarks.stubs.corpus import WORK, Pair
from benchmarks.stubs.neutral import NEUTRAL
from benchmarks.stubs.operators import OPERATORS, Operator
from benchmarks.stubs.records import Report
from benchmarks.stubs.targets import Target, targets
from benchmarks.stubs.tools import ask_in_process

MOST = 40
"""How many mutations of one operator are made in one package."""
GOAL = 0.97


def measure(pairs: Sequence[Pair], seed: int, details: bool) -> bool:
    """Mutate the stubs of all matching pairs, print recall per operator; whether the goals were met."""
    made: Counter[str] = Counter()
    told: Counter[str] = Counter()
    noise: Counter[str] = Counter()
    files: Counter[str] = Counter()
    missed: list[str] = []
    for pair in pairs:
        if pair.set == "drift":
            continue
        mutant = _Mutant(pair, seed)
        for operator in OPERATORS:
            mutated, silent = mutant.mutate(operator)
            made[operator.name] += mutated
            told[operator.name] += mutated - len(silent)
            missed += [f"{pair.package}: {operator.name}: {symbol}" for symbol in silent]
        for name in NEUTRAL:
            rewritten, findings = mutant.rewrite(name)
            files[name] += rewritten
            noise[name] += len(findings)
            missed += [f"{pair.package}: {name}: {report.symbol}: {report.message}" for report in findings]
    print("\n| mutation | made | reported | recall |\n|---|---|---|---|")
    for operator in OPERATORS:
        count = made[operator.name]
        recall = f"{told[operator.name] / count:.3f}" if count else "–"
        print(f"| {operator.name} | {count} | {told[operator.name]} | {recall} |")
    print("\n| neutral change | stubs | findings |\n|---|---|---|")
    for name in NEUTRAL:
        print(f"| {name} | {files[name]} | {noise[name]} |")
    everything, found = sum(made.values()), sum(told.values())
    print(f"\nrecall over all mutations: {found / max(everything, 1):.3f} ({found} of {everything})")
    if details:
        print("\n".join(["", "not as expected:", *missed]))
    return not sum(noise.values()) and all(
        told[name] >= GOAL * made[name] for name in (operator.name for operator in OPERATORS)
    )


class _Mutant:
    """A copy of a pair whose stubs are changed again and again; what it reports unchanged does not count."""

    def __init__(self, pair: Pair, seed: int) -> None:
        self._pair = pair
        self._seed = seed
        self._project = WORK / "mutants" / pair.package
        shutil.rmtree(self._project, ignore_errors=True)
        shutil.copytree(pair.project, self._project)
        self._stubs = self._project / "stubs"
        self._known = self._check()
        named = {report.symbol for report in self._known}
        self._targets = [
            target
            for target in targets(self._stubs, self._project / "runtime")
            if not any(target.symbol == each or each.startswith(f"{target.symbol}.") for each in named)
        ]

    def mutate(self, operator: Operator) -> tuple[int, list[str]]:
        """Apply an operator at up to `MOST` places at once: how many, and the symbols that were not reported."""
        random = Random(f"{self._seed} {self._pair.package} {operator.name}")
        chosen: list[tuple[Target, ast.stmt]] = []
        for target in random.sample(self._targets, len(self._targets)):
            changed = operator.mutate(target, random)
            if changed is not None and not _overlaps(target, chosen) and len(chosen) < MOST:
                chosen.append((target, changed))
        by_file: dict[Path, list[tuple[Target, ast.stmt]]] = {}
        for each in chosen:
            by_file.setdefault(each[0].file, []).append(each)
        originals = {file: file.read_text(encoding="utf-8") for file in by_file}
        for file, edits in by_file.items():
            file.write_text(_edited(originals[file], edits), encoding="utf-8")
        found = self._check() - self._known
        for file, text in originals.items():
            file.write_text(text, encoding="utf-8")
        told = {report.symbol for report in found if report.kind in operator.told_as}
        return len(chosen), [target.symbol for target, _ in chosen if target.symbol not in told]

    def rewrite(self, name: str) -> tuple[int, list[Report]]:
        """Apply a neutral change to all stubs: how many there are, and what is reported now and was not before."""
        random = Random(f"{self._seed} {self._pair.package} {name}")
        originals = {file: file.read_text(encoding="utf-8") for file in sorted(self._stubs.rglob("*.pyi"))}
        for file, text in originals.items():
            file.write_text(NEUTRAL[name](text, random), encoding="utf-8")
        found = self._check()
        for file, text in originals.items():
            file.write_text(text, encoding="utf-8")
        known = {report.key for report in self._known}
        return len(originals), sorted(report for report in found if report.key not in known)

    def _check(self) -> set[Report]:
        return set(ask_in_process(self._project))


def _overlaps(target: Target, chosen: Iterable[tuple[Target, ast.stmt]]) -> bool:
    """Whether a chosen mutation is within this target or around it."""
    return any(
        f"{target.symbol}.".startswith(f"{other.symbol}.")
        or f"{other.symbol}.".startswith(f"{target.symbol}.")
        for other, _ in chosen
    )


def _edited(text: str, edits: list[tuple[Target, ast.stmt]]) -> str:
    """The text with each target's lines replaced, from the last to the first."""
    lines = text.splitlines()
    for target, statement in sorted(edits, key=lambda edit: -edit[0].stub.lineno):
        node = target.stub
        decorators = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(each.lineno for each in decorators)])
        written = ast.unparse(ast.fix_missing_locations(statement))
        lines[first - 1 : node.end_lineno] = textwrap.indent(written, " " * node.col_offset).splitlines()
    return "\n".join(lines) + "\n"
