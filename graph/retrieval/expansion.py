"""Finds what is related to the best hits: personalised PageRank on the part of the graph around them.

After Page, Brin, Motwani, Winograd: The PageRank Citation Ranking (1999), section 6. Facts with the
same key are one node, so that a contract's operation and the code's are one step from everything that either
is related to.
"""

from __future__ import annotations

from collections.abc import Mapping

from graph.facts import Verb
from graph.store import passages
from graph.store.records import VERBS
from graph.store.store import Store

WEIGHTS = {
    Verb.IMPLEMENTS: 1.0,
    Verb.VERIFIES: 1.0,
    Verb.HANDLED_BY: 1.0,
    Verb.MENTIONS: 1.0,
    Verb.CONTRADICTS: 1.0,
    Verb.CONTAINS: 0.6,
    Verb.RAISES: 0.8,
    Verb.CALLS: 0.5,
    Verb.REFERENCES: 0.5,
    Verb.INHERITS: 0.5,
}
"""How readily attention passes along a relation; imports and commits connect too much to mean anything."""

_STEPS = 2
_EDGES = 4_000
_DAMPING = 0.5
_ROUNDS = 12


def related(store: Store, seeds: Mapping[int, float]) -> dict[int, float]:
    """The share of attention of each symbol within two relations of the seeds, which share 1 by their weights."""
    if not seeds:
        return {}
    edges = _around(store, seeds)
    nodes = sorted({*seeds, *(end for first, second, _ in edges for end in (first, second))})
    return _ranked(nodes, edges, seeds)


def _around(store: Store, seeds: Mapping[int, float]) -> list[tuple[int, int, float]]:
    weights = {VERBS[verb]: weight for verb, weight in WEIGHTS.items()}
    edges: dict[tuple[int, int], float] = {}
    seen: set[int] = set()
    frontier = set(seeds)
    for _ in range(_STEPS):
        room = _EDGES - len(edges)
        if not frontier or room <= 0:
            break
        found = passages.edges_of(store.dialect, store.revision, frontier, weights, room)
        seen |= frontier
        for verb, first, second, confidence in found:
            if first != second:
                edges[first, second] = max(edges.get((first, second), 0.0), weights[verb] * confidence)
        frontier = {end for _, first, second, _ in found for end in (first, second)} - seen
    return [(first, second, weight) for (first, second), weight in sorted(edges.items())]


def _ranked(
    nodes: list[int], edges: list[tuple[int, int, float]], seeds: Mapping[int, float]
) -> dict[int, float]:
    import numpy

    at = {node: place for place, node in enumerate(nodes)}
    ends = numpy.array([(at[first], at[second]) for first, second, _ in edges], dtype=numpy.int64).reshape(
        -1, 2
    )
    weights = numpy.array([weight for *_, weight in edges], dtype=numpy.float64)
    sources = numpy.concatenate([ends[:, 0], ends[:, 1]])  # relations are walked both ways
    targets = numpy.concatenate([ends[:, 1], ends[:, 0]])
    flows = numpy.concatenate([weights, weights])
    out = numpy.bincount(sources, weights=flows, minlength=len(nodes))
    shares = flows / out[sources] if len(flows) else flows
    start = numpy.zeros(len(nodes))
    for node, weight in seeds.items():
        start[at[node]] = weight
    start /= start.sum()
    rank = start
    for _ in range(_ROUNDS):
        passed = numpy.bincount(targets, weights=rank[sources] * shares, minlength=len(nodes))
        lost = rank[out == 0].sum()
        rank = (1 - _DAMPING) * start + _DAMPING * (passed + lost * start)
    return dict(zip(nodes, rank.tolist(), strict=True))
