"""Which components a comparison came to, what was seen in them, and which operations reach them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

import msgspec

from crossval.compare.optional_answers import OptionalAnswers
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
        optional = OptionalAnswers(each for pairs_there in placed.values() for each in pairs_there)
        for key, users in affected.items():
            if users not in named:
                named[users] = tuple(name for bit, name in enumerate(names) if users >> bit & 1)
            pairs.extend(
                msgspec.structs.replace(told, affects=named[users])
                for place, pair in placed[key]
                if (told := optional.told(place, pair)) is not None
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
