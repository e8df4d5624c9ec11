"""Runs all operators on all applications of a framework and counts what is found."""

from __future__ import annotations

import copy
import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import msgspec

from benchmarks.drift.applicability import still_agrees
from benchmarks.drift.applications.registry import FRAMEWORKS
from benchmarks.drift.contract import Contract
from benchmarks.drift.environment import truths
from benchmarks.drift.judging import false_of_neutral, is_found, judge_true, route, shown
from benchmarks.drift.operators.registry import OPERATORS
from benchmarks.drift.records import Application, Framework, Truth
from benchmarks.drift.subject import Subject, prepare


class Options(msgspec.Struct, frozen=True):
    """What to run: the seed, how many changes per operator and application, and whether each spelling counts."""

    work: Path
    seed: int = 1
    changes: int = 3
    all_spellings: bool = False
    operators: tuple[str, ...] = ()


class Score(msgspec.Struct):
    """The counts of one application."""

    name: str
    operations: int = 0
    found: int = 0
    false: list[str] = []
    true: int = 0
    unknown: list[str] = []
    made: dict[str, int] = {}
    told: dict[str, int] = {}
    missed: list[str] = []
    neutral: dict[str, int] = {}
    neutral_false: list[str] = []


class Skip(msgspec.Struct, frozen=True):
    """An application of which nothing could be measured, and why."""

    name: str
    reason: str


def choose(
    framework: Framework, part: str, options: Options
) -> tuple[list[tuple[Application, Truth]], list[Skip], int]:
    """The applications of a part with their truths, those without one, and how many near duplicates were left out."""
    every = list(framework.applications(options.work))
    told = truths(framework, every, options.work)
    chosen, skipped, seen, twice = [], [], set(), 0
    for application in every:
        if application.part != part:
            continue
        truth = _with_contract(application, told[application.name])
        if truth.error or not (truth.contract or {}).get("paths"):
            skipped.append(Skip(application.name, truth.error or "no operations"))
            continue
        identity = (application.family, _digest(truth))
        if identity in seen and not options.all_spellings:
            twice += 1
            continue
        seen.add(identity)
        chosen.append((application, truth))
    return chosen, skipped, twice


def _with_contract(application: Application, truth: Truth) -> Truth:
    if application.contract is None:
        return truth
    written = json.loads(application.contract.read_text())
    return msgspec.structs.replace(truth, contract=written)


def _digest(truth: Truth) -> str:
    return hashlib.sha256(json.dumps(truth.contract, sort_keys=True).encode()).hexdigest()


def measure(
    framework: Framework, part: str, options: Options, jobs: int
) -> tuple[list[Score], list[Skip], int]:
    """The scores of all applications of one part, what was skipped, and how many near duplicates there were."""
    chosen, skipped, twice = choose(framework, part, options)
    tasks = [(framework.name, application, truth, options) for application, truth in chosen]
    if jobs < 2:
        return [_score(*task) for task in tasks], skipped, twice
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(_score, *zip(*tasks, strict=True), chunksize=4)), skipped, twice


def _score(name: str, application: Application, truth: Truth, options: Options) -> Score:
    framework = next(each for each in FRAMEWORKS if each.name == name)
    subject = prepare(framework, application, truth, options.work)
    return score(subject, framework, truth, options)


def score(subject: Subject, framework: Framework, truth: Truth, options: Options) -> Score:
    """What is found of the changes of a true contract, which `truth` must have, and what is claimed of it unchanged."""
    assert truth.contract is not None, "applications without a contract were left out"
    contract = Contract(truth.contract, framework.own_responses)
    operations = {
        route(each.method, each.path): route(each.method, contract.base + each.path)
        for each in contract.operations
    }
    base = judge_true(subject, truth, operations, subject.check(truth.contract))
    counted = Score(truth.name, base.operations, base.found, shown(base.false), len(base.true))
    counted.unknown = [f"{each.subject} [{each.aspect}] {each.reason}" for each in base.answer.unknown]
    for operator in OPERATORS:
        if options.operators and operator.name not in options.operators:
            continue
        changes = [
            change
            for change in operator.changes(contract)
            if operator.neutral or not still_agrees(framework.name, operator.name, contract, change)
        ]
        # A seed of its own for each place, so that a new operator or application changes no other's choice.
        chooser = random.Random(f"{options.seed} {truth.name} {operator.name}")
        for change in chooser.sample(changes, min(options.changes, len(changes))):
            mutant = copy.deepcopy(truth.contract)
            change.apply(mutant)
            answer = subject.check(mutant)
            if operator.neutral:
                false = false_of_neutral(base.answer, answer)
                counted.neutral[operator.name] = counted.neutral.get(operator.name, 0) + 1
                counted.neutral_false += [f"{operator.name}: {line}" for line in shown(false)]
            else:
                _count(counted, operator.name, change.place, is_found(change, base.answer, answer))
    return counted


def _count(score: Score, operator: str, place: str, found: bool) -> None:
    score.made[operator] = score.made.get(operator, 0) + 1
    if found:
        score.told[operator] = score.told.get(operator, 0) + 1
    else:
        score.missed.append(f"{operator}: {place}")


def total(counts: Iterable[dict[str, int]]) -> Counter[str]:
    """The sums of several counts."""
    found: Counter[str] = Counter()
    for each in counts:
        found.update(each)
    return found
