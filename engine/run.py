"""Runs the tests of the checklist, the most important first, and saves how each stands as soon as it is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from crossval.findings import Finding
from engine.check import check
from engine.journal import Journal, applied, interrupted
from engine.planning import checklist_file, checklist_lock
from engine.project import Project, Tell
from engine.running.dependencies import Dependencies
from engine.running.expecting import Expectations, predicts_red
from engine.running.honesty import Honesty
from engine.running.jobs import jobs as jobs_of
from engine.running.jobs import python_of
from engine.running.runner import PytestValidator
from engine.running.sandboxes import sandbox_for
from engine.running.selecting import Chosen, chosen
from engine.running.shared_causes import with_shared_causes
from engine.running.state import after, with_repeats
from engine.testbed import follow_application
from graph.errors import NothingToCompare
from planner.cases import Case, Status
from planner.checklist import load, save
from planner.contracts.operations import read_operations
from planner.validator import Job, Outcome, Validator, Verdict

_REPEATS = 2
_REPEATED = 50
_MAY_BE_CHANCE = frozenset({Verdict.FAILED, Verdict.BROKEN})
_KNOWN_AS_FLAKY = frozenset({Status.FLAKY, Status.RETRYING})

OnOutcome = Callable[[Case, Outcome, int, int], None]


class Ran(msgspec.Struct, frozen=True):
    """What running came to: the cases as they are now, which ran and why, and the outcomes of each test.

    `ended` are the ids of cases that a run before, which was cut short, had brought to an end. `level` and `sandbox`
    say what was in force, as one word and in words.
    """

    cases: tuple[Case, ...]
    ran: tuple[Chosen, ...]
    outcomes: tuple[Outcome, ...]
    level: str
    sandbox: str = ""
    ended: tuple[str, ...] = ()


def run(
    project: Project,
    *,
    tell: Tell,
    everything: bool = False,
    wanted: Callable[[Case], bool] = lambda case: True,
    seconds: float = 30.0,
    parallel: int = 1,
    sandbox: str = "",
    on_outcome: OnOutcome = lambda case, outcome, done, total: None,
    on_start: Callable[[str], None] = lambda node: None,
    validator: Validator | None = None,
) -> Ran:
    """Run what is open, failed, or green on what changed; how each test stands is durable as soon as it ended.

    Raises ConfigurationError where the checklist has mistakes, or where the sandbox that is asked for cannot be had. A
    kill at any moment loses at most the test that was running: what ended is not run again.
    """
    findings = findings_of(project, tell)
    file = checklist_file(project)
    with checklist_lock(project):
        checklist = load(file)
        known = applied(project, checklist.cases)
        memory = (project.root / project.settings.store).with_name("ran.json")
        dependencies = Dependencies(project.root, project.store, memory)
        cut = frozenset() if everything else interrupted(project)
        todo = [
            each
            for each in chosen(known, dependencies, everything=everything, ended=cut)
            if wanted(each.case)
        ]
        words = ""
        if todo:
            follow_application(project, tell)
        if validator is None and todo:
            box = sandbox_for(project, python_of(project), sandbox)
            words = box.words
            validator = PytestValidator(box, parallel, on_start)
        level = validator.level if validator else ""
        session = _Session(project, known, todo, dependencies, Expectations(findings), level, on_outcome)
        if validator is not None and todo:
            jobs = jobs_of(project, [each.case.node for each in todo], seconds, parallel)
            session.run(jobs, validator)
            session.repeat(lambda nodes: jobs_of(project, nodes, seconds, 1), validator)
            session.settle(project)
        save(file, checklist, list(session.cases.values()))
        dependencies.remember(case.ran_with for case in session.cases.values())
        Journal(project).end(run=True)
    ran = {each.case.id for each in todo}
    ended = tuple(case.id for case in session.cases.values() if case.id in cut and case.id not in ran)
    return Ran(tuple(session.cases.values()), tuple(todo), tuple(session.outcomes), level, words, ended)


class _Session:
    """One run: hears outcomes, brings cases up to date, and keeps each in the journal."""

    def __init__(
        self,
        project: Project,
        known: Sequence[Case],
        todo: Sequence[Chosen],
        dependencies: Dependencies,
        expectations: Expectations,
        level: str,
        on_outcome: OnOutcome,
    ) -> None:
        self.cases = {case.id: case for case in known}
        self.outcomes: list[Outcome] = []
        self._before = {each.case.id: each.case for each in todo}
        self._by_node = {each.case.node: each.case.id for each in todo}
        self._groups: dict[str, list[Outcome]] = {}
        self._dependencies = dependencies
        self._expectations = expectations
        self._honesty = Honesty(project.root)
        self._level = level
        self._revision = project.store.revision
        self._journal = Journal(project)
        self._on_outcome = on_outcome

    def run(self, jobs: Sequence[Job], validator: Validator) -> None:
        """Run all tests once."""
        for outcome in validator.run_many(jobs):
            self.outcomes.append(outcome)
            identifier = self._case_of(outcome)
            if identifier is None:
                continue
            group = self._groups.setdefault(identifier, [])
            group.append(self._honesty.judged(outcome))
            case = self._standing(identifier, group)
            self._keep(case)
            self._on_outcome(case, outcome, len(self._groups), len(self._before))

    def repeat(self, jobs_for: Callable[[list[str]], list[Job]], validator: Validator) -> None:
        """Run again what may have failed, or passed, by chance: each test at most twice more, and not too many."""
        todo = [identifier for identifier in self._groups if self._is_doubtful(identifier)][:_REPEATED]
        greens = {each: int(self.cases[each].status is Status.PASSED) for each in todo}
        failed = {each: self.cases[each] for each in todo}
        for _ in range(_REPEATS if todo else 0):
            groups: dict[str, list[Outcome]] = {}
            nodes = [self._before[identifier].node for identifier in todo]
            for outcome in validator.run_many(jobs_for(nodes)):
                identifier = self._case_of(outcome)
                if identifier is not None:
                    groups.setdefault(identifier, []).append(self._honesty.judged(outcome))
            for identifier in todo:
                case = self._standing(identifier, groups.get(identifier, []))
                greens[identifier] += case.status is Status.PASSED
                if case.status is not Status.PASSED:
                    failed[identifier] = case
        for identifier in todo:
            self._keep(with_repeats(failed[identifier], greens[identifier], _REPEATS + 1))

    def settle(self, project: Project) -> None:
        """Tests that are all red for one cause outside of their operations show nothing of these."""
        failed = {
            each: group[-1]
            for each, group in self._groups.items()
            if self.cases[each].status is Status.FAILED and group[-1].answered
        }
        if not failed:
            return
        secured = {each.key for each in read_operations(project.store) if each.secured}
        for case in list(with_shared_causes([*self.cases.values()], failed, secured)):
            self._keep(case)

    def _is_doubtful(self, identifier: str) -> bool:
        case, verdicts = self.cases[identifier], {each.verdict for each in self._groups[identifier]}
        if case.status is Status.PASSED:
            return self._before[identifier].status in _KNOWN_AS_FLAKY
        return case.status is Status.FAILED and bool(verdicts & _MAY_BE_CHANCE)

    def _standing(self, identifier: str, group: Sequence[Outcome]) -> Case:
        case = self._before[identifier]
        findings = self._expectations.of(case)
        case = after(case, group, self._revision, expected_red=predicts_red(findings))
        return msgspec.structs.replace(
            case,
            findings=tuple(each.fingerprint for each in findings),
            ran_with=self._dependencies.of(case),
            sandbox=self._level,
        )

    def _keep(self, case: Case) -> None:
        self.cases[case.id] = case
        self._journal.add(case)

    def _case_of(self, outcome: Outcome) -> str | None:
        return self._by_node.get(outcome.node) or self._by_node.get(outcome.node.partition("[")[0])


def findings_of(project: Project, tell: Tell) -> Sequence[Finding]:
    """What specs and code disagree about today; the store is brought up to date by it."""
    try:
        return check(project, tell=tell).report.findings
    except NothingToCompare:
        return ()
