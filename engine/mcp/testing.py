"""The tools about the test plan: how it stands, and, where writing is allowed, plan, generate and run."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import TypedDict

import msgspec

from engine.mcp import asked, bounds, told_tests
from engine.mcp.desk import Desk
from engine.naming import is_called
from engine.planning import read_cases
from engine.sessions.records import Session
from planner.cases import Case, Status

_LISTED = 30
_FINE = frozenset({Status.PASSED, Status.HEALED, Status.RED_EXPECTED})


class _Page(TypedDict):
    counts: dict[str, int]
    total: int
    cases: tuple[told_tests.Case, ...]
    next_offset: int | None


def status(desk: Desk, arguments: asked.Cases) -> told_tests.CasesPage:
    """The tool `status`."""
    with desk.project() as project:
        cases = read_cases(project)
        wanted = [
            case
            for case in cases
            if is_called(case, arguments.names)
            and (not arguments.statuses or case.status in arguments.statuses)
        ]
        return told_tests.CasesPage(revision=project.store.revision, **_page(cases, wanted, arguments))


def session_show(desk: Desk, arguments: asked.SessionShow) -> told_tests.TestSession:
    """The tool `session_show`."""
    from engine.sessions.starting import show

    with desk.project() as project:
        session = show(project, arguments.number, tell=desk.tell)
        return told_tests.TestSession(revision=project.store.revision, session=_cut(session))


def session_start(desk: Desk, arguments: asked.SessionStart) -> told_tests.TestSession:
    """The tool `session_start`."""
    from engine.sessions.starting import start

    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    with desk.project() as project:
        session = start(project, arguments.names, now=now, tell=desk.tell, progress=desk.reading)
        return told_tests.TestSession(revision=project.store.revision, session=_cut(session))


def plan(desk: Desk, arguments: asked.Planning) -> told_tests.Planned:
    """The tool `plan`."""
    from engine.planning import make_plan

    with desk.project() as project:
        made = make_plan(project, tell=desk.tell, progress=desk.reading, write=not arguments.dry_run)
        wanted = [case for case in made.cases if case.status is not Status.OBSOLETE]
        return told_tests.Planned(
            revision=project.store.revision,
            **_page(made.cases, wanted, arguments),
            new=len(made.new),
            obsolete=len(made.obsolete),
            written=not arguments.dry_run,
        )


def generate(desk: Desk, arguments: asked.Generating) -> told_tests.Generated:
    """The tool `generate`."""
    from engine.generating import generate as write

    with desk.fresh() as project:
        done = write(
            project,
            wanted=lambda case: is_called(case, arguments.names),
            progress=lambda at, total: desk.progress(at, total, "writing tests"),
        )
        touched = {draft.case for draft in done.drafts} | {*done.kept, *done.declined, *done.rejected}
        wanted = [case for case in done.cases if case.id in touched]
        return told_tests.Generated(
            revision=project.store.revision,
            **_page(done.cases, wanted, arguments),
            written=len(done.drafts),
            kept=len(done.kept),
            declined=len(done.declined),
            rejected=len(done.rejected),
        )


def run(desk: Desk, arguments: asked.Running) -> told_tests.Ran:
    """The tool `run`."""
    from engine.run import run as run_tests

    with desk.project() as project:
        done = run_tests(
            project,
            tell=desk.tell,
            everything=arguments.everything,
            wanted=lambda case: is_called(case, arguments.names),
            seconds=arguments.seconds,
            on_outcome=lambda case, outcome, at, total: desk.progress(
                at, total, f"{case.status} {outcome.node}"
            ),
        )
        ran = {each.case.id for each in done.ran} | set(done.ended)
        wanted = [case for case in done.cases if case.id in ran]
        return told_tests.Ran(
            revision=project.store.revision,
            **_page(done.cases, wanted, arguments),
            ran=len(done.ran),
            sandbox=f"{done.level} ({done.sandbox})" if done.sandbox else done.level,
            exit_code=int(any(case.status not in _FINE for case in wanted)),
        )


def _page(every: Sequence[Case], wanted: Sequence[Case], arguments: asked.Paged) -> _Page:
    ordered = sorted(wanted, key=lambda case: (-case.priority, case.id))
    shown, following = bounds.page(ordered, arguments, _case_told)
    return {
        "counts": dict(sorted(Counter(str(case.status) for case in every).items())),
        "total": len(wanted),
        "cases": shown,
        "next_offset": following,
    }


def _cut(session: Session) -> Session:
    """A session small enough for an answer: what is left out is in the one that is kept."""
    context, analysis, plan = session.context, session.analysis, session.plan
    replace = msgspec.structs.replace
    return replace(
        session,
        context=replace(
            context,
            specs=context.specs[:_LISTED],
            facts=context.facts[:_LISTED],
            more_facts=context.more_facts + max(0, len(context.facts) - _LISTED),
        ),
        analysis=replace(
            analysis,
            findings=analysis.findings[:_LISTED],
            more_findings=analysis.more_findings + max(0, len(analysis.findings) - _LISTED),
        ),
        plan=replace(
            plan,
            cases=plan.cases[:_LISTED],
            more_cases=plan.more_cases + max(0, len(plan.cases) - _LISTED),
        ),
        tasks=tuple(
            replace(
                task,
                cases=task.cases[:_LISTED],
                cites=task.cites[:_LISTED],
                command=bounds.text(task.command),
            )
            for task in session.tasks[:_LISTED]
        ),
        more_tasks=session.more_tasks + max(0, len(session.tasks) - _LISTED),
    )


def _case_told(case: Case) -> told_tests.Case:
    return told_tests.Case(
        id=case.id,
        description=bounds.text(case.description, 1_000),
        subject=bounds.text(case.subject, 500),
        aspect=bounds.text(case.aspect, 500),
        technique=case.technique,
        layer=case.layer,
        status=case.status,
        priority=case.priority,
        why=tuple(f"{term.points:+g} {term.name}: {bounds.text(term.why, 300)}" for term in case.why[:20]),
        cites=case.cites[:50],
        node=case.node,
        needs=bounds.text(case.needs, 1_000),
        last_error=bounds.text(case.last_error, 1_000),
    )
