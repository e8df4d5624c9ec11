"""Makes jobs of tests: which of them run in one process, by which interpreter, with what on their import path."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from engine.generators.applications.application import called_module
from engine.interpreter import interpreter
from engine.project import Project, unread_modules
from graph.facts import Kind, Tag
from planner.validator import Job

_WITHOUT_PLUGINS = ("-W", "ignore::pytest.PytestConfigWarning")
"""For tests that need no plug-in: settings of one that is not installed, also of a folder above, do not matter."""


def jobs(project: Project, nodes: Sequence[str], seconds: float, parallel: int) -> list[Job]:
    """One job for each process that runs at once: their tests in the order of their importance.

    Files of the same name cannot be imported by one process, and so go to several jobs.
    """
    groups: list[dict[str, list[str]]] = [{} for _ in range(max(1, parallel))]
    files: dict[str, int] = {}
    for node in nodes:
        path = node.partition("::")[0]
        if path not in files:
            free = [n for n, group in enumerate(groups) if not _has_name(group, path)]
            if not free:
                groups.append({})
                free = [len(groups) - 1]
            files[path] = min(free, key=lambda n: sum(map(len, groups[n].values())))
        groups[files[path]].setdefault(path, []).append(node)
    place = {node: number for number, node in enumerate(nodes)}
    are_ours = all(node.startswith(f"{project.settings.tests_folder}/") for node in nodes)
    whole = Job(
        root=project.root,
        nodes=(),
        python=python_of(project),
        seconds=seconds,
        options=_WITHOUT_PLUGINS if are_ours else (),
        units=tuple(sorted(_units(project))),
        unbuilt=tuple(sorted(_unbuilt(project))),
        paths=tuple(project.root / name for name in roots_of(project)),
    )
    ordered = [
        sorted((n for each in group.values() for n in each), key=place.__getitem__) for group in groups
    ]
    return [msgspec.structs.replace(whole, nodes=tuple(group)) for group in ordered if group]


def _has_name(group: dict[str, list[str]], path: str) -> bool:
    return any(Path(each).name == Path(path).name for each in group)


def python_of(project: Project) -> Path:
    """The interpreter that a project's tests run in."""
    return interpreter(project.root, os.environ, project.settings.python)


def _units(project: Project) -> set[str]:
    """The top-level names of the modules under test: of code, of stubs, and of the application that is agreed on."""
    names = {
        fact.key.partition(".")[0]
        for fact in project.store.facts(kinds={Kind.MODULE})
        if fact.tag is not Tag.TEST
    }
    names.add(called_module(project.root, project.settings.tests_folder).partition(".")[0])
    return names - {"tests", "conftest", ""}


def _unbuilt(project: Project) -> set[str]:
    """The modules without Python source that a build makes: of another language, as their stubs show, or compiled."""
    return set(unread_modules(project)) - {
        fact.key for fact in project.store.facts(tag=Tag.CODE, kinds={Kind.MODULE})
    }


def roots_of(project: Project) -> Iterator[str]:
    """The folders that module names begin below: what a file's path has beyond its module's name."""
    found = set(project.settings.source_roots)
    for fact in project.store.facts(tag=Tag.CODE, kinds={Kind.MODULE}):
        own = fact.key.replace(".", "/")
        path = fact.source.path.removesuffix(".py").removesuffix("/__init__")
        if path != own and path.endswith(f"/{own}"):
            found.add(path.removesuffix(f"/{own}"))
    yield from sorted(found)
