"""Which alternative of one schema is which of another: by name, by a value that only one has, by agreement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TypeAlias

from crossval.compare.components import Node
from graph.facts import Json
from graph.schema_algebra import without_places

Matches: TypeAlias = Callable[[Node, Node], bool]
_MOST_PAIRS = 100


def matched(ours: list[Node], theirs: list[Node], matches: Matches) -> Iterator[tuple[Node, Node]]:
    """Takes the pairs that match out of both lists, each with the first that it finds."""
    for first in list(ours):
        second = next((other for other in theirs if matches(first, other)), None)
        if second is not None:
            ours.remove(first)
            theirs.remove(second)
            yield first, second


def settle(ours: list[Node], theirs: list[Node], matches: Matches) -> None:
    """Takes as many pairs that match out of both lists as can be at once."""
    if len(ours) * len(theirs) > _MOST_PAIRS:
        for _ in matched(ours, theirs, matches):
            continue
        return
    fits = [[number for number, other in enumerate(theirs) if matches(first, other)] for first in ours]
    taken: dict[int, int] = {}

    def place(first: int, tried: set[int]) -> bool:
        for second in fits[first]:
            if second in tried:
                continue
            tried.add(second)
            if second not in taken or place(taken[second], tried):
                taken[second] = first
                return True
        return False

    for number in range(len(ours)):
        place(number, set())
    gone = set(taken.values())
    ours[:] = [node for number, node in enumerate(ours) if number not in gone]
    theirs[:] = [node for number, node in enumerate(theirs) if number not in taken]


def written_alike(spec: Node, code: Node) -> bool:
    """Whether both say the same in the same words."""
    return without_places(spec.schema) == without_places(code.schema)  # type: ignore[no-any-return]  # JSON


def named_alike(spec: Node, code: Node) -> bool:
    """Whether both refer to components of one name, wherever these are."""
    first, second = _name(spec), _name(code)
    return bool(first) and first == second


def tagged_alike(ours: list[Node], theirs: list[Node], resolved: Callable[[Node], Node]) -> Matches:
    """Whether two alternatives have a property of one constant value that no other one on their side has."""
    tags = [{id(node): _tags(resolved(node)) for node in side} for side in (ours, theirs)]
    counts = [Counter(tag for found in side.values() for tag in found) for side in tags]

    def alike(first: Node, second: Node) -> bool:
        common = tags[0].get(id(first), set()) & tags[1].get(id(second), set())
        return any(counts[0][tag] == counts[1][tag] == 1 for tag in common)

    return alike


def _tags(node: Node) -> set[tuple[str, Json]]:
    properties = node.schema.get("properties")
    found = set()
    for name, schema in properties.items() if isinstance(properties, dict) else ():
        values = schema.get("enum")
        if isinstance(values, list) and len(values) == 1 and isinstance(values[0], str | int):
            found.add((name, values[0]))
    return found


def reference_name(target: object) -> str:
    """The name of the schema that a `$ref` refers to, wherever it is; empty where it is no reference."""
    return target.partition("@")[0].rpartition(":")[2].rpartition(".")[2] if isinstance(target, str) else ""


def _name(node: Node) -> str:
    named = node.schema.get("x-named")
    return reference_name(node.schema.get("$ref")) or (named if isinstance(named, str) else "")
