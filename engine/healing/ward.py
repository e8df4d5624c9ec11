"""What is known about the failures of one run: who is wrong, since when, and what a healer is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from crossval.findings import Finding
from engine.healing.offering import Limits, Offers
from engine.healing.past import Past, Since, lookup
from engine.healing.proven import code_is_wrong
from engine.healing.records import Cited, Proposal, Result, Treatment
from engine.healing.showing import Showing
from engine.healing.trials import Trials, is_red
from engine.project import Project
from graph.statements import statement
from healer.analysing.analysing import analyse
from healer.analysing.clusters import clustered
from healer.analysis import Analysis
from healer.editing.methods import DEFAULTS, Thresholds
from healer.evidence import Judgement, Ruling
from healer.healer import Patient
from healer.judging.judging import judge
from planner.cases import Case
from planner.validator import Outcome

_HEALABLE = frozenset({Ruling.TEST_STALE, Ruling.TEST_WRONG})
_RESULTS = {
    Ruling.CODE_WRONG: Result.CODE_WRONG,
    Ruling.FLAKY: Result.FLAKY,
    Ruling.ENVIRONMENT: Result.ENVIRONMENT,
}
_OFFERED = 3


class Group(msgspec.Struct, frozen=True):
    """Failures of one cause, with who is wrong."""

    analyses: tuple[Analysis, ...]
    judgement: Judgement

    @property
    def nodes(self) -> tuple[str, ...]:
        """The tests."""
        return tuple(each.node for each in self.analyses)

    @property
    def is_healable(self) -> bool:
        """Whether the tests are what is to be changed."""
        return self.judgement.ruling in _HEALABLE


class Ward:
    """Knows the failures of one run, and how much may still be tried."""

    def __init__(
        self,
        project: Project,
        trials: Trials,
        past: Past,
        offers: Offers,
        *,
        read: Callable[[str], str | None],
        folder: Path,
        cases: dict[str, Case],
        findings: Sequence[Finding] = (),
        limits: Limits | None = None,
        dry: bool = False,
        hint: str = "",
        thresholds: Thresholds = DEFAULTS,
        backed: Mapping[str, Case] | None = None,
        showing: Showing | None = None,
    ) -> None:
        """`folder` is where attempts are journaled, `cases` are those of the checklist by node, `hint` what a person
        said; `backed` are the red tests that their specs are known to back; `showing` tries documented examples."""
        self.project = project
        self.trials = trials
        self.past = past
        self.offers = offers
        self.read = read
        self.folder = folder
        self.cases = cases
        self.findings = findings
        self.limits = limits or Limits()
        self.budget = self.limits.budget
        self.dry = dry
        self.hint = hint
        self.thresholds = thresholds
        self.backed = backed or {}
        self.now = lookup(project.store)
        self._showing = showing
        self.edited: set[str] = set()  # the files of tests that a heal reached

    def group(self, cluster: tuple[Analysis, ...]) -> Group:
        """A cluster with who is wrong about it."""
        return Group(cluster, self.judged(cluster, self.since(cluster)))

    def since(self, analyses: tuple[Analysis, ...]) -> Since:
        """What moved since these tests were last green."""
        nodes = [each.node for each in analyses]
        return self.past.of(nodes, map(self.case_of, nodes))

    def judged(self, analyses: tuple[Analysis, ...], since: Since) -> Judgement:
        """Who is wrong about failures of one cause."""
        if (wrong := code_is_wrong(analyses, self.backed, self.now)) is not None:
            return wrong
        return judge(
            analyses,
            since.movements,
            store=self.project.store,
            read=self.read,
            then=since.then,
            findings=self.findings,
            shown=lambda facts: self._showing.broken(facts, since.name) if self._showing else {},
        )

    def patient(self, group: Group, since: Since) -> Patient:
        """What a healer is asked about a group."""
        return Patient(
            analyses=group.analyses,
            judgement=group.judgement,
            movements=since.movements,
            read=self.read,
            then=since.then,
            now=self.now,
            hint=self.hint,
            thresholds=self.thresholds,
        )

    def left(self, group: Group, since: Since, tried: Iterable[Proposal] = ()) -> Treatment:
        """The treatment of a group that is not healed; where nobody knows who is wrong, with what could be done."""
        result = _RESULTS.get(group.judgement.ruling, Result.NEEDS_HUMAN)
        proposals = list(tried)
        if result is Result.NEEDS_HUMAN and not proposals:
            for proposal in self.offers.waiting(self.patient(group, since)):
                proposals.append(proposal)
                if len(proposals) == _OFFERED:
                    break
        return Treatment(
            analyses=group.analyses,
            judgement=group.judgement,
            result=result,
            proposals=tuple(proposals),
            since=since.name,
            cited=self.cited(group, since),
        )

    def cited(self, group: Group, since: Since) -> tuple[Cited, ...]:
        """The facts that a judgement rests on."""
        facts = [self.now(each) or since.then(each) for each in group.judgement.evidence]
        return tuple(
            Cited(fact=each.id, path=each.source.path, line=each.source.line, statement=statement(each))
            for each in facts
            if each is not None
        )

    def _analyses(self, outcomes: Iterable[Outcome]) -> list[Analysis]:
        return [analyse(each, self.read) for each in outcomes if is_red(each)]

    def groups(self, outcomes: Iterable[Outcome]) -> list[tuple[Analysis, ...]]:
        """The tests among these that are red, brought together by their causes."""
        return clustered(self._analyses(outcomes))

    def case_of(self, node: str) -> Case | None:
        """The case of the checklist that a test belongs to."""
        return self.cases.get(node.partition("[")[0])
