"""The picture of a part of the fact graph as data: nodes with their places, relations, and the rings around some."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crossval.report.escape import brief
from graph.facts import Fact, Json, Kind, Verb
from graph.layout import rings, spread
from graph.part import Edge, Part
from graph.statements import statement

MOST_RINGS = 1_500
"""Around how many facts, or pairs of facts, there is a picture of its own."""

_TELLING = (
    Verb.CONTRADICTS,
    Verb.IMPLEMENTS,
    Verb.VERIFIES,
    Verb.HANDLED_BY,
    Verb.MENTIONS,
    Verb.RAISES,
    Verb.CALLS,
    Verb.REFERENCES,
    Verb.INHERITS,
    Verb.CONTAINS,
    Verb.SUPERSEDES,
    Verb.TOUCHES,
    Verb.IMPORTS,
)
"""The relations in the order in which they are given room around a fact."""

_SENTENCE = 300
_LABEL = 60


class Picture:
    """A part of the graph laid out; `centre` gives the number of the picture around some facts."""

    def __init__(self, part: Part) -> None:
        self._part = part
        self._places = {fact.id: place for place, fact in enumerate(part.facts)}
        self._neighbours = _neighbours(part)
        self._rings: dict[tuple[int, ...], int] = {}

    def places(self, identifiers: Iterable[str]) -> list[int]:
        """The nodes that these ids mean, without repetition."""
        found = dict.fromkeys(
            place
            for identifier in identifiers
            for place in self._part.asked.get(identifier) or _one(self._places.get(identifier))
        )
        return list(found)

    def centre(self, places: Sequence[int]) -> int:
        """The number of the picture around these nodes; -1 where there is none, or there are too many already."""
        key = tuple(sorted(places))
        if key and key not in self._rings and len(self._rings) < MOST_RINGS:
            self._rings[key] = len(self._rings)
        return self._rings.get(key, -1)

    def document(self) -> dict[str, Json]:
        """Nodes, edges and rings. Facts without a picture of their own get one as far as there may be more."""
        part = self._part
        own = [self.centre([place]) for place in range(len(part.facts))]
        spots = spread(len(part.facts), ((edge.first, edge.second) for edge in part.edges))
        verbs = list(Verb)
        return {
            "verbs": [verb.value.replace("_", " ") for verb in verbs],
            "facts": [
                [*_told(fact), others, *spot, ring]
                for fact, others, spot, ring in zip(part.facts, part.others, spots, own, strict=True)
            ],
            "edges": [_edge(edge, verbs) for edge in part.edges],
            "rings": [
                [
                    len(key),
                    *(number for node, spot in rings(self._neighbours, key) for number in (node, *spot)),
                ]
                for key in self._rings
            ],
        }


def _neighbours(part: Part) -> list[list[int]]:
    found: list[dict[int, None]] = [{} for _ in part.facts]
    for edge in sorted(part.edges, key=lambda each: _TELLING.index(each.verb)):
        found[edge.first].setdefault(edge.second)
        found[edge.second].setdefault(edge.first)
    return [list(each) for each in found]


def _edge(edge: Edge, verbs: Sequence[Verb]) -> list[Json]:
    told = [verbs.index(edge.verb), edge.first, edge.second]
    return (
        [*told, edge.confidence, brief(edge.reason, _SENTENCE)]
        if edge.reason or edge.confidence < 1
        else told
    )


def _told(fact: Fact) -> list[Json]:
    label = fact.key if fact.kind in (Kind.OPERATION, Kind.STORY, Kind.CRITERION) else fact.name or fact.key
    source = fact.source
    return [
        brief(fact.id, _SENTENCE),
        brief(label, _LABEL),
        brief(statement(fact), _SENTENCE),
        brief(source.path),
        source.line,
    ]


def _one(place: int | None) -> tuple[int, ...]:
    return () if place is None else (place,)
