"""Which red tests say exactly what today's specs say: their own twins, made from the specs alone, are green."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.healing.trials import covers
from engine.project import Project
from engine.proving import prove
from engine.proving_functions import prove_functions
from engine.running.runner import PytestValidator
from healer.analysis import Analysis
from healer.evidence import Judgement, Ruling
from healer.healer import Lookup
from planner.cases import Case
from planner.validator import Outcome, Validator, Verdict

_ABOUT_CODE = frozenset({Verdict.FAILED, Verdict.MISSING})


def backed(
    project: Project,
    red: Mapping[str, Outcome],
    cases: Iterable[Case],
    validator: Validator | None = None,
) -> dict[str, Case]:
    """The red tests, by node, whose cases are green on every twin of today's specs and notice each claim broken.

    Such a test is neither stale nor wrong: what is red is the code.
    """
    suspects = [
        case
        for case in cases
        if case.proof is not None
        and any(covers(case.node, node) and outcome.verdict in _ABOUT_CODE for node, outcome in red.items())
    ]
    if not suspects:
        return {}
    runner = validator or PytestValidator()
    proven = {
        **prove(project.root, suspects, project.store, runner),
        **prove_functions(project.root, suspects, project.store, runner),
    }
    holding = [case for case in proven.values() if case.proof is not None and case.proof.holds]
    return {
        node: case
        for case in holding
        for node, outcome in red.items()
        if covers(case.node, node) and outcome.verdict in _ABOUT_CODE
    }


def code_is_wrong(analyses: Sequence[Analysis], known: Mapping[str, Case], now: Lookup) -> Judgement | None:
    """The judgement about tests that are all backed by their specs; None where one is not, or fails by an inference.

    It cites what the specs say, and what the code has instead.
    """
    cases = [known.get(each.node) for each in analyses]
    cited = [fact for case in cases if case is not None for fact in case.cites]
    if not cited or any(case is None for case in cases) or any(each.is_inferred for each in analyses):
        return None
    of_code = [f"code:{each.partition(':')[2]}" for each in cited]
    return Judgement(
        ruling=Ruling.CODE_WRONG,
        reason="The test says what the specs say: it holds on stand-ins made from them, and not on the code.",
        evidence=tuple(dict.fromkeys((*cited, *(each for each in of_code if now(each) is not None)))),
        confidence=1.0,
    )
