"""What modules do to things that other modules define: the names that they set, the classes that they register."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from graph.facts import Fact


class OfOthers:
    """Looks through the facts of all modules, when it is first asked."""

    def __init__(self, modules: Iterable[Fact]) -> None:
        self._modules = modules

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that some module sets on what it is given."""
        return frozenset(name for fact in self._modules for name in fact.aspects.get("set_on_others", ()))

    def abstract(self, class_: str) -> frozenset[str]:
        """The abstract classes, by their last components, that a statement counts a class of this name among."""
        return self._registered.get(class_, frozenset())

    @cached_property
    def _registered(self) -> dict[str, frozenset[str]]:
        found: dict[str, frozenset[str]] = {}
        for fact in self._modules:
            for base, class_ in fact.aspects.get("registered", ()):
                last = class_.rpartition(".")[2]
                found[last] = found.get(last, frozenset()) | {base.rpartition(".")[2]}
        return found
