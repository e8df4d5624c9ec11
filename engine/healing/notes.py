"""What a run of healing leaves behind: in the audit trail, the queue of reviews, the checklist and what was learned."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence

import msgspec

from engine.audit import record
from engine.healing.learning import Learning
from engine.healing.made import Heals, Made
from engine.healing.queue import Queue
from engine.healing.records import Result, Treatment
from engine.healing.standing import files_of, standing
from engine.journal import Journal
from engine.planning import checklist_file
from engine.project import Project
from engine.running.dependencies import Dependencies
from planner.cases import Case
from planner.checklist import Checklist, save
from planner.validator import Outcome

_ACTIONS = {
    Result.HEALED: "heal",
    Result.CODE_WRONG: "code-wrong",
    Result.FLAKY: "flaky",
    Result.ENVIRONMENT: "environment",
    Result.NEEDS_HUMAN: "review",
}


def noted(
    project: Project, treatments: Sequence[Treatment], queue: Queue, green: Sequence[str]
) -> list[Treatment]:
    """The treatments, those that a person has to decide with their entry in the queue; all in the audit trail."""
    kept = []
    for each in treatments:
        if each.result is Result.NEEDS_HUMAN:
            each = msgspec.structs.replace(each, review=queue.add(each).id)
        kept.append(each)
        by = next((it.healer for it in reversed(each.proposals) if it.outcome.startswith("green")), "rule")
        record(
            project,
            _ACTIONS[each.result],
            by,
            nodes=list(each.nodes),
            ruling=str(each.judgement.ruling),
            reason=each.judgement.reason,
            cites=list(each.judgement.evidence),
            since=each.since,
            tried=[f"{it.healer}: {it.outcome}" for it in each.proposals],
            diff=each.diff,
            review=each.review,
            undo=each.undo,
        )
    queue.settle(kept, green)
    return kept


def unlearn(
    project: Project,
    learning: Learning,
    queue: Queue,
    offered: Collection[str],
    heals: Heals,
    undone: Sequence[Made],
) -> None:
    """Take note of heals that a person took back: they failed, and are not made again.

    `offered` are the keys of those that were offered again, `undone` the heals whose files read as before.
    """
    attempts = {*offered, *(key for each in undone for key in each.attempts)}
    if not attempts:
        return
    learning.unlearn(attempts)
    queue.turn_down(attempts)
    those = [each for each in heals.all() if attempts.issuperset(each.attempts)]
    nodes = dict.fromkeys(node for each in those for node in each.nodes)
    record(
        project,
        "revert",
        "human",
        attempts=sorted(attempts),
        nodes=list(nodes),
        undo=[each.id for each in those],
    )
    for each in those:
        heals.remove(each)


def write_down(
    project: Project,
    checklist: Checklist,
    cases: Sequence[Case],
    treatments: Sequence[Treatment],
    before: Mapping[str, Outcome],
    *,
    read: Callable[[str], str | None],
    level: str,
) -> None:
    """Save in the checklist how the cases stand that were treated, if any stands otherwise than before."""
    changed = standing(
        cases,
        treatments,
        before,
        revision=project.store.revision,
        read={path: read(path) or "" for path in files_of(treatments)},
        time=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    )
    if changed:
        save(checklist_file(project), checklist, _with_dependencies(project, cases, changed, level))
        Journal(project).end()


def _with_dependencies(
    project: Project, cases: Sequence[Case], changed: dict[str, Case], level: str
) -> list[Case]:
    """All cases; those that changed know what they ran with."""
    dependencies = Dependencies(project.root, project.store)
    return [
        msgspec.structs.replace(changed[case.id], ran_with=dependencies.of(changed[case.id]), sandbox=level)
        if case.id in changed
        else case
        for case in cases
    ]
