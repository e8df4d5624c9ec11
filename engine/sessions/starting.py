"""Starts a session, keeps it, and says how it stands."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from crossval.findings import Finding, Severity, Witness
from engine.check import Checked, check
from engine.detecting import detect
from engine.generators.applications.application import application
from engine.planning import make_plan, read_cases
from engine.project import Project, Tell
from engine.sessions.records import (
    VERSION,
    Analysis,
    Context,
    Disagreement,
    Place,
    Plan,
    Planned,
    Session,
    Task,
)
from engine.sessions.scope import Scope, scope_of
from engine.sessions.tasks import as_now, tasks_of
from graph.errors import NothingToCompare, StoreError, UsageError
from graph.files import read_plain, replace_file
from graph.statements import statement
from planner.cases import Case, Status

_FACTS = 200
_FINDINGS = 100
_CASES = 200
_TASKS = 100
_LONGEST = 500


def start(
    project: Project,
    names: Sequence[str],
    *,
    now: str,
    tell: Tell,
    progress: Callable[[int, int], None] | None = None,
    write: bool = True,
) -> Session:
    """Start a session about these facts, stories or files, or about the whole project; `now` is the time to note.

    Plans, and keeps the session and the plan unless `write` is off. Raises NothingToCompare where there is nothing to
    plan from, UsageError for a name that nothing has, StoreError where the session cannot be kept.
    """
    plan = make_plan(project, tell=tell, progress=progress, write=write)
    findings, checked = _findings(project, tell)
    scope = scope_of(project, names, tell)
    cases = [case for case in plan.cases if case.status is not Status.OBSOLETE]
    wanted = [case for case in cases if scope.has_case(case)]
    disputed = [finding for finding in findings if scope.has_finding(finding)]
    tasks = tasks_of(wanted, disputed)
    session = Session(
        number=_last(project) + 1,
        started=now,
        revision=project.store.revision,
        scope=tuple(names),
        context=_context(project, scope, tell),
        analysis=_analysis(checked, findings, disputed),
        plan=_plan(cases, wanted),
        tasks=tuple(tasks[:_TASKS]),
        more_tasks=max(0, len(tasks) - _TASKS),
    )
    if write:
        _keep(project, session)
    return session


def show(project: Project, number: int | None, *, tell: Tell) -> Session:
    """A session, by default the last one, with its tasks as they are by now. Raises UsageError where there is none."""
    session = read(project, number)
    findings, _ = _findings(project, tell)
    cases = read_cases(project)
    return msgspec.structs.replace(session, tasks=tuple(as_now(session.tasks, cases, findings)))


def read(project: Project, number: int | None = None) -> Session:
    """A session as it was kept. Raises UsageError where there is none, or where it cannot be read."""
    wanted = number or _last(project)
    file = _folder(project) / f"{wanted}.json"
    try:
        content = read_plain(file) if wanted else None
    except (OSError, ValueError) as error:
        raise UsageError(f"{file}: cannot be read: {error}", "Start another session.") from error
    if content is None:
        what = f"there is no session {number}" if number else "there is no session"
        raise UsageError(what, "`crossfact session start` starts one.")
    try:
        session = msgspec.json.decode(content, type=Session)
    except msgspec.MsgspecError as error:
        raise UsageError(
            f"{file}: is no session: {error}", "Remove it, and start another session."
        ) from error
    if session.version != VERSION:
        raise UsageError(f"{file}: is of another crossfact", "Start another session.")
    return session


def numbers(project: Project) -> list[int]:
    """The numbers of all sessions that are kept, in their order."""
    folder = _folder(project)
    if not folder.is_dir():
        return []
    return sorted(int(file.stem) for file in folder.glob("*.json") if file.stem.isdigit())


def _findings(project: Project, tell: Tell) -> tuple[Sequence[Finding], Checked | None]:
    try:
        checked = check(project, tell=tell)
    except NothingToCompare:  # docstrings alone are enough for a plan
        return (), None
    return checked.report.findings, checked


def _context(project: Project, scope: Scope, tell: Tell) -> Context:
    from engine.interpreter import interpreter
    from engine.running.sandboxes import sandbox_for

    detected = detect(project, tell=tell)
    target = application(project.store, project.settings.app)
    python = interpreter(project.root, os.environ, project.settings.python)
    facts = scope.told()
    return Context(
        specs=detected.specs[:_FACTS],
        source_roots=detected.source_roots,
        frameworks=tuple(detected.frameworks),
        application=target.place if target else "",
        tests_folder=project.settings.tests_folder,
        interpreter=str(python),
        sandbox=sandbox_for(project, python).level,
        facts=tuple(
            Place(
                id=fact.id,
                statement=statement(fact)[:_LONGEST],
                path=fact.source.path,
                line=fact.source.line,
            )
            for fact in facts[:_FACTS]
        ),
        more_facts=max(0, len(facts) - _FACTS),
    )


def _analysis(checked: Checked | None, findings: Sequence[Finding], disputed: Sequence[Finding]) -> Analysis:
    counts = Counter(finding.severity for finding in findings)
    return Analysis(
        errors=counts[Severity.ERROR],
        warnings=counts[Severity.WARNING],
        notes=counts[Severity.NOTE],
        unknown=len(checked.report.unknown) if checked else 0,
        findings=tuple(map(_disagreement, disputed[:_FINDINGS])),
        more_findings=max(0, len(disputed) - _FINDINGS),
    )


def _disagreement(finding: Finding) -> Disagreement:
    return Disagreement(
        fingerprint=finding.fingerprint,
        rule=finding.rule,
        kind=finding.kind,
        severity=finding.severity,
        subject=finding.subject,
        message=finding.message,
        spec=_place(finding.spec),
        code=_place(finding.code),
    )


def _place(witness: Witness | None) -> str:
    return f"{witness.path}:{witness.line}" if witness else ""


def _plan(cases: Sequence[Case], wanted: Sequence[Case]) -> Plan:
    ordered = sorted(wanted, key=lambda case: (-case.priority, case.id))
    return Plan(
        counts=dict(sorted(Counter(str(case.status) for case in cases).items())),
        cases=tuple(
            Planned(
                id=case.id,
                description=case.description,
                subject=case.subject,
                layer=case.layer,
                status=case.status,
                priority=case.priority,
                cites=case.cites,
            )
            for case in ordered[:_CASES]
        ),
        more_cases=max(0, len(ordered) - _CASES),
    )


def _folder(project: Project) -> Path:
    return (project.root / project.settings.store).parent / "sessions"


def _last(project: Project) -> int:
    return max(numbers(project), default=0)


def _keep(project: Project, session: Session) -> None:
    file = _folder(project) / f"{session.number}.json"
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(file, msgspec.json.format(msgspec.json.encode(session), indent=2))
    except OSError as error:
        raise StoreError(
            f"{file}: the session cannot be kept: {error.strerror}", "Check the rights of its folder."
        ) from error


def open_tasks(session: Session) -> list[Task]:
    """The tasks that are still to be done."""
    return [task for task in session.tasks if not task.done]
