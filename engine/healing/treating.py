"""Treats one group of failures after another: what is tried, and whether it holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from engine.healing.gate import Passed
from engine.healing.holding import harm
from engine.healing.made import Heals
from engine.healing.neighbours import sharing
from engine.healing.offering import REFUSED
from engine.healing.past import Since
from engine.healing.records import Proposal, Result, Treatment
from engine.healing.trials import covers, greens, is_red
from engine.healing.ward import Group, Ward
from healer.analysis import Analysis
from healer.editing.attempts import Attempt
from healer.editing.exchanging import Refused
from healer.evidence import Ruling
from planner.validator import Outcome, Verdict

_MADE = ("green", "got on")
_SEVERAL = 2


def treat(ward: Ward, groups: Iterable[Group]) -> list[Treatment]:
    """What becomes of groups, one after the other; several treatments where something else shows behind a cause.

    What is to be healed comes first; what a heal reached is run again before it is treated, all of it at once.
    """
    waiting = sorted(groups, key=lambda group: not group.is_healable)
    done: list[Treatment] = []
    while waiting:
        group = waiting.pop(0)
        since = ward.since(group.analyses)
        if not group.is_healable:
            done.append(ward.left(group, since))
            continue
        done += _Treating(ward, group, since).treatments()
        reached = [each for each in waiting if ward.edited.intersection(it.file for it in each.analyses)]
        ward.edited.clear()
        if reached:
            found = ward.trials.learn(node for each in reached for node in each.nodes)
            done += [told for each in reached for told in _along(ward, each, found)]
            waiting = [each for each in waiting if each not in reached]
            waiting += [ward.group(each) for each in ward.groups(found.values())]
    return done


def _along(ward: Ward, group: Group, found: Mapping[str, Outcome]) -> list[Treatment]:
    """The treatment of those tests of a group that another heal made green along with its own."""
    green = greens(group.nodes, found)
    if not green:
        return []
    told = Group(tuple(each for each in group.analyses if each.node in green), group.judgement)
    since = ward.since(told.analyses)
    return [
        Treatment(
            analyses=told.analyses,
            judgement=told.judgement,
            result=Result.HEALED,
            healed=tuple(green),
            since=since.name,
            cited=ward.cited(told, since),
        )
    ]


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
        self._steps = 0
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
            self._stuck = self._still_red()
            return self._ended()
        except BaseException:
            self._attempt.restore()
            raise

    def _still_red(self) -> list[Group]:
        """What got stuck and is red yet: an edit that came later may have made it green along with its own."""
        if not self._stuck or self._steps < _SEVERAL:
            return self._stuck
        found = self._ward.trials.run(node for each in self._stuck for node in each.nodes)
        self._outcomes.update(found)
        red = [outcome for outcome in found.values() if is_red(outcome)]
        return [Group(each, self._ward.judged(each, self._since)) for each in self._ward.groups(red)]

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
            self._steps += 1
            green = len(found) - len(red)
            words = f"got on; of {len(found)} tests {green} are green, {len(red)} fail behind it for another cause"
            return further, words if red else "green"
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
        known = {case.id: case for node in healed if (case := ward.case_of(node)) is not None}
        cases = list(known.values())
        why = "no test got green"
        if healed:
            why = harm(ward.project, ward.trials, ward.read, paths, cases, self._outcomes)
        if why:
            self._attempt.restore()
            wrong = [each for each in self._stuck if each.judgement.ruling is Ruling.CODE_WRONG]
            told = Group(self._first.analyses, (wrong or [self._first])[0].judgement)
            return [ward.left(told, self._since, [_spoilt(each, why) for each in self._tried])]
        made = [each for each in self._tried if each.outcome.startswith(_MADE)]
        undo = Heals(ward.project).keep(self._attempt, made, healed, cases)
        ward.edited.update(sharing(ward.project.root, paths, ward.read))
        ward.trials.known.update(self._outcomes)
        first = self._told(Result.HEALED, healed=healed, diff="".join(each.diff for each in made), undo=undo)
        return [first, *(ward.left(each, self._since) for each in self._stuck)]

    def _told(
        self, result: Result, *, healed: Sequence[str] = (), diff: str = "", undo: str = ""
    ) -> Treatment:
        return Treatment(
            analyses=self._first.analyses,
            judgement=self._first.judgement,
            result=result,
            proposals=tuple(self._tried),
            healed=tuple(healed),
            diff=diff,
            since=self._since.name,
            cited=self._ward.cited(self._first, self._since),
            undo=undo,
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
