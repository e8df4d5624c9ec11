"""The text of a Python file as the syntax tree addresses it: bytes, and the lines they stand on."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from graph.facts import Location
from graph.literals import literal_value

if TYPE_CHECKING:
    from tree_sitter import Node


class Source:
    """One file's bytes; places are byte offsets, lines count from 1."""

    __slots__ = ("_starts", "data", "path")

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        if "\r" in text:
            # The grammar knows only "\n"; in Python all three line ends mean the same, within strings too.
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.data = text.encode("utf-8", "replace")
        self._starts = list(accumulate(map(len, self.data.splitlines(keepends=True)), initial=0))

    def line(self, place: int) -> int:
        """The line that a byte stands on."""
        return bisect_right(self._starts, place)

    def column(self, place: int) -> int:
        """How many bytes stand before this one on its line."""
        return place - self._starts[bisect_right(self._starts, place) - 1]

    def line_start(self, line: int) -> int:
        """Where a line begins; the end of the text for lines behind the last."""
        return self._starts[line - 1] if line <= len(self._starts) else len(self.data)

    @property
    def lines(self) -> int:
        """The number of the last line, at least 1."""
        return max(1, len(self._starts) - 1)

    def location(self, start: int, end: int) -> Location:
        """The lines of the bytes from `start` up to, not including, `end`."""
        starts = self._starts
        return Location(self.path, bisect_right(starts, start), bisect_right(starts, max(start, end - 1)))

    def slice(self, start: int, end: int) -> str:
        """The text from `start` up to `end`."""
        return self.data[start:end].decode("utf-8", "replace")

    def text(self, node: Node) -> str:
        """The text of a node."""
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def flat(self, node: Node, limit: int = 0) -> str:
        """The text of a node, several lines as one, cut at `limit` characters if given."""
        end = node.end_byte
        if limit:
            end = min(end, node.start_byte + 4 * limit)
        data = self.data[node.start_byte : end]
        if b"\n" in data and (b"#" in data or b'"""' in data or b"'''" in data or b"\\\n" in data):
            data = _on_one_line(data, node, end)
        text = data.decode("utf-8", "ignore")
        if "\n" in text:
            text = _joined(list(filter(None, map(str.strip, text.split("\n")))))
        return text[:limit] if limit else text


def _joined(rows: list[str]) -> str:
    """Rows as one, with a blank between them but for where a bracket has just opened or closes."""
    pieces = rows[:1]
    for before, row in pairwise(rows):
        pieces += [row] if before[-1] in "([{" or row[0] in ")]}" else [" ", row]
    return "".join(pieces)


def _on_one_line(data: bytes, node: Node, end: int) -> bytes:
    """The text of a node up to `end` without its comments, and with texts over several lines written on one."""
    start = node.start_byte
    waiting, changes = [node], []
    while waiting:
        current = waiting.pop()
        if current.type == "comment":
            changes.append((current.start_byte, min(current.end_byte, end), b""))
        elif current.type == "string":
            text = data[current.start_byte - start : current.end_byte - start]
            if b"\n" in text and current.end_byte <= end:
                changes.append((current.start_byte, current.end_byte, _escaped(text)))
        elif current.start_byte < end:
            waiting += current.named_children
    for first, last, text in sorted(changes, reverse=True):
        if first < end:
            data = data[: first - start] + text + data[last - start :]
    return data


def _escaped(text: bytes) -> bytes:
    """A literal text over several lines with the same value on one; another one, as of bytes or parts, as it is."""
    value = literal_value(text.decode("utf-8", "ignore"))
    return repr(value).encode("utf-8", "replace") if isinstance(value, str) else text
