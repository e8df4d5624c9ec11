"""Where facts are asked for: the port that comparing and showing build on, and its in-memory form."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Protocol

from graph.facts import Extract, Fact, Kind, Relation, Tag, Verb


class FactSource(Protocol):
    """The live facts of one revision, in the order of their ids."""

    def facts(
        self,
        *,
        tag: Tag | None = None,
        kinds: Collection[Kind] = (),
        modules: Collection[str] | None = None,
        having: str = "",
    ) -> Iterator[Fact]:
        """The facts of this tag and these kinds (all where empty); with `modules`, only those that were read from
        a file which is one of these Python modules (stubs included); with `having`, only those with this aspect."""
        ...

    def relations(self, verbs: Collection[Verb] = ()) -> Iterator[Relation]:
        """The relations with these verbs (all where empty), in a stable order."""
        ...

    def module_of(self, fact: Fact) -> str:
        """The dotted name of the Python module that a fact was read from, or an empty string."""
        ...


class Memory:
    """A fact source over extracts in memory; `modules` maps a path to its dotted module name."""

    def __init__(self, extracts: Iterable[Extract], modules: dict[str, str] | None = None) -> None:
        extracts = list(extracts)
        self._facts = sorted((f for e in extracts for f in e.facts), key=lambda fact: fact.id)
        self._relations = sorted(
            (r for e in extracts for r in e.relations), key=lambda r: (r.verb, r.first, r.second, r.line)
        )
        self._modules = modules or {}

    def facts(
        self,
        *,
        tag: Tag | None = None,
        kinds: Collection[Kind] = (),
        modules: Collection[str] | None = None,
        having: str = "",
    ) -> Iterator[Fact]:
        """See `FactSource.facts`."""
        for fact in self._facts:
            if having and having not in fact.aspects:
                continue
            if tag is not None and fact.tag is not tag:
                continue
            if kinds and fact.kind not in kinds:
                continue
            if modules is not None and self.module_of(fact) not in modules:
                continue
            yield fact

    def relations(self, verbs: Collection[Verb] = ()) -> Iterator[Relation]:
        """See `FactSource.relations`."""
        return (r for r in self._relations if not verbs or r.verb in verbs)

    def module_of(self, fact: Fact) -> str:
        """See `FactSource.module_of`."""
        return self._modules.get(fact.source.path, "")
