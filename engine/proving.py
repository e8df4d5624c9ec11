"""Proves tests on twins: green on each that keeps the spec, red on each that breaks what the test cites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from engine.generators.operations.stage import Stage
from engine.generators.stories.completing import renamed
from engine.twins.criterion_mutations import told_mutations
from engine.twins.mutations import mutations
from engine.twins.replies import VARIANTS
from engine.twins.runs import Run, Twins
from engine.twins.trying import RED, OnTwins, key_of, outcomes_on_twins, run_of, with_proof
from graph.facts import Fact
from graph.source import FactSource
from planner.cases import Case, Proof
from planner.stories.asked import Asked, asked_by, taken_requests
from planner.stories.carriers import carriers
from planner.stories.exchanges import Exchange, UnclearExchange
from planner.stories.promises import promised
from planner.stories.told_facts import told_facts
from planner.validator import Outcome, Validator, Verdict


def prove(root: Path, cases: Sequence[Case], source: FactSource, validator: Validator) -> dict[str, Case]:
    """The cases that were tried on twins, by id, each with its figures; a test that does not reach them is `REJECTED`.

    The tests' files are copied into a temporary folder, so that nothing of the project is imported. Cases whose
    technique twins cannot show are left out.
    """
    operations = promised(carriers(source), cases)
    by_key = {operation.key: operation for operation in operations}
    runs: dict[str, dict[str, tuple[Run, ...]]] = {}
    told: dict[str, dict[str, tuple[Exchange, ...]]] = {}
    criteria = told_facts(source)
    taken = {key: asked for key, (asked, _) in taken_requests(criteria.values(), operations).items()}
    stage = Stage(operations)
    tried: list[Case] = []
    for case in cases:
        operation = by_key.get(str(case.target.get("operation")))
        if operation is None or not case.node:
            continue
        reader = by_key.get(str(case.target.get("read")))
        path, _, name = case.node.partition("::")
        exchanges = _exchanges(case, criteria, stage, taken)
        told.setdefault(path, {})[name] = exchanges
        broken = (*mutations(case, operation, reader), *told_mutations(exchanges, operation))
        runs.setdefault(path, {})[name] = (
            *(Run(number) for number in range(len(VARIANTS))),
            *(Run(0, mutation) for mutation in broken),
        )
        tried.append(case)
    files = {
        path: OnTwins(list(by_name), Twins(tuple(operations), by_name, told[path]))
        for path, by_name in runs.items()
    }
    outcomes = outcomes_on_twins(
        root, files, validator, plugin="engine.twins.plugin", variable="CROSSFACT_TWINS"
    )
    return {case.id: _judged(case, outcomes.get(key_of(case.node), []), runs) for case in tried}


def _exchanges(
    case: Case, criteria: Mapping[str, Fact], stage: Stage, taken: Mapping[str, Asked]
) -> tuple[Exchange, ...]:
    """What the criterion of a case tells of requests and their answers; empty where its test is of something else."""
    criterion = criteria.get(str(case.target.get("criterion")))
    if criterion is None or case.target.get("like") != "told":
        return ()
    try:
        asked = asked_by(case, criterion, [*stage.operations.values()], taken)
        if any(each.exchange.completed for each in asked):
            asked = renamed(asked, stage.of(case.id))
        return tuple(each.exchange for each in asked)
    except UnclearExchange:
        return ()


def _judged(case: Case, outcomes: Sequence[Outcome], runs: Mapping[str, dict[str, tuple[Run, ...]]]) -> Case:
    path, _, name = case.node.partition("::")
    mine = runs[path][name]
    green = killed = 0
    reason = ""
    for outcome in outcomes:
        number = run_of(outcome)
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
        elif outcome.verdict in RED:
            killed += 1
        else:
            told = " ".join(str(each) for each in (run.mutation.place, run.mutation.keyword) if each)
            reason = reason or f"does not notice the broken claim {run.mutation.kind} {told}".rstrip()
    count = sum(run.mutation is None for run in mine)
    proof = Proof(
        twins=count, twins_green=green, mutants=len(mine) - count, mutants_killed=killed, reason=reason
    )
    return with_proof(case, proof)
