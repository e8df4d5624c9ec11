"""Makes the test plan of a project: findings and untested facts in, the checklist out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from crossval.findings import Finding
from engine.check import check
from engine.journal import Journal, applied
from engine.links import project_links
from engine.project import Project, Tell
from graph.errors import NothingToCompare
from graph.facts import Kind, Tag
from planner.cases import Case, Status
from planner.checklist import FILE, load, save
from planner.contracts.cases import contract_cases
from planner.contracts.operations import read_operations
from planner.functions.cases import function_cases
from planner.merging import merged
from planner.priority import Ranker, Surroundings
from planner.routing import routed
from planner.stories.cases import story_cases
from planner.stories.page_cases import page_cases

_NOTHING = (
    "crossfact: nothing here says what could be tested: no contract, story, stub or example.\n"
    "  help: `crossfact stub MODULE --output FILE.pyi` writes a stub of a module to begin with."
)
_LITTLE = (
    "crossfact: only examples and documented errors say here what could be tested.\n"
    "  help: `crossfact stub MODULE --output FILE.pyi` writes a stub of a module, from which come tests of how its"
    " functions are called and what they give."
)
_FEW = 10
_SPECS = frozenset({Kind.MODULE, Kind.OPERATION, Kind.CRITERION, Kind.STORY})


class Plan(msgspec.Struct, frozen=True):
    """The cases of the checklist as planned; the ids of those that are new, and of those that became obsolete."""

    cases: tuple[Case, ...]
    new: tuple[str, ...]
    obsolete: tuple[str, ...]


def make_plan(
    project: Project, *, tell: Tell, progress: Callable[[int, int], None] | None = None, write: bool = True
) -> Plan:
    """Bring facts, findings and the checklist up to date; `write` puts the plan into the checklist.

    Raises NothingToCompare where there are no specs and no docstrings to test, and ConfigurationError where the
    checklist has mistakes: then nothing is written.
    """
    file = checklist_file(project)
    with checklist_lock(project):
        before = load(file)
        known = applied(project, before.cases)
        findings = _findings(project, tell, progress)
        store = project.store
        ranker = Ranker(Surroundings(store, findings, project_links(project), known))
        derived = [
            *contract_cases(read_operations(store)),
            *function_cases(store),
            *story_cases(store),
            *page_cases(store),
        ]
        planned = [routed(ranker.ranked(case)) for case in {case.id: case for case in derived}.values()]
        facts = frozenset(fact.id for fact in store.facts())
        cases = merged(known, planned, facts)
        if write:
            save(file, before, cases)
            Journal(project).end()
    if not cases:
        tell(_NOTHING)
    elif len(cases) < _FEW and not any(True for _ in store.facts(tag=Tag.SPEC, kinds=_SPECS)):
        tell(_LITTLE)
    standing = {case.id: case.status for case in before.cases}
    return Plan(
        cases=tuple(cases),
        new=tuple(case.id for case in cases if case.id not in standing),
        obsolete=tuple(
            case.id
            for case in cases
            if case.status is Status.OBSOLETE
            and standing.get(case.id, Status.OBSOLETE) is not Status.OBSOLETE
        ),
    )


def _findings(project: Project, tell: Tell, progress: Callable[[int, int], None] | None) -> Sequence[Finding]:
    """What specs and code disagree about; nothing where docstrings are all that is promised.

    Raises NothingToCompare where nothing is.
    """
    try:
        return check(project, tell=tell, progress=progress).report.findings
    except NothingToCompare as error:
        if next(function_cases(project.store), None) is None:
            enough = (
                " Examples in docstrings or pages (`>>> price(2)`, the result below it) are enough for tests."
            )
            raise NothingToCompare(str(error), f"{error.remedy}{enough}") from error
        return ()


def checklist_file(project: Project) -> Path:
    """Where the checklist of a project lies."""
    return project.root / FILE


@contextmanager
def checklist_lock(project: Project) -> Iterator[None]:
    """Keep a second crossfact from writing the checklist at the same time; it waits for at most a minute."""
    from filelock import FileLock, Timeout

    from graph.errors import StoreError

    folder = (project.root / project.settings.store).parent
    if not folder.is_dir():
        yield
        return
    lock = FileLock(folder / "checklist.lock")
    try:
        lock.acquire(timeout=60)
    except Timeout as error:
        raise StoreError(
            f"{checklist_file(project)}: in use by another crossfact for more than 60 seconds",
            "Wait for it to end.",
        ) from error
    try:
        yield
    finally:
        lock.release()


def read_cases(project: Project) -> tuple[Case, ...]:
    """The cases of a project's checklist; none where there is none. Raises ConfigurationError where it has mistakes."""
    return tuple(applied(project, load(checklist_file(project)).cases))
