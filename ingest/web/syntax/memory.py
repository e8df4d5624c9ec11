"""A memory of what was worked out: each value once, with the files that it was read from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


class Memory:
    """Values by key, and the trails of the files that are read while they are worked out."""

    def __init__(self) -> None:
        self._trails: list[set[str]] = [set()]
        self._memory: dict[Hashable, tuple[object, frozenset[str]]] = {}

    def saw(self, path: str) -> None:
        """Note that what is being worked out now was read from this file too."""
        self._trails[-1].add(path)

    @contextmanager
    def trail(self) -> Iterator[set[str]]:
        """The paths of all files that are read inside of the block."""
        self._trails.append(set())
        try:
            yield self._trails[-1]
        finally:
            paths = self._trails.pop()
            self._trails[-1].update(paths)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """A block whose reading is not noted: it only decides whether something can be known at all."""
        self._trails.append(set())
        try:
            yield
        finally:
            self._trails.pop()

    def remember(self, key: Hashable, compute: Callable[[], T]) -> T:
        """The value for this key, computed once; the files it was read from are noted each time."""
        if key not in self._memory:
            self._trails.append(set())
            try:
                value = compute()
            finally:
                paths = self._trails.pop()
            self.keep(key, value, paths)
        return self.recall(key)  # type: ignore[return-value]  # a key always belongs to one type

    def recall(self, key: Hashable) -> object | None:
        """The value that was kept for this key; the files it was read from are noted."""
        if key not in self._memory:
            return None
        found, read = self._memory[key]
        self._trails[-1].update(read)
        return found

    def keep(self, key: Hashable, value: object, paths: Collection[str]) -> None:
        """Keep a value that was read from these files."""
        self._memory[key] = (value, frozenset(paths))
