"""The part of the fact graph around some facts: what a picture shows, bounded however large the graph is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from graph.facts import Fact, Kind, Relation, Tag, Verb, reference
from graph.store.store import Store
from graph.view import is_end

LARGEST = 5_000
"""Facts that a part has at most."""

_STEPS = 2
_FAN = 40
"""Facts that are taken in over one fact that was not asked for: a module that all import says little about any."""

_LEFT_OUT = frozenset({Verb.TOUCHES})


class Edge(msgspec.Struct, frozen=True):
    """A relation between two facts of a part, named by their places in it."""

    verb: Verb
    first: int
    second: int
    confidence: float = 1.0
    reason: str = ""


class Part(msgspec.Struct, frozen=True):
    """Facts, the nearest to those asked for first, the relations among them, and how many others each fact has.

    `asked` has the places of the facts that each id which was asked for means.
    """

    facts: tuple[Fact, ...] = ()
    edges: tuple[Edge, ...] = ()
    others: tuple[int, ...] = ()
    asked: dict[str, tuple[int, ...]] = {}


def part_around(
    store: Store, foci: Iterable[str], added: Iterable[Relation] = (), *, limit: int = LARGEST
) -> Part:
    """What lies within two steps of the facts with these ids, at most `limit` facts.

    `added` are relations that the store does not hold, such as inferred links. A fact of the code and one of the specs
    that have the same kind and key are tied by `implements`. An id that names no fact of its own, as the parameters of
    a function do, means the fact that holds it.
    """
    around = _Surroundings(store, added)
    found: dict[str, Fact] = {}
    meant = {identifier: around.holders(identifier) for identifier in foci}
    frontier = [fact for facts in meant.values() for fact in facts]
    asked = {fact.id for fact in frontier}
    for step in range(_STEPS + 1):
        reached: list[Fact] = []
        for fact in frontier:
            if fact.id in found or len(found) >= limit:
                continue
            found[fact.id] = fact
            if step < _STEPS and len(found) + len(reached) < limit * 2:
                near = [other for _, other in around.neighbours(fact) if other.id not in found]
                reached += near if fact.id in asked else near[:_FAN]
        frontier = reached
    return _tied(found, around, meant)


def _tied(found: dict[str, Fact], around: _Surroundings, meant: dict[str, list[Fact]]) -> Part:
    places = {identifier: place for place, identifier in enumerate(found)}
    edges: dict[tuple[Verb, int, int], Edge] = {}
    others = []
    for fact in found.values():
        left_out = set()
        for relation, other in around.neighbours(fact):
            if other.id not in places:
                left_out.add(other.id)
                continue
            ends = (places[fact.id], places[other.id])
            first, second = ends if is_end(relation.first, fact) else ends[::-1]
            edges.setdefault(
                (relation.verb, first, second),
                Edge(relation.verb, first, second, relation.confidence, relation.reason),
            )
        others.append(len(left_out))
    asked = {
        identifier: tuple(places[fact.id] for fact in facts if fact.id in places)
        for identifier, facts in meant.items()
    }
    return Part(tuple(found.values()), tuple(edges[key] for key in sorted(edges)), tuple(others), asked)


class _Surroundings:
    """The neighbours of facts: those of the store, those that were added, and those of the same name."""

    def __init__(self, store: Store, added: Iterable[Relation]) -> None:
        self._store = store
        self._named: dict[str, list[Fact]] = {}
        self._neighbours: dict[str, list[tuple[Relation, Fact]]] = {}
        self._added: dict[str, list[Relation]] = {}
        # All at once: asked for one by one, relations of thousands of facts take a hundred times as long.
        self._told: dict[str, list[Relation]] = {}
        for relation in store.relations(frozenset(Verb) - _LEFT_OUT):
            for end in {relation.first, relation.second}:
                self._told.setdefault(end, []).append(relation)
        for relation in added:
            for end in (relation.first, relation.second):
                for holder in self.holders(end):
                    self._added.setdefault(holder.id, []).append(relation)

    def holders(self, identifier: str) -> list[Fact]:
        """The facts that an id names, or else those that hold what it names."""
        for candidate in _candidates(identifier):
            if facts := self._facts(candidate):
                return facts
        return []

    def neighbours(self, fact: Fact) -> list[tuple[Relation, Fact]]:
        """Each relation of a fact with the fact at its other end, inferred ones first, then in a stable order."""
        known = self._neighbours.get(fact.id)
        if known is None:
            known = [pair for pair in self._all(fact) if pair[1].id != fact.id]
            self._neighbours[fact.id] = known
        return known

    def _all(self, fact: Fact) -> Iterator[tuple[Relation, Fact]]:
        for relation in self._added.get(fact.id, ()):
            ends = [self.holders(relation.first), self.holders(relation.second)]
            mine = next(index for index, facts in enumerate(ends) if any(f.id == fact.id for f in facts))
            for other in ends[1 - mine]:
                whole = (fact.id, other.id) if mine == 0 else (other.id, fact.id)
                yield msgspec.structs.replace(relation, first=whole[0], second=whole[1]), other
        yield from self._namesakes(fact)
        for identifier in (fact.id, reference(fact.tag, fact.key)):
            for relation in self._told.get(identifier, ()):
                end = relation.second if is_end(relation.first, fact) else relation.first
                yield from ((relation, other) for other in self._facts(end))

    def _namesakes(self, fact: Fact) -> Iterator[tuple[Relation, Fact]]:
        if fact.tag is Tag.TEST or fact.kind is Kind.MODULE:
            return
        for tag in (Tag.CODE, Tag.SPEC):
            if tag is not fact.tag:
                for other in self._facts(f"{tag}:{fact.kind}:{fact.key}"):
                    ends = (fact.id, other.id) if fact.tag is Tag.CODE else (other.id, fact.id)
                    yield Relation(Verb.IMPLEMENTS, *ends, reason="both have this name"), other

    def _facts(self, identifier: str) -> list[Fact]:
        facts = self._named.get(identifier)
        if facts is None:
            facts = self._named[identifier] = self._store.named(identifier)
        return facts


def _candidates(identifier: str) -> Sequence[str]:
    """The id itself, then what may hold it: the operation or function of a parameter, the class of a field."""
    tag, _, rest = identifier.partition(":")
    kind, _, key = rest.partition(":")
    tried = [identifier]
    if kind in (Kind.PARAMETER, Kind.BODY, Kind.RESPONSE) and "#" in key:
        owner = key.rpartition("#")[0]
        tried += [f"{tag}:{Kind.OPERATION}:{owner}", f"{tag}:{Kind.FUNCTION}:{owner}"]
    elif kind in (Kind.FIELD, Kind.ATTRIBUTE) and "." in key:
        owner = key.rpartition(".")[0]
        tried += [f"{tag}:{each}:{owner}" for each in (Kind.SCHEMA, Kind.CLASS, Kind.MODULE)]
    return tried
