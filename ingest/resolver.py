"""The port of resolvers: readers whose facts need more than one file (routes with prefixes, inherited fields)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol, runtime_checkable

from graph.facts import Extract, Fact
from ingest.ingestor import Document


class Project(Protocol):
    """The project's Python code as a resolver may see it; every look is recorded, so that a change of any file
    that was looked at (or for) makes the resolver run again."""

    def importers(self, packages: Collection[str]) -> tuple[str, ...]:
        """The code modules (no tests, no stubs) that import any of these packages or their submodules, sorted."""
        ...

    def document(self, module: str) -> Document | None:
        """The code of a module by its dotted name, or None where the project has no such module."""
        ...


@runtime_checkable
class Contracted(Protocol):
    """What a project offers beside its code where its contracts name the code that serves them (Connexion)."""

    def promised(self) -> tuple[Fact, ...]:
        """The operations of all contracts with parameters and bodies, and their schemas, in the order of their ids."""
        ...


@runtime_checkable
class Publishing(Protocol):
    """What a project offers beside its code where its distributions declare entry points, by which code loads code."""

    def entry_points(self, group: str) -> tuple[tuple[str, str], ...]:
        """The names of a group, each with what it stands for (`package.module:object`), sorted."""
        ...


@runtime_checkable
class Equipped(Protocol):
    """What a project offers beside its code where an environment with its distributions is at hand."""

    def installed(self, module: str) -> Document | None:
        """The source of an installed module by its dotted name, under its absolute path; None where it is not
        installed, or its distribution is of no interest to readers of contracts."""
        ...

    def installed_version(self, distribution: str) -> str:
        """The version of an installed distribution; empty where there is none."""
        ...


class Resolver(Protocol):
    """Makes resolved facts of several files. Each fact names in `sources` all files that it was read from.

    `version` is raised whenever the output changes.
    """

    @property
    def name(self) -> str:
        """What the resolver is called; stored facts say who made them."""
        ...

    @property
    def version(self) -> int:
        """Raised with every change of the output."""
        ...

    def resolve(self, project: Project) -> Extract:
        """All resolved facts of the project. Never raises for what is wrong in the project's code."""
        ...
