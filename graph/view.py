"""The networkx view of the fact graph, loaded for the part that an algorithm needs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING

from graph.facts import Fact, Relation
from graph.ties import NO_TIES, Ties

if TYPE_CHECKING:
    import networkx

    from graph.store.store import Store


def shortest_path(
    store: Store, start: Fact, end: Fact, limit: int = 50_000, ties: Ties = NO_TIES
) -> list[tuple[Relation, Fact]]:
    """The shortest way from one fact to another along relations of either direction, one step per relation.

    Each step is the relation taken and the fact that it leads to; an empty list where there is no way within
    `limit` facts. Breadth first from the start, so that only the part around it is loaded.
    """
    came: dict[str, tuple[str, Relation, Fact]] = {}
    seen = {start.id}
    queue = deque([start])
    while queue and len(seen) < limit:
        here = queue.popleft()
        for relation, fact in neighbours(store, here, ties):
            if fact.id in seen:
                continue
            seen.add(fact.id)
            came[fact.id] = (here.id, relation, fact)
            if fact.id == end.id:
                return _way_back(came, start.id, end.id)
            queue.append(fact)
    return []


def _way_back(
    came: dict[str, tuple[str, Relation, Fact]], start: str, end: str
) -> list[tuple[Relation, Fact]]:
    steps = []
    while end != start:
        end, relation, fact = came[end]
        steps.append((relation, fact))
    return steps[::-1]


def neighbours(store: Store, fact: Fact, ties: Ties = NO_TIES) -> list[tuple[Relation, Fact]]:
    """The relations of a fact, concluded ones too, with the known fact at their other end, in a stable order."""
    found: list[tuple[Relation, Fact]] = []
    for relation in all_relations_of(store, fact, ties):
        forward = is_end(relation.first, fact)
        found.extend(
            (relation, other) for other in store.named(relation.second if forward else relation.first)
        )
    return found


def all_relations_of(store: Store, fact: Fact, ties: Ties = NO_TIES) -> list[Relation]:
    """The relations of a fact as the store has them, then concluded ones that say something else."""
    found = store.relations_of(fact)
    known = {(each.verb, each.first, each.second) for each in found}
    return [*found, *(each for each in ties.of(fact) if (each.verb, each.first, each.second) not in known)]


def is_end(identifier: str, fact: Fact) -> bool:
    """Whether a relation's end, maybe of unknown kind, means this fact."""
    if identifier == fact.id:
        return True
    tag, kind, key = identifier.split(":", 2)
    return kind == "*" and tag == fact.tag and key == fact.key


def graph(facts: Iterable[Fact], relations: Iterable[Relation]) -> networkx.MultiDiGraph[str]:
    """A networkx graph over these facts: nodes are ids with `kind`, edges are keyed by verb.

    Ends of unknown kind are tied to the facts of that tag and key.
    """
    import networkx

    view: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
    by_reference: dict[str, list[str]] = {}
    for fact in facts:
        view.add_node(fact.id, kind=str(fact.kind))
        by_reference.setdefault(f"{fact.tag}:*:{fact.key}", []).append(fact.id)
    for relation in relations:
        for first in by_reference.get(relation.first, [relation.first]):
            for second in by_reference.get(relation.second, [relation.second]):
                if first in view and second in view:
                    view.add_edge(first, second, key=str(relation.verb), confidence=relation.confidence)
    return view
