"""Treats one cluster of failures after another: who is wrong, what is tried, and whether it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from crossval.findings import Finding
from engine.healing.gate import Passed
from engine.healing.holding import harm
from engine.healing.neighbours import sharing
from engine.healing.offering import REFUSED, Limits, Offers
from engine.healing.past import Past, Since, lookup
from engine.healing.records import Proposal, Result, Treatment
from engine.healing.trials import Trials, covers, is_red
from engine.project import Project
from healer.analysing import analyse
from healer.analysis import Analysis
from healer.attempts import Attempt
from healer.clusters import clustered
from healer.evidence import Judgement, Ruling
from healer.exchanging import Refused
from healer.healer import Patient
from healer.judging import judge
from healer.methods import DEFAULTS, Thresholds
from planner.cases import Case
from planner.validator import Outcome, Verdict

_HEALABLE = frozenset({Ruling.TEST_STALE, Ruling.TEST_WRONG})
_RESULTS = {
    Ruling.CODE_WRONG: Result.CODE_WRONG,
    Ruling.FLAKY: Result.FLAKY,
    Ruling.ENVIRONMENT: Result.ENVIRONMENT,
}
_OFFERED = 3
_MADE = ("green", "got on")


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
    """Treats the clusters of one run."""

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
    ) -> None:
        """`folder` is where attempts are journaled, `cases` are those of the checklist by node, `hint` what a person
        said."""
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
        self.now = lookup(project.store)
        self.edited: set[str] = set()

    def group(self, cluster: tuple[Analysis, ...]) -> Group:
        """A cluster with who is wrong about it."""
        return Group(cluster, self.judged(cluster, self._since(cluster)))

    def treat(self, group: Group) -> list[Treatment]:
        """What becomes of a group; several treatments where something else shows behind its cause."""
        if self.edited.intersection(each.file for each in group.analyses):
            self.edited.clear()
            found = self.trials.learn(group.nodes)
            return [done for each in self.groups(found.values()) for done in self.treat(self.group(each))]
        since = self._since(group.analyses)
        return _Treating(self, group, since).treatments() if group.is_healable else [self.left(group, since)]

    def _since(self, analyses: tuple[Analysis, ...]) -> Since:
        nodes = [each.node for each in analyses]
        return self.past.of(nodes, map(self.case_of, nodes))

    def judged(self, analyses: tuple[Analysis, ...], since: Since) -> Judgement:
        """Who is wrong about failures of one cause."""
        return judge(
            analyses, since.movements, store=self.project.store, read=self.read, findings=self.findings
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
        )

    def _analyses(self, outcomes: Iterable[Outcome]) -> list[Analysis]:
        return [analyse(each, self.read) for each in outcomes if is_red(each)]

    def groups(self, outcomes: Iterable[Outcome]) -> list[tuple[Analysis, ...]]:
        """The tests among these that are red, brought together by their causes."""
        return clustered(self._analyses(outcomes))

    def case_of(self, node: str) -> Case | None:
        """The case of the checklist that a test belongs to."""
        return self.cases.get(node.partition("[")[0])


class _Treating:
    """The treatment of one group whose tests are to be changed, and of what shows behind its cause."""

    def __init__(self, ward: Ward, first: Group, since: Since) -> None:
        self._ward = ward
        self._first = first
        self._since = since
        self._attempt = Attempt(ward.project.root, ward.folder)
        self._tried: list[Proposal] = []
        self._stuck: list[Group] = []
        self._outcomes: dict[str, Outcome] = {}
        self._left = ward.limits.attempts
        self._would: Passed | None = None

    def treatments(self) -> list[Treatment]:
        """Try what is proposed until all is green or nothing is left to try; whatever happens, files are whole."""
        waiting = [self._first]
        try:
            while waiting:
                group = waiting.pop(0)
                further = self._further(group)
                if self._would is not None:
                    return [self._told(Result.PROPOSED, diff=self._would.diff)]
                if further is None:
                    self._stuck.append(group)
                    continue
                waiting += [each for each in further if each.is_healable]
                self._stuck += [each for each in further if not each.is_healable]
            return self._ended()
        except BaseException:
            self._attempt.restore()
            raise

    def _further(self, group: Group) -> list[Group] | None:
        """What is still red after the first proposal that got a group on; None where none did."""
        ward = self._ward
        for proposal, ready in ward.offers.of(ward.patient(group, self._since)):
            if self._left <= 0 or ward.budget <= 0:
                return None
            if ready is None:
                self._left -= int(
                    proposal.outcome.startswith(REFUSED) and "nothing would" not in proposal.outcome
                )
                self._tried.append(proposal)
                continue
            self._left -= 1
            ward.budget -= 1
            if ward.dry:
                self._tried.append(msgspec.structs.replace(proposal, outcome="would be tried"))
                self._would = ready
                return None
            further, words = self._step(ready, group)
            self._tried.append(msgspec.structs.replace(proposal, outcome=words))
            if further is not None:
                return further
        return None

    def _step(self, ready: Passed, group: Group) -> tuple[list[Group] | None, str]:
        """Put an attempt in place and run its tests: what is red behind it, and what came of it in words.

        An attempt that does not get on is taken back, and gives None.
        """
        ward = self._ward
        before = {path: file.text.encoded(file.text.words) for path, file in ready.files.items()}
        ward.trials.learn_files(sharing(ward.project.root, ready.files, ward.read))
        try:
            self._attempt.change({path: file.content for path, file in ready.files.items()})
        except (Refused, OSError) as error:
            return None, f"not made: {error}"
        found = ward.trials.run(group.nodes)
        red = [outcome for outcome in found.values() if is_red(outcome)]
        further = [Group(each, ward.judged(each, self._since)) for each in ward.groups(red)]
        if found and (not red or self._got_on(group, found, further)):
            for asked in group.nodes:
                for node in [each for each in self._outcomes if covers(asked, each)]:
                    del self._outcomes[node]
            self._outcomes.update(found)
            return further, f"got on; {len(red)} of {len(found)} are still red" if red else "green"
        self._attempt.change(before)
        return None, f"still red: {_words(red[0])}" if red else "nothing ran"

    def _got_on(self, group: Group, found: dict[str, Outcome], further: list[Group]) -> bool:
        """Whether a test is green that was red, or all fail otherwise than before, and there is more to be tried."""
        if any(each.verdict is Verdict.PASSED for each in found.values()):
            return True
        before = {_signature(each) for each in group.analyses}
        after = {_signature(analysis) for each in further for analysis in each.analyses}
        return before.isdisjoint(after) and any(each.is_healable for each in further)

    def _ended(self) -> list[Treatment]:
        """Keep what was done where it healed something and harmed nothing; else put everything back."""
        ward, paths = self._ward, self._attempt.paths
        healed = [node for node, outcome in self._outcomes.items() if outcome.verdict is Verdict.PASSED]
        why = "no test got green"
        if healed:
            cases = {case.id: case for node in healed if (case := ward.case_of(node)) is not None}
            why = harm(ward.project, ward.trials, ward.read, paths, list(cases.values()), self._outcomes)
        if why:
            self._attempt.restore()
            wrong = [each for each in self._stuck if each.judgement.ruling is Ruling.CODE_WRONG]
            told = Group(self._first.analyses, (wrong or [self._first])[0].judgement)
            return [ward.left(told, self._since, [_spoilt(each, why) for each in self._tried])]
        self._attempt.keep()
        ward.edited.update(paths)
        ward.trials.known.update(self._outcomes)
        diff = "".join(each.diff for each in self._tried if each.outcome.startswith(_MADE))
        first = self._told(Result.HEALED, healed=healed, diff=diff)
        return [first, *(ward.left(each, self._since) for each in self._stuck)]

    def _told(self, result: Result, *, healed: Sequence[str] = (), diff: str = "") -> Treatment:
        return Treatment(
            analyses=self._first.analyses,
            judgement=self._first.judgement,
            result=result,
            proposals=tuple(self._tried),
            healed=tuple(healed),
            diff=diff,
            since=self._since.name,
        )


def _signature(analysis: Analysis) -> tuple[str, ...]:
    """What tells failures apart, wherever the lines of the test stand."""
    return (analysis.category, analysis.exception, analysis.symbol, analysis.message.partition("\n")[0])


def _words(outcome: Outcome) -> str:
    return f"{outcome.exception}: {outcome.message}".partition("\n")[0][:200]


def _spoilt(proposal: Proposal, harm: str) -> Proposal:
    if not proposal.outcome.startswith(_MADE):
        return proposal
    return msgspec.structs.replace(proposal, outcome=f"taken back: {harm}")
