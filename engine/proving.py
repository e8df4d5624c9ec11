"""Proves tests on twins: green on each that keeps the spec, red on each that breaks what the test cites."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from engine.twins.http import VARIANTS
from engine.twins.mutations import mutations
from engine.twins.runs import Run, Twins
from graph.source import FactSource
from planner.cases import Case, Proof, Status
from planner.operations import Operation, read_operations
from planner.promises import promised
from planner.validator import Job, Outcome, Validator, Verdict

_HOME = Path(__file__).parent.parent
_RED = frozenset({Verdict.FAILED, Verdict.BROKEN, Verdict.MISSING})


def prove(root: Path, cases: Sequence[Case], source: FactSource, validator: Validator) -> dict[str, Case]:
    """The cases that were tried on twins, by id, each with its figures; a test that does not reach them is `REJECTED`.

    The tests' files are copied into a temporary folder, so that nothing of the project is imported. Cases whose
    technique twins cannot show are left out.
    """
    operations = promised(read_operations(source), cases)
    by_key = {operation.key: operation for operation in operations}
    runs: dict[str, dict[str, tuple[Run, ...]]] = {}
    tried: list[Case] = []
    for case in cases:
        operation = by_key.get(str(case.target.get("operation")))
        if operation is None or not case.node:
            continue
        reader = by_key.get(str(case.target.get("read")))
        broken = tuple(mutations(case, operation, reader))
        path, _, name = case.node.partition("::")
        runs.setdefault(path, {})[name] = (
            *(Run(number) for number in range(len(VARIANTS))),
            *(Run(0, mutation) for mutation in broken),
        )
        tried.append(case)
    outcomes: dict[str, list[Outcome]] = {}
    with tempfile.TemporaryDirectory(prefix="crossfact-twins-") as folder:
        jobs = _jobs(root, Path(folder), operations, runs)
        for outcome in validator.run_many(jobs):
            outcomes.setdefault(_key(outcome.node), []).append(outcome)
    return {case.id: _judged(case, outcomes.get(_key(case.node), []), runs) for case in tried}


def _jobs(
    root: Path, folder: Path, operations: Sequence[Operation], runs: Mapping[str, dict[str, tuple[Run, ...]]]
) -> list[Job]:
    jobs = []
    for number, (path, by_name) in enumerate(sorted(runs.items())):
        place = folder / str(number)
        place.mkdir()
        name = Path(path).name
        (place / name).write_bytes((root / path).read_bytes())
        twins = place / "twins.json"
        twins.write_bytes(msgspec.json.encode(Twins(tuple(operations), by_name)))
        jobs.append(
            Job(
                root=place,
                nodes=tuple(f"{name}::{each}" for each in by_name),
                python=Path(sys.executable),
                seconds=10.0,
                environment={"CROSSFACT_TWINS": str(twins), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
                plugins=("engine.twins.plugin",),
                paths=(_HOME,),
                options=("--noconftest",),
            )
        )
    return jobs


def _key(node: str) -> str:
    """The name of the file and of the function: node ids in the temporary folder lack the path."""
    path, _, name = node.partition("::")
    return f"{Path(path).name}::{name.partition('[')[0]}"


def _judged(case: Case, outcomes: Sequence[Outcome], runs: Mapping[str, dict[str, tuple[Run, ...]]]) -> Case:
    path, _, name = case.node.partition("::")
    mine = runs[path][name]
    green = killed = 0
    reason = ""
    for outcome in outcomes:
        number = _number(outcome.node)
        if number is None or number >= len(mine):
            reason = reason or f"{outcome.exception} {outcome.message}".strip()
            continue
        run = mine[number]
        if run.mutation is None:
            if outcome.verdict is Verdict.PASSED:
                green += 1
            else:
                said = f"{outcome.exception}: {outcome.message}".splitlines()[0]
                reason = reason or f"red on the twin {VARIANTS[run.variant].name}: {said}"
        elif outcome.verdict in _RED:
            killed += 1
        else:
            told = " ".join(str(each) for each in (run.mutation.place, run.mutation.keyword) if each)
            reason = reason or f"does not notice the broken claim {run.mutation.kind} {told}".rstrip()
    count = sum(run.mutation is None for run in mine)
    proof = Proof(
        twins=count, twins_green=green, mutants=len(mine) - count, mutants_killed=killed, reason=reason
    )
    status = case.status
    if not proof.holds and status is Status.GENERATED:
        status = Status.REJECTED
    return msgspec.structs.replace(
        case, proof=proof, status=status, last_error=reason if status is Status.REJECTED else ""
    )


def _number(node: str) -> int | None:
    inside = node.partition("[")[2].rstrip("]")
    return int(inside) if inside.isdigit() else None
