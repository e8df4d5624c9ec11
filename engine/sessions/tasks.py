"""What there is to do: findings and cases become tasks, one for each subject and kind, the most important first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256

import msgspec

from crossval.findings import Finding
from crossval.report.sections import plural
from engine.sessions.records import Task, TaskKind
from planner.cases import Case, Status

_KIND_OF = {
    Status.PENDING: TaskKind.WRITE,
    Status.REJECTED: TaskKind.LOOK,
    Status.NEEDS_HUMAN: TaskKind.PROVIDE,
    Status.GENERATED: TaskKind.RUN,
    Status.RETRYING: TaskKind.RUN,
    Status.FAILED: TaskKind.LOOK,
    Status.FLAKY: TaskKind.LOOK,
    Status.INCONCLUSIVE: TaskKind.LOOK,
    Status.CODE_WRONG: TaskKind.FIX_CODE,
    Status.RED_EXPECTED: TaskKind.FIX_CODE,
}
"""What a case that stands like this asks for; one that is green or obsolete asks for nothing."""

_TITLE = {
    TaskKind.WRITE: "Write {tests} of {subject}",
    TaskKind.PROVIDE: "Add what {tests} of {subject} still need",
    TaskKind.RUN: "Run {tests} of {subject}",
    TaskKind.FIX_CODE: "Make the code of {subject} do what {tests} ask for",
    TaskKind.LOOK: "Find out why {tests} of {subject} cannot be relied on",
}
_COMMAND = {
    TaskKind.WRITE: "crossfact generate",
    TaskKind.PROVIDE: "crossfact generate",
    TaskKind.RUN: "crossfact run",
    TaskKind.FIX_CODE: "crossfact run",
    TaskKind.LOOK: "crossfact run",
}
_DONE = {
    TaskKind.WRITE: "each of these cases has a test, or says why it cannot have one",
    TaskKind.PROVIDE: "none of these cases needs a person any more",
    TaskKind.RUN: "each of these tests ran and is green, or red as a finding predicts",
    TaskKind.FIX_CODE: "each of these tests is green",
    TaskKind.LOOK: "each of these tests is green, or red as a finding predicts",
}
_FINE = frozenset({Status.PASSED, Status.HEALED, Status.OBSOLETE})
_REACHED: Mapping[TaskKind, Callable[[Case], bool]] = {
    TaskKind.WRITE: lambda case: case.status is not Status.PENDING,
    TaskKind.PROVIDE: lambda case: case.status is not Status.NEEDS_HUMAN,
    TaskKind.RUN: lambda case: case.status in _FINE or case.status is Status.RED_EXPECTED,
    TaskKind.FIX_CODE: lambda case: case.status in _FINE,
    TaskKind.LOOK: lambda case: case.status in _FINE or case.status is Status.RED_EXPECTED,
}
_WHY = 3


def tasks_of(cases: Sequence[Case], findings: Sequence[Finding]) -> list[Task]:
    """The tasks that cases and findings ask for, the most important first.

    A finding is settled by a person or agent who changes the spec or the code; a case by what its status asks for.
    """
    groups: dict[tuple[TaskKind, str], list[Case]] = {}
    for case in sorted(cases, key=lambda case: (-case.priority, case.id)):
        kind = _KIND_OF.get(case.status)
        if kind is not None:
            groups.setdefault((kind, case.subject), []).append(case)
    disputed: dict[str, list[Finding]] = {}
    for finding in findings:
        disputed.setdefault(finding.subject, []).append(finding)
    ranked = [(_rank(group), _of_cases(kind, subject, group)) for (kind, subject), group in groups.items()]
    ranked += [(_weight(group), _of_findings(subject, group)) for subject, group in disputed.items()]
    return [task for _, task in sorted(ranked, key=lambda each: (-each[0], each[1].id))]


def as_now(tasks: Iterable[Task], cases: Sequence[Case], findings: Sequence[Finding]) -> list[Task]:
    """The same tasks, each told to be done where it is by now."""
    known = {case.id: case for case in cases}
    open_findings = {finding.fingerprint for finding in findings}
    return [msgspec.structs.replace(task, done=_is_done(task, known, open_findings)) for task in tasks]


def _is_done(task: Task, cases: Mapping[str, Case], findings: set[str]) -> bool:
    if task.kind is TaskKind.SETTLE:
        return findings.isdisjoint(task.findings)
    reached = _REACHED[task.kind]
    return all(reached(cases[each]) for each in task.cases if each in cases)


def _of_cases(kind: TaskKind, subject: str, cases: Sequence[Case]) -> Task:
    reasons = [case.needs or case.last_error or case.analysis for case in cases]
    said = list(dict.fromkeys(reason for reason in reasons if reason)) or [
        f"{term.name}: {term.why}" for term in cases[0].why
    ]
    nodes = dict.fromkeys(case.node.partition("::")[0] for case in cases if case.node)
    return Task(
        id=_id(kind, subject),
        kind=kind,
        title=_TITLE[kind].format(tests=plural(len(cases), "test"), subject=subject),
        why="; ".join(said[:_WHY]),
        done_when=_DONE[kind],
        command=f"{_COMMAND[kind]} {' '.join(case.id for case in cases)}",
        cases=tuple(case.id for case in cases),
        findings=tuple(dict.fromkeys(each for case in cases for each in case.findings)),
        cites=tuple(dict.fromkeys(each for case in cases for each in case.cites)),
        places=tuple(nodes),
    )


def _of_findings(subject: str, findings: Sequence[Finding]) -> Task:
    witnesses = [side for each in findings for side in (each.spec, each.code) if side is not None]
    hints = dict.fromkeys(each.hint for each in findings if each.hint)
    return Task(
        id=_id(TaskKind.SETTLE, subject),
        kind=TaskKind.SETTLE,
        title=f"Settle {plural(len(findings), 'disagreement')} about {subject}: change the spec or the code",
        why="; ".join([each.message for each in findings][:_WHY]),
        done_when="`crossfact check` reports none of them: " + " ".join(list(hints)[:_WHY]),
        command="crossfact check",
        findings=tuple(each.fingerprint for each in findings),
        cites=tuple(dict.fromkeys(side.fact for side in witnesses)),
        places=tuple(dict.fromkeys(f"{side.path}:{side.line}" for side in witnesses)),
    )


def _id(kind: TaskKind, subject: str) -> str:
    return f"{kind}-{sha256(subject.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def _rank(cases: Sequence[Case]) -> float:
    return max(case.priority for case in cases)


def _weight(findings: Sequence[Finding]) -> float:
    """Errors come before all tests, warnings and notes after them."""
    return {3: 1_000.0, 2: -1.0, 1: -2.0}[max(finding.severity.rank for finding in findings)]
