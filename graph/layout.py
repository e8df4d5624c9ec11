"""Where the nodes of a picture stand: laid out by networkx, the same on every machine."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import networkx

Place = tuple[int, int]
"""Where a node stands: two neighbours that do not overlap are about 100 apart."""

APART = 100
NEAREST = 48
"""Nodes that the picture around one node has at most."""

_LARGEST_SPRING = 400
"""Nodes up to which a spring layout is fast; its cost grows with their square."""

_SEED = 7
_MOST_ROUNDS = 40
_WORK = 1_500_000
"""Pairs of nodes that are looked at while pushing a community's nodes apart."""


def spread(count: int, edges: Iterable[tuple[int, int]]) -> list[Place]:
    """A place for each of the nodes 0 to `count` - 1: what is closely tied stands together, nothing on one another.

    The whole is at least as wide as it is high. Communities are laid out each by itself, then as wholes; so 5,000
    nodes take seconds.
    """
    import networkx

    if not count:
        return []
    view: networkx.Graph[int] = networkx.Graph()
    view.add_nodes_from(range(count))
    view.add_edges_from(edges)
    communities = sorted(
        (sorted(each) for each in networkx.community.louvain_communities(view, seed=_SEED)),
        key=lambda each: (-len(each), each[0]),
    )
    inner = [_community(view, members) for members in communities]
    centres = _centres(view, communities)
    places: list[Place] = [(0, 0)] * count
    for members, own, (left, top) in zip(communities, inner, centres, strict=True):
        for node, (x, y) in zip(members, own, strict=True):
            places[node] = (round(left + x), round(top + y))
    wide, high = (max(axis) - min(axis) for axis in zip(*places, strict=True))
    return places if wide >= high else [(y, x) for x, y in places]


def rings(neighbours: Sequence[Collection[int]], centres: Sequence[int]) -> list[tuple[int, Place]]:
    """The nodes nearest to these on rings around them, at most `NEAREST`, each with its place; the centres first.

    `neighbours` has for each node those that it is tied to, the most telling first.
    """
    import networkx

    seen = set(centres)
    shells = [list(dict.fromkeys(centres))]
    for room in (NEAREST * 2 // 3, NEAREST):
        # Each node of the ring before has its turn, so that none of them takes all the room for itself.
        turns = [[other for other in neighbours[node] if other not in seen] for node in shells[-1]]
        chosen: dict[int, int] = {}
        for turn in range(max(map(len, turns), default=0)):
            for owner, others in enumerate(turns):
                if turn < len(others) and len(seen) + len(chosen) < room:
                    chosen.setdefault(others[turn], owner)
        ring = sorted(chosen, key=lambda node: (chosen[node], node))
        if not ring:
            break
        seen.update(ring)
        shells.append(ring)
    view: networkx.Graph[int] = networkx.Graph()
    view.add_nodes_from(node for shell in shells for node in shell)
    size = APART * max(1.6 * len(shells), max(len(shell) for shell in shells) / math.tau * 1.1)
    placed: dict[int, Any] = networkx.shell_layout(view, nlist=shells, rotate=0, scale=size)
    return [
        (node, (round(placed[node][0]), round(placed[node][1] * 0.8))) for shell in shells for node in shell
    ]


def _community(view: networkx.Graph[int], members: Sequence[int]) -> list[tuple[float, float]]:
    """Places of a community's nodes around its middle."""
    import networkx

    if len(members) == 1:
        return [(0.0, 0.0)]
    within: networkx.Graph[int] = networkx.Graph()
    within.add_nodes_from(members)
    within.add_edges_from(sorted(view.subgraph(members).edges))
    radius = APART * math.sqrt(len(members)) * 0.62
    if len(members) <= _LARGEST_SPRING:
        placed = _pairs(networkx.spring_layout(within, seed=_SEED, iterations=50, scale=radius))
    else:
        hub = max(members, key=lambda node: (within.degree[node], -node))
        rest = [node for node in members if node != hub]
        placed = _disc([hub, *rest], radius)
    return _apart([placed[node] for node in members], [APART / 2.2] * len(members))


def _pairs(placed: Mapping[int, Any]) -> dict[int, tuple[float, float]]:
    return {node: (float(place[0]), float(place[1])) for node, place in placed.items()}


def _disc(nodes: Sequence[int], radius: float) -> dict[int, tuple[float, float]]:
    """The nodes evenly over a disc, the first in its middle."""
    golden = math.pi * (3 - math.sqrt(5))
    return {
        node: (
            radius * math.sqrt(index / len(nodes)) * math.cos(index * golden),
            radius * math.sqrt(index / len(nodes)) * math.sin(index * golden),
        )
        for index, node in enumerate(nodes)
    }


def _centres(view: networkx.Graph[int], communities: Sequence[Sequence[int]]) -> list[tuple[float, float]]:
    """The middle of each community, so that no two overlap and tied ones are near."""
    import networkx

    home = {node: index for index, members in enumerate(communities) for node in members}
    whole: networkx.Graph[int] = networkx.Graph()
    whole.add_nodes_from(range(min(len(communities), _LARGEST_SPRING)))
    for first, second in view.edges:
        ends = sorted((home[first], home[second]))
        if ends[0] != ends[1] and ends[1] in whole:
            tied = whole.get_edge_data(ends[0], ends[1], {"weight": 0.0})["weight"]
            whole.add_edge(ends[0], ends[1], weight=tied + 1.0)
    radii = [APART * (0.62 * math.sqrt(len(members)) + 0.7) for members in communities]
    size = math.sqrt(sum(radius**2 for radius in radii)) * 1.3
    begun = _disc(list(range(len(communities))), size)
    if len(whole) > 1:
        placed = networkx.spring_layout(
            whole, pos={n: begun[n] for n in whole}, seed=_SEED, iterations=60, scale=size
        )
        begun |= _pairs(placed)
    return _apart([begun[index] for index in range(len(communities))], radii)


def _apart(places: Sequence[tuple[float, float]], radii: Sequence[float]) -> list[tuple[float, float]]:
    """The places moved as little as it takes that discs of these radii around them overlap little or not at all."""
    import numpy

    rounds = min(_MOST_ROUNDS, _WORK // len(places) ** 2)
    if not rounds:
        return list(places)
    at = numpy.array(places, dtype=float)
    reach = numpy.add.outer(numpy.array(radii), numpy.array(radii))
    for _ in range(rounds):
        between = at[:, None, :] - at[None, :, :]
        distance = numpy.hypot(between[..., 0], between[..., 1])
        numpy.fill_diagonal(distance, numpy.inf)
        overlap = numpy.clip(reach - distance, 0, None)
        if overlap.max() < 1:
            break
        # Two at the very same place part along a direction that depends on their order alone.
        same = distance < 1e-6
        between[same] = (1.0, 0.37)
        between[numpy.tril(same)] *= -1
        push = overlap / numpy.where(same, 1.0, distance) / 2
        at += (between * push[..., None]).sum(axis=1) * 0.5
    return [(float(x), float(y)) for x, y in at]
