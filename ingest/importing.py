"""Who imports what among the modules of a project, as all resolvers of one run see it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Container
from functools import cached_property

from graph.store.store import Store
from ingest.ingestor import Role


class Importing:
    """Tells which modules import packages; `own` are the project's own modules."""

    def __init__(self, store: Store, own: Container[str]) -> None:
        self._store, self._own = store, own
        self._known: dict[str, frozenset[tuple[str, str]]] = {}

    def of(self, packages: Collection[str]) -> list[tuple[str, str]]:
        """The modules that import one of these packages or a part of it, each with its path, sorted.

        A project's own packages have many parts and are asked for often: then all imports are read, once.
        """
        if not any(package in self._own for package in packages):
            return self._store.importing(packages, Role.PYTHON)
        return sorted(frozenset().union(*map(self._one, packages)))

    @cached_property
    def _all(self) -> list[tuple[str, str, str]]:
        return self._store.imports(Role.PYTHON)

    def _one(self, package: str) -> frozenset[tuple[str, str]]:
        if package not in self._known:
            found = [*self._between(package, f"{package}\0"), *self._between(f"{package}.", f"{package}/")]
            self._known[package] = frozenset((module, path) for _, module, path in found)
        return self._known[package]

    def _between(self, first: str, last: str) -> list[tuple[str, str, str]]:
        """The imports of what is called like the first name or comes after it, and before the last."""
        return self._all[bisect_left(self._all, (first,)) : bisect_left(self._all, (last,))]
