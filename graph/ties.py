"""Relations that the store does not hold, since they are concluded: what implements, verifies or mentions what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graph.facts import Fact, Relation


class Ties:
    """Concluded relations, found by their ends."""

    def __init__(self, relations: Iterable[Relation] = ()) -> None:
        self._relations = tuple(relations)
        self._of: dict[str, list[Relation]] = {}
        for relation in self._relations:
            for end in {relation.first, relation.second}:
                self._of.setdefault(end, []).append(relation)

    def __iter__(self) -> Iterator[Relation]:
        return iter(self._relations)

    def of(self, fact: Fact) -> list[Relation]:
        """The relations that start or end at a fact."""
        return self._of.get(fact.id, [])


NO_TIES = Ties()
