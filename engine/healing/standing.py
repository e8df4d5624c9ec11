"""From treatments to how the cases of the checklist stand, with the history of their healing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from engine.generators.files import digest as digest_of
from engine.generators.files import source_of
from engine.healing.records import Result, Treatment
from engine.healing.trials import covers
from engine.running.state import after
from graph.facts import Json
from planner.cases import Case, Status
from planner.validator import Outcome, Verdict

_STATUSES = {
    Result.HEALED: Status.HEALED,
    Result.CODE_WRONG: Status.CODE_WRONG,
    Result.FLAKY: Status.FLAKY,
    Result.ENVIRONMENT: Status.INCONCLUSIVE,
    Result.NEEDS_HUMAN: Status.NEEDS_HUMAN,
}
_WORST = (Result.CODE_WRONG, Result.NEEDS_HUMAN, Result.FLAKY, Result.ENVIRONMENT, Result.HEALED)
_MOST_HISTORY = 20


def standing(
    cases: Sequence[Case],
    treatments: Sequence[Treatment],
    before: Mapping[str, Outcome],
    *,
    revision: int,
    read: Mapping[str, str],
    time: str,
) -> dict[str, Case]:
    """The cases that stand otherwise after healing, by id; `read` has the texts of the files that were healed.

    A test that was green when it was run again has passed. Where a test of several sets of values came to several
    ends, the worst counts.
    """
    found: dict[str, Case] = {}
    for case in cases:
        if not case.node:
            continue
        mine = [each for each in treatments if _concerns(each, case)]
        if mine:
            found[case.id] = _treated(case, mine, revision, read, time)
        elif (ran := _own(case, before)) and all(each.verdict is Verdict.PASSED for each in ran):
            found[case.id] = after(case, ran, revision, expected_red=False)
    return found


def _concerns(treatment: Treatment, case: Case) -> bool:
    if treatment.result is Result.PROPOSED:
        return False
    return any(covers(case.node, node) or node == case.node.partition("::")[0] for node in treatment.nodes)


def _own(case: Case, outcomes: Mapping[str, Outcome]) -> list[Outcome]:
    return [each for node, each in outcomes.items() if covers(case.node, node)]


def _treated(
    case: Case, treatments: Sequence[Treatment], revision: int, read: Mapping[str, str], time: str
) -> Case:
    worst = min(treatments, key=lambda each: _WORST.index(_result(each, case)))
    result = _result(worst, case)
    status = _STATUSES[result]
    analysis = next((each for each in worst.analyses if covers(case.node, each.node)), worst.analyses[0])
    attempts = sum(len(each.proposals) for each in treatments)
    history = [*case.healing_history, *(_history(each, case, time) for each in treatments)]
    healed = status is Status.HEALED
    return msgspec.structs.replace(
        case,
        status=status,
        digest=_digest(case, read) if healed else case.digest,
        last_passed_revision=revision if healed else case.last_passed_revision,
        last_error="" if healed else f"{analysis.exception}: {analysis.message}".partition("\n")[0][:300],
        error_category=str(analysis.category),
        analysis=f"{worst.judgement.ruling}: {worst.judgement.reason}",
        retry_count=case.retry_count + attempts,
        healing_history=tuple(history[-_MOST_HISTORY:]),
    )


def _result(treatment: Treatment, case: Case) -> Result:
    """What became of one case in a treatment, which may have healed some of its tests only."""
    if treatment.result is not Result.HEALED:
        return treatment.result
    return Result.HEALED if any(covers(case.node, each) for each in treatment.healed) else Result.NEEDS_HUMAN


def _history(treatment: Treatment, case: Case, time: str) -> dict[str, Json]:
    kept = [each for each in treatment.proposals if each.outcome.startswith(("green", "got on"))]
    told: dict[str, Json] = {
        "time": time,
        "result": str(_result(treatment, case)),
        "ruling": str(treatment.judgement.ruling),
        "reason": treatment.judgement.reason,
        "evidence": list(treatment.judgement.evidence),
    }
    if treatment.since:
        told["since"] = treatment.since
    if kept:
        told["healer"] = kept[-1].healer
        told["methods"] = list(dict.fromkeys(name for each in kept for name in each.methods))
    if tried := [f"{each.healer}: {each.outcome}" for each in treatment.proposals if each not in kept]:
        told["tried"] = list[Json](tried)
    return told


def _digest(case: Case, read: Mapping[str, str]) -> str:
    """The digest of a healed test's source: it is still ours, and nobody edited it by hand."""
    path, _, name = case.node.partition("::")
    source = source_of(read[path], name) if path in read and case.digest else None
    return digest_of(source) if source is not None else case.digest


def files_of(treatments: Iterable[Treatment]) -> set[str]:
    """The files of the tests that were healed."""
    return {node.partition("::")[0] for each in treatments for node in each.healed}
