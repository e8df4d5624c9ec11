"""Grows a tree from a parser's events, within bounds that hostile input cannot pass."""

from __future__ import annotations

import msgspec

from graph.facts import Json
from ingest.trees.tree import Duplicate, Key, Span, Tree

MAX_DEPTH = 100
MAX_NODES = 2_000_000
MAX_EXPANDED = 5_000_000
"""Nodes that a document may stand for once its aliases are followed."""

# Told apart by identity from a quoted key of the same text.
_MERGE = "<<\0"


class RefusedError(Exception):
    """The document passes a bound or says what must not be said; `line` is where."""

    def __init__(self, line: int, reason: str, remedy: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason
        self.remedy = remedy


class _Anchored(msgspec.Struct, gc=False):
    value: Json
    nodes: int
    height: int


class _Frame:
    __slots__ = ("anchor", "container", "first", "height", "key", "members", "merges", "nodes")

    def __init__(self, container: Json, first: int, anchor: str | None) -> None:
        self.container = container
        self.first = first
        self.anchor = anchor
        self.key: str | None = None
        self.members: dict[Key, int] = {}
        self.merges: list[Json] = []
        self.nodes = 1
        self.height = 1


class Builder:
    """Takes events in the order of the text. `last` is kept by the parser: the last line with content so far."""

    def __init__(self, path: str) -> None:
        self.last = 1
        self._path = path
        self._value: Json = None
        self._stack: list[_Frame] = []
        self._anchors: dict[str, _Anchored | None] = {}
        self._spans: dict[int, Span] = {}
        self._duplicates: list[Duplicate] = []
        self._nodes = 0
        self._expanded = 0

    @property
    def expects_key(self) -> bool:
        """Whether the next node is the key of a mapping."""
        return (
            bool(self._stack) and self._stack[-1].key is None and isinstance(self._stack[-1].container, dict)
        )

    def tree(self) -> Tree:
        """What was built."""
        return Tree(self._path, self._value, self._spans, self._duplicates)

    def open(self, container: Json, line: int, anchor: str | None = None) -> None:
        """A mapping or a list begins."""
        if self.expects_key:
            raise RefusedError(line, "a mapping or a list stands as a key", "Write keys as plain text.")
        if len(self._stack) >= MAX_DEPTH:
            raise RefusedError(
                line, f"nested more than {MAX_DEPTH} levels deep", "Split the document or flatten it."
            )
        self._count(line, 1)
        if anchor is not None:
            self._anchors[anchor] = None
        self._place(container, line)
        self._stack.append(_Frame(container, line, anchor))

    def close(self) -> None:
        """The innermost mapping or list ends, on the line `last`."""
        frame = self._stack.pop()
        container = frame.container
        for source in frame.merges:
            self._merge(frame, source)
        self._spans[id(container)] = Span(frame.first, max(self.last, frame.first), frame.members)
        if frame.anchor is not None:
            self._anchors[frame.anchor] = _Anchored(container, frame.nodes, frame.height)
        if self._stack:
            parent = self._stack[-1]
            parent.nodes += frame.nodes
            parent.height = max(parent.height, frame.height + 1)

    def key(self, key: str, line: int) -> None:
        """A key of the innermost mapping."""
        frame = self._stack[-1]
        if key in frame.members:
            self._duplicates.append(Duplicate(key, line, frame.members[key]))
        frame.members[key] = line
        frame.key = key

    def scalar(self, value: Json, line: int, anchor: str | None = None) -> None:
        """A value that is neither a mapping nor a list."""
        self._count(line, 1)
        if self._stack:
            self._stack[-1].nodes += 1
        if anchor is not None:
            self._anchors[anchor] = _Anchored(value, 1, 0)
        self._place(value, line)

    def aliased(self, name: str, line: int) -> Json:
        """The value that an anchor names, as a member of what is open now."""
        target = self._target(name, line)
        if self.expects_key:
            raise RefusedError(line, "an alias stands as a key", "Write keys as plain text.")
        if len(self._stack) + target.height > MAX_DEPTH:
            raise RefusedError(
                line, f"nested more than {MAX_DEPTH} levels deep", "Split the document or flatten it."
            )
        self._count(line, target.nodes)
        if self._stack:
            parent = self._stack[-1]
            parent.nodes += target.nodes
            parent.height = max(parent.height, target.height + 1)
        self._place(target.value, line)
        return target.value

    def merge_next(self, line: int) -> None:
        """The next value is a mapping (or a list of them) whose members the innermost mapping takes over."""
        self._stack[-1].key = _MERGE
        self._stack[-1].members.setdefault(_MERGE, line)

    def _target(self, name: str, line: int) -> _Anchored:
        if name not in self._anchors:
            raise RefusedError(line, f"the alias *{name} has no anchor", f"Define &{name} before it is used.")
        target = self._anchors[name]
        if target is None:
            raise RefusedError(
                line, f"the alias *{name} contains itself", "Write the value out, or use $ref."
            )
        return target

    def _place(self, value: Json, line: int) -> None:
        if not self._stack:
            self._value = value
            return
        frame = self._stack[-1]
        if frame.key is None:
            frame.members[len(frame.container)] = line
            frame.container.append(value)
        elif frame.key is _MERGE:
            frame.merges.append(value)
            frame.key = None
        else:
            frame.container[frame.key] = value
            frame.key = None

    def _count(self, line: int, nodes: int) -> None:
        self._nodes += 1
        self._expanded += nodes
        if self._nodes > MAX_NODES:
            raise RefusedError(
                line, f"holds more than {MAX_NODES:,} values", "Split the document into several files."
            )
        if self._expanded > MAX_EXPANDED:
            raise RefusedError(
                line,
                f"stands for more than {MAX_EXPANDED:,} values through its aliases",
                "Use fewer aliases.",
            )

    def _merge(self, frame: _Frame, source: Json) -> None:
        line = frame.members.pop(_MERGE, frame.first)
        for mapping in source if isinstance(source, list) else [source]:
            if not isinstance(mapping, dict):
                raise RefusedError(
                    line, "`<<` merges something that is no mapping", "Let `<<` name a mapping."
                )
            span = self._spans.get(id(mapping))
            for key, value in mapping.items():
                if key not in frame.container:
                    frame.container[key] = value
                    frame.members[key] = span.members.get(key, line) if span else line
