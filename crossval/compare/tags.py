"""Alternatives that a property tells apart: which values it has on one side only."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from crossval.compare.components import Node
from crossval.compare.keywords import enum_difference
from crossval.compare.sites import Site, Walk
from graph.facts import Json

_Tagged: TypeAlias = dict[Json, Node]


class Tags:
    """The alternatives of both sides of one place, by the values of the property that tells them apart.

    Empty where there is no such property, or one of which both sides have the same values.
    """

    def __init__(self, ours: list[Node], theirs: list[Node], resolved: Callable[[Node], Node]) -> None:
        first, second = (_told_apart([(each, resolved(each)) for each in side]) for side in (ours, theirs))
        common = [name for name in first if name in second]
        differs = common and not any(first[name].keys() == second[name].keys() for name in common)
        self._name = common[0] if differs else ""
        self._ours = first.get(self._name, {})
        self._theirs = second.get(self._name, {})

    def tell(
        self, walk: Walk, site: Site, both: tuple[Node, Node], ours: list[Node], theirs: list[Node]
    ) -> None:
        """Takes those of the alternatives left over whose value only one side has, and adds what that tells."""
        alone = [*_alone(ours, self._ours, self._theirs), *_alone(theirs, self._theirs, self._ours)]
        found = enum_difference(list(self._ours), list(self._theirs))
        if alone and found is not None:
            walk.meet(site.below(self._name, self._name), *both, [found])
        ours[:] = [each for each in ours if each not in alone]
        theirs[:] = [each for each in theirs if each not in alone]


def _alone(left: list[Node], own: _Tagged, other: _Tagged) -> list[Node]:
    return [each for each in left if (values := _values(each, own)) and not values & other.keys()]


def _values(node: Node, tagged: _Tagged) -> set[Json]:
    return {value for value, each in tagged.items() if each is node}


def _told_apart(nodes: list[tuple[Node, Node]]) -> dict[str, _Tagged]:
    """By the names of properties that have a closed set of values in all alternatives, none of them in two, the
    alternative of each value."""
    found: dict[str, _Tagged] = {}
    for name in _properties(nodes[0][1]) if nodes else ():
        values: list[tuple[Json, Node]] = []
        for node, plain in nodes:
            listed = _properties(plain).get(name, {}).get("enum")
            if not isinstance(listed, list) or not all(isinstance(each, str | int) for each in listed):
                break
            values += [(value, node) for value in listed]
        else:
            if len({value for value, _ in values}) == len(values) > 0:
                found[name] = dict(values)
    return found


def _properties(node: Node) -> dict[str, Json]:
    properties = node.schema.get("properties")
    return properties if isinstance(properties, dict) else {}
