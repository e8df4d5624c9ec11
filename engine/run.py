"""Runs the tests of the checklist, the most important first, and saves how each stands as soon as it is known."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import msgspec

from engine.generators.application import called_module
from engine.journal import Journal, applied
from engine.planning import checklist_file, checklist_lock
from engine.project import Project, Tell, refresh
from engine.running.interpreter import interpreter
from engine.running.runner import PytestValidator
from engine.running.selecting import Chosen, chosen
from engine.running.state import after
from graph.facts import Kind, Tag
from planner.cases import Case
from planner.checklist import load, save
from planner.validator import Job, Outcome, Validator

_FILES_AT_ONCE = 2


class Ran(msgspec.Struct, frozen=True):
    """What running came to: the cases as they are now, which ran and why, and the outcome of each test."""

    cases: tuple[Case, ...]
    ran: tuple[Chosen, ...]
    outcomes: tuple[Outcome, ...]
    level: str


def run(
    project: Project,
    *,
    tell: Tell,
    everything: bool = False,
    wanted: Callable[[Case], bool] = lambda case: True,
    seconds: float = 30.0,
    on_outcome: Callable[[Case, Outcome, int, int], None] = lambda case, outcome, done, total: None,
    validator: Validator | None = None,
) -> Ran:
    """Run what is open, failed, or green on facts that changed; how each test stands is durable as soon as it ended.

    Raises ConfigurationError where the checklist has mistakes. A kill at any moment loses at most the test that was
    running: what ended is not run again.
    """
    refreshed = refresh(project, tell=tell)
    validator = validator or PytestValidator(parallel=min(_FILES_AT_ONCE, os.cpu_count() or 1))
    file = checklist_file(project)
    with checklist_lock(project):
        checklist = load(file)
        journal = Journal(project)
        known = applied(project, checklist.cases)
        todo = [
            each for each in chosen(tuple(known), project.store, everything=everything) if wanted(each.case)
        ]
        outcomes: list[Outcome] = []
        cases = {case.id: case for case in known}
        by_node = {each.case.node: each.case.id for each in todo}
        groups: dict[str, list[Outcome]] = {}
        for outcome in validator.run_many(_jobs(project, todo, seconds)):
            outcomes.append(outcome)
            identifier = by_node.get(outcome.node) or by_node.get(outcome.node.partition("[")[0])
            if identifier is None:
                continue
            group = groups.setdefault(identifier, [])
            group.append(outcome)
            case = cases[identifier]
            cases[identifier] = after(case, group, refreshed.revision, expected_red=bool(case.findings))
            journal.add(cases[identifier])
            on_outcome(cases[identifier], outcome, len(groups), len(todo))
        save(file, checklist, list(cases.values()))
        journal.end()
    return Ran(tuple(cases.values()), tuple(todo), tuple(outcomes), validator.level)


def _jobs(project: Project, todo: list[Chosen], seconds: float) -> list[Job]:
    """One job per file, in the order of their most important test."""
    by_file: dict[str, list[str]] = {}
    for each in todo:
        by_file.setdefault(each.case.node.partition("::")[0], []).append(each.case.node)
    python = interpreter(project.root, os.environ, project.settings.python)
    units = tuple(sorted(_units(project)))
    paths = tuple(project.root / name for name in _roots(project))
    return [
        Job(root=project.root, nodes=tuple(nodes), python=python, seconds=seconds, units=units, paths=paths)
        for nodes in by_file.values()
    ]


def _units(project: Project) -> set[str]:
    """The top-level names of the modules under test: of code, of stubs, and of the application that is agreed on."""
    names = {
        fact.key.partition(".")[0]
        for fact in project.store.facts(kinds={Kind.MODULE})
        if fact.tag is not Tag.TEST
    }
    names.add(called_module(project.root, project.settings.tests_folder).partition(".")[0])
    return names - {"tests", "conftest", ""}


def _roots(project: Project) -> Iterator[str]:
    """The folders that module names begin below: what a file's path has beyond its module's name."""
    found = set(project.settings.source_roots)
    for fact in project.store.facts(tag=Tag.CODE, kinds={Kind.MODULE}):
        own = fact.key.replace(".", "/")
        path = fact.source.path.removesuffix(".py").removesuffix("/__init__")
        if path != own and path.endswith(f"/{own}"):
            found.add(path.removesuffix(f"/{own}"))
    yield from sorted(found)
