"""Which modules of a project have to do with a web framework."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Protocol

from graph.facts import Extract
from ingest.resolver import Project
from ingest.web.program.outside import Reach
from ingest.web.program.program import Program
from ingest.web.syntax.modules import Module

_DEPTH = 5
_STARTING = frozenset({"__main__", "main", "app", "application", "server", "wsgi", "asgi", "run", "factory"})
"""Modules of these names usually start an application, and so hand its parts on to each other."""


class Reader(Protocol):
    """What reads the modules of one framework."""

    def read(self) -> Extract:
        """The facts of these modules."""
        ...


def resolved(
    project: Project,
    packages: Collection[str],
    joins: re.Pattern[str],
    reader: Callable[[Program, list[Module]], Reader],
    makers: re.Pattern[str] | None = None,
    outside: Reach | None = None,
) -> Extract:
    """What a reader finds in the modules that have to do with its framework; nothing where there are none.

    These import one of its `packages`, or a module that does and match `joins`; by `makers`, see `_modules`, and by
    `outside`, see `Program`.
    """
    program = Program(project, outside)
    modules = _modules(program, packages, joins, makers)
    return reader(program, modules).read() if modules else Extract()


def _modules(
    program: Program, packages: Collection[str], joins: re.Pattern[str], makers: re.Pattern[str] | None = None
) -> list[Module]:
    """The modules that import the framework, and those that import one of these and match `joins`.

    The latter are factories and entry points that put routers together without naming the framework. The first
    group of `makers` is the name of a class that makes routers: modules that get such a class from one of the
    found ones, at several removes too, belong to them.
    """
    direct = program.importers(packages)
    names = {module.name for module in direct}
    if not names:
        return []
    # A package may load its own modules by their names.
    around = {
        ".".join(parts[:size]) for parts in (n.split(".") for n in names) for size in range(1, len(parts))
    }
    second = sorted({*program.importers_named(sorted(names)), *around})
    more = [
        name
        for name in second
        if name not in names and (name.rpartition(".")[2] in _STARTING or joins.search(program.text(name)))
    ]
    if makers is not None:
        users = _users(program, sorted(names), makers)
        more += [name for name in users if name not in more]
        more += [
            name
            for name in (program.importers_named(users) if users else ())
            if name not in names and name not in more and joins.search(program.text(name))
        ]
    found = [*direct, *(module for name in more if (module := program.module(name)) is not None)]
    return sorted(found, key=lambda module: module.name)


def _users(program: Program, known: list[str], makers: re.Pattern[str]) -> list[str]:
    """The modules beyond the known ones that name a router class which they import from a known or found module."""
    classes: set[str] = set()
    defining = []
    for name in known:
        made = makers.findall(program.text(name))
        classes.update(made)
        defining += [name] if made else []
    found: list[str] = []
    waiting = defining
    for _ in range(_DEPTH):
        if not waiting:
            break
        named = re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, classes)))})\b")
        users = [name for name in program.importers_named(waiting) if name not in found]
        waiting = [name for name in users if named.search(program.text(name))]
        found += waiting
        classes.update(made for name in waiting for made in makers.findall(program.text(name)))
    return [name for name in found if name not in known]
