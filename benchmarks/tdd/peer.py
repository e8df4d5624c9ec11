"""schemathesis on the same mutants, with the same pinned contract: what it notices, and how long it takes."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from benchmarks.drift.environment import WORK, environment
from benchmarks.tdd.applications import Subject
from benchmarks.tdd.measuring import Measured, Mutated, changed
from benchmarks.tdd.running import REQUIREMENTS

_DRIVER = Path(__file__).with_name("peer_driver.py")
_SCHEMATHESIS = "schemathesis==4.32.5"


class Found(msgspec.Struct, frozen=True):
    """What schemathesis said of one version of an application: the operations and checks that failed."""

    name: str
    failures: frozenset[tuple[str, str]] = frozenset()
    seconds: float = 0.0
    error: str = ""


def compare(
    subjects: Sequence[Subject], measured: Sequence[Measured], limit: int, mutants: int, seed: int
) -> None:
    """Run schemathesis on evenly `limit` of the applications and print its figures beside ours on the same mutants.

    It notices a mutant where some check fails on an operation on which it holds for the reference.
    """
    usable = {each.name: each for each in measured if not each.error}
    subjects = [each for each in subjects if each.name in usable]
    step = max(1.0, len(subjects) / limit)
    chosen = [subjects[int(number * step)] for number in range(min(limit, len(subjects)))]
    found = _run(task for each in chosen for task in _tasks(each, changed(each, mutants, seed)))
    mutated: list[tuple[Mutated, bool]] = []
    clean = 0
    for subject in chosen:
        reference = found.get(f"{subject.name}|reference")
        if reference is None or reference.error:
            continue
        clean += not reference.failures
        for mutant in usable[subject.name].mutants:
            told = found.get(f"{subject.name}|{mutant.name}")
            if told is not None and not told.error:
                mutated.append((mutant, bool(told.failures - reference.failures)))
    _print(mutated, found.values(), len(chosen), clean)


def _tasks(
    subject: Subject, made: Iterable[tuple[str, str, int, dict[str, str]]]
) -> Iterable[dict[str, object]]:
    contract = subject.specs / "openapi.json"
    task = {"folder": str(subject.code), "module": subject.module, "contract": str(contract)}
    yield {**task, "name": f"{subject.name}|reference"}
    for name, _, _, sources in made:
        yield {**task, "name": f"{subject.name}|{name}", "sources": sources}


def _run(tasks: Iterable[dict[str, object]]) -> dict[str, Found]:
    python = environment("tdd-schemathesis", (*REQUIREMENTS, _SCHEMATHESIS), WORK)
    done = subprocess.run(
        [str(python), "-W", "ignore", str(_DRIVER)],
        input="".join(json.dumps(task) + "\n" for task in tasks),
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"},
    )
    if done.returncode:
        raise SystemExit(f"the driver of schemathesis failed:\n{done.stderr[-3000:]}")
    answers = (msgspec.json.decode(line, type=Found) for line in done.stdout.splitlines())
    return {each.name: each for each in answers}


def _print(mutated: Sequence[tuple[Mutated, bool]], found: Iterable[Found], chosen: int, clean: int) -> None:
    runs = [each for each in found if not each.error]
    print(f"\n{_SCHEMATHESIS} beside it, {chosen} applications ({clean} without a failure on the reference),")
    print(f"  {sum(each.seconds for each in runs) / max(1, len(runs)):.1f} seconds per run")
    for words, some in (
        ("mutants", mutated),
        ("those that break the contract", [each for each in mutated if each[0].label == "spec-breaking"]),
        ("those that the project kills", [each for each in mutated if each[0].killed_by_own]),
    ):
        ours, theirs = sum(each.killed for each, _ in some), sum(killed for _, killed in some)
        print(
            f"  {words:<34} {len(some):4}: ours {ours / max(1, len(some)):.3f}, it {theirs / max(1, len(some)):.3f}"
        )
