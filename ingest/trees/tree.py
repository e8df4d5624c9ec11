"""A value that was read from YAML or JSON, with the line of everything in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

import msgspec

from graph.facts import Json

Key: TypeAlias = str | int
"""The name of a member of a mapping, or the index of one of a list."""


class Unreadable(msgspec.Struct, frozen=True):
    """Why a text cannot be read; `remedy` is one sentence that says what to do."""

    path: str
    line: int
    reason: str
    remedy: str


class Duplicate(msgspec.Struct, frozen=True):
    """A key that stands more than once in one mapping; the last one counts."""

    key: str
    line: int
    first_line: int


class Span(msgspec.Struct, frozen=True):
    """The lines that a mapping or a list covers, and the line where each member begins."""

    first: int
    last: int
    members: dict[Key, int]


class Tree:
    """A value and the place of every mapping, list and member in it.

    Places belong to the mapping and list objects themselves: they are found in constant time, and only for this
    very value, not for copies of it. What an alias stands for has the place of its anchor.
    """

    __slots__ = ("_spans", "duplicates", "path", "value")

    def __init__(
        self, path: str, value: Json, spans: dict[int, Span], duplicates: Iterable[Duplicate]
    ) -> None:
        self.path = path
        self.value = value
        self.duplicates = tuple(duplicates)
        self._spans = spans

    def line(self, parent: Json, key: Key) -> int:
        """The line where this member of a mapping or list begins, else the parent's first line, else 1."""
        span = self._spans.get(id(parent))
        return span.members.get(key, span.first) if span else 1

    def last_line(self, parent: Json, key: Key) -> int:
        """The last line of this member of a mapping or list; of a scalar, the line where it begins."""
        first = self.line(parent, key)
        span = self._spans.get(id(parent[key]))
        return max(first, span.last) if span else first

    def first_line(self, value: Json) -> int:
        """The line where a mapping or list begins; 1 for anything else."""
        span = self._spans.get(id(value))
        return span.first if span else 1

    @property
    def final_line(self) -> int:
        """The last line of the whole value; 1 where it is neither a mapping nor a list."""
        span = self._spans.get(id(self.value))
        return span.last if span else 1

    def line_at(self, pointer: str) -> int:
        """The line of the member that a JSON pointer names, or of the nearest existing one above it."""
        value, line = self.value, self.first_line(self.value)
        for token in pointer.split("/")[1:]:
            key = member_key(value, token)
            if key is None:
                return line
            line, value = self.line(value, key), value[key]
        return line

    def relined(self, line: Callable[[int], int]) -> Tree:
        """The same tree with every line changed by a function."""
        spans = {
            identity: Span(
                line(span.first), line(span.last), {key: line(n) for key, n in span.members.items()}
            )
            for identity, span in self._spans.items()
        }
        moved = [Duplicate(each.key, line(each.line), line(each.first_line)) for each in self.duplicates]
        return Tree(self.path, self.value, spans, moved)


def member_key(value: Json, token: str) -> Key | None:
    """The key of a mapping or the index of a list that one token of a JSON pointer names, or None."""
    if isinstance(value, dict):
        key = token.replace("~1", "/").replace("~0", "~")
        return key if key in value else None
    if isinstance(value, list) and token.isascii() and token.isdigit() and len(token) < 9:
        return int(token) if int(token) < len(value) else None
    return None
