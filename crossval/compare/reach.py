"""Which components a comparison came to, what was seen in them, and which operations reach them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

import msgspec

from crossval.compare.sites import ComponentPair, Walk
from crossval.pairs import Direction, Pair
from graph.facts import Unknown


class Reach:
    """The walks through pairs of components, each done once, and who came to them."""

    def __init__(self) -> None:
        self.walks: dict[ComponentPair, Walk] = {}
        self._users: dict[str, dict[ComponentPair, None]] = {}

    def add(self, user: str, reached: Iterable[ComponentPair]) -> None:
        """Notes that an operation comes to these components by itself."""
        self._users.setdefault(user, {}).update(dict.fromkeys(reached))

    def from_any(self, start: Iterable[ComponentPair]) -> Iterator[ComponentPair]:
        """These components and all that they come to, each once."""
        seen = dict.fromkeys(start)
        waiting = list(seen)
        while waiting:
            key = waiting.pop()
            yield key
            new = [reached for reached in self.walks[key].reached if reached not in seen]
            seen.update(dict.fromkeys(new))
            waiting.extend(new)

    def told(self) -> tuple[list[Pair], list[Unknown]]:
        """The pairs within all components that operations come to, with these operations, and what could not be
        known there."""
        names = sorted(self._users)
        named: dict[int, tuple[str, ...]] = {}
        pairs: list[Pair] = []
        unknown: list[Unknown] = []
        affected = self._affected(names)
        placed = {key: [(_place(key, pair), pair) for pair in self.walks[key].pairs] for key in affected}
        every = [each for pairs_there in placed.values() for each in pairs_there]
        answered = {place for place, pair in every if pair.code_fact}
        lacking = {place for place, pair in every if _may_lack(pair)}
        for key, users in affected.items():
            if users not in named:
                named[users] = tuple(name for bit, name in enumerate(names) if users >> bit & 1)
            pairs.extend(
                msgspec.structs.replace(_sometimes(pair) if place in lacking else pair, affects=named[users])
                for place, pair in placed[key]
                if not (place in answered and _may_lack(pair))
            )
            unknown.extend(self.walks[key].unknown)
        return pairs, unknown

    def _affected(self, names: list[str]) -> dict[ComponentPair, int]:
        """For all components that were reached, which of the names reach them, one bit each."""
        affected: dict[ComponentPair, int] = {}
        for bit, name in enumerate(names):
            for key in self._users[name]:
                affected[key] = affected.get(key, 0) | 1 << bit
        waiting = deque(affected)
        while waiting:
            key = waiting.popleft()
            users = affected[key]
            for reached in self.walks[key].reached:
                before = affected.get(reached, 0)
                if before | users != before:
                    affected[reached] = before | users
                    waiting.append(reached)
        return affected


def _place(key: ComponentPair, pair: Pair) -> tuple[str, str, Direction]:
    return key[0], pair.place, pair.direction


def _may_lack(pair: Pair) -> bool:
    """Whether answers lack a field that the contract leaves optional: a schema of several answers, of which some have
    the field, is meant so."""
    return (
        pair.code_fact is None
        and pair.direction is Direction.RESPONSE
        and all(difference.spec is False for difference in pair.changed("required"))
    )


def _sometimes(pair: Pair) -> Pair:
    """The pair of a field that other answers lack: a contract that leaves it optional is right about these, too."""
    kept = tuple(d for d in pair.differences if not (d.change == "required" and d.spec is False))
    return pair if pair.code_fact is None else msgspec.structs.replace(pair, differences=kept)
