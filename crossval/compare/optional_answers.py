"""Fields that a contract leaves optional in a schema of several answers, of which only some have them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

import msgspec

from crossval.compare.keywords import canonical
from crossval.pairs import Direction, Pair
from graph.facts import Fact, Kind
from graph.schema_algebra import without_places


class OptionalAnswers:
    """What the pairs say together, each with the place that others share with it: of a schema of several answers, one
    that is always there in some and never in others is optional, as the contract has it."""

    def __init__(self, placed: Iterable[tuple[Hashable, Pair]]) -> None:
        every = list(placed)
        self._answered = {place for place, pair in every if pair.code_fact}
        self._lacking = {place for place, pair in every if _may_lack(pair)}

    def told(self, place: Hashable, pair: Pair) -> Pair | None:
        """The pair without what others explain; None where nothing is left of it."""
        if place in self._answered and _may_lack(pair):
            return None
        return _sometimes(pair) if place in self._lacking else pair


def told_of_failures(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """The pairs without what other failures of the same form explain: contracts describe all of them by one schema,
    be it a component or the same words each time."""
    forms: dict[str, str] = {}
    placed = [(_place(pair, forms), pair) for pair in pairs]
    optional = OptionalAnswers((place, pair) for place, pair in placed if place)
    for place, pair in placed:
        told = optional.told(place, pair) if place else pair
        if told is not None:
            yield told


def _place(pair: Pair, forms: dict[str, str]) -> tuple[str, str, str] | None:
    """What is shared by the same field of other failures; None for what belongs to no failure."""
    fact = pair.spec_fact
    if pair.kind is not Kind.FIELD or pair.direction is not Direction.RESPONSE or fact is None:
        return None
    status = str(fact.aspects.get("status", ""))
    stem = f"responses.{status}"
    if fact.kind is not Kind.RESPONSE or status[:1] not in ("4", "5", "d") or not pair.place.startswith(stem):
        return None
    if fact.id not in forms:
        forms[fact.id] = _form(fact)
    return fact.source.path, forms[fact.id], pair.place.removeprefix(stem)


def _form(fact: Fact) -> str:
    return canonical(without_places(fact.aspects.get("content")))


def _may_lack(pair: Pair) -> bool:
    """Whether answers lack a field that the contract leaves optional."""
    return (
        pair.code_fact is None
        and pair.direction is Direction.RESPONSE
        and all(difference.spec is False for difference in pair.changed("required"))
    )


def _sometimes(pair: Pair) -> Pair:
    """The pair of a field that other answers lack: a contract that leaves it optional is right about these, too."""
    kept = tuple(d for d in pair.differences if not (d.change == "required" and d.spec is False))
    return pair if pair.code_fact is None else msgspec.structs.replace(pair, differences=kept)
