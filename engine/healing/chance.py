"""Which tests fail by chance: running them again on the same code decides, a bounded number of times."""

from __future__ import annotations

from collections.abc import Sequence

from engine.healing.records import Result, Treatment
from engine.healing.trials import Trials
from engine.healing.ward import Group
from healer.analysis import Analysis
from healer.evidence import Judgement, Ruling
from planner.validator import Verdict

_REPEATS = 2
_MAY_BE_CHANCE = frozenset({Verdict.FAILED, Verdict.BROKEN})


def by_chance(groups: Sequence[Group], trials: Trials) -> dict[str, Analysis]:
    """The analyses, by their nodes, of tests that are green when they are run again.

    One test of each group is run twice more; where it is green once, all of its group are.
    """
    doubtful = [
        group.analyses
        for group in groups
        if "::" in group.nodes[0] and trials.known[group.nodes[0]].verdict in _MAY_BE_CHANCE
    ]
    found: dict[str, Analysis] = {}
    for _ in range(_REPEATS if doubtful else 0):
        first = [analyses for analyses in doubtful if analyses[0].node not in found]
        green = _green([analyses[0] for analyses in first], trials)
        others = [each for analyses in first if analyses[0].node in green for each in analyses[1:]]
        found |= green | _green(others, trials)
    return found


def flaky(analysis: Analysis) -> Treatment:
    """The treatment of a test that fails by chance."""
    reason = "It is green on the same code when it is run again."
    judgement = Judgement(ruling=Ruling.FLAKY, reason=reason, confidence=1.0)
    return Treatment(analyses=(analysis,), judgement=judgement, result=Result.FLAKY)


def _green(analyses: Sequence[Analysis], trials: Trials) -> dict[str, Analysis]:
    outcomes = trials.run([each.node for each in analyses], honest=False)
    return {
        each.node: each
        for each in analyses
        if each.node in outcomes and outcomes[each.node].verdict is Verdict.PASSED
    }
