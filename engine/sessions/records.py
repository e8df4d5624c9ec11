"""The records of a session: its context, its analysis, its plan and its tasks."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from crossval.findings import FindingKind, Severity
from planner.cases import Layer, Status

VERSION = 1


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A fact in a session: its id, what it says, and where."""

    id: str
    statement: str
    path: str
    line: int


class Disagreement(msgspec.Struct, frozen=True, kw_only=True):
    """A finding in a session; a side that is silent has no place."""

    fingerprint: str
    rule: str
    kind: FindingKind
    severity: Severity
    subject: str
    message: str
    spec: str = ""
    code: str = ""


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """A case of the plan in a session."""

    id: str
    description: str
    subject: str
    layer: Layer
    status: Status
    priority: float
    cites: tuple[str, ...] = ()


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """What has to be known to work on the tests: where things are, what is said about them, how tests run.

    `more_facts` says how many facts of the scope did not fit.
    """

    specs: tuple[str, ...] = ()
    source_roots: tuple[str, ...] = ()
    frameworks: tuple[str, ...] = ()
    application: str = ""
    tests_folder: str = ""
    interpreter: str = ""
    sandbox: str = ""
    facts: tuple[Place, ...] = ()
    more_facts: int = 0


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """What specs and code disagree about: in the whole project by severity, and within the scope one by one."""

    errors: int = 0
    warnings: int = 0
    notes: int = 0
    unknown: int = 0
    findings: tuple[Disagreement, ...] = ()
    more_findings: int = 0


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The test plan: how many cases stand how in all, and those of the scope."""

    counts: dict[str, int] = {}
    cases: tuple[Planned, ...] = ()
    more_cases: int = 0


class TaskKind(StrEnum):
    """What is to be done: see `engine/sessions/tasks.py`."""

    WRITE = "write-tests"
    PROVIDE = "provide"
    RUN = "run-tests"
    FIX_CODE = "fix-code"
    SETTLE = "settle"
    LOOK = "look"


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to do about one subject, with the facts that it rests on, the command to use, and when it is done.

    `cases` are the ids of the cases that it is about, `findings` the fingerprints.
    """

    id: str
    kind: TaskKind
    title: str
    why: str
    done_when: str
    command: str = ""
    cases: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    done: bool = False


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """A session as it was started. `scope` are the names that were given; the whole project where there are none."""

    version: int = VERSION
    number: int
    started: str
    revision: int
    scope: tuple[str, ...] = ()
    context: Context = Context()
    analysis: Analysis = Analysis()
    plan: Plan = Plan()
    tasks: tuple[Task, ...] = ()
    more_tasks: int = 0
