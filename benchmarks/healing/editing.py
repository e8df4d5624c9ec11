"""Changes a text at the places of its syntax tree and keeps everything else as it is written."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Protocol


class Placed(Protocol):
    """A node that knows where it stands."""

    lineno: int
    col_offset: int
    end_lineno: int | None
    end_col_offset: int | None


class Editor:
    """Collects replacements of one text; `result` is the text with all of them."""

    def __init__(self, text: str) -> None:
        self._bytes = text.encode()
        self._starts = [0]
        for line in self._bytes.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._edits: dict[tuple[int, int], str] = {}

    def offset(self, line: int, column: int) -> int:
        """The place of a line (from 1) and a column (in bytes) in the encoded text."""
        return self._starts[line - 1] + column

    def span(self, node: Placed) -> tuple[int, int]:
        """Where a node begins and ends."""
        assert node.end_lineno is not None and node.end_col_offset is not None, "trees of texts know ends"
        return self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)

    def source(self, node: Placed) -> str:
        """The text of a node."""
        begin, end = self.span(node)
        return self._bytes[begin:end].decode()

    def replace(self, node: Placed, text: str) -> None:
        """Put a text in a node's place."""
        self._edits[self.span(node)] = text

    def replace_between(self, begin: int, end: int, text: str) -> None:
        """Put a text in the place of what lies between two offsets."""
        self._edits[begin, end] = text

    def replace_name(self, node: ast.stmt, old: str, new: str) -> None:
        """Rename what a `def` or `class` statement defines."""
        begin, end = self.offset(node.lineno, node.col_offset), self.span(node)[1]
        head = self._bytes[begin:end]
        words = b"class " if isinstance(node, ast.ClassDef) else b"def "
        place = begin + head.index(old.encode(), head.index(words))
        self._edits[place, place + len(old.encode())] = new

    def replace_end(self, node: Placed, old: str, new: str) -> None:
        """Replace the last word of a node (the name of an attribute)."""
        end = self.span(node)[1]
        self._edits[end - len(old.encode()), end] = new

    def replace_start(self, node: Placed, old: str, new: str) -> None:
        """Replace the first word of a node (a keyword's name, an alias' name)."""
        begin = self.span(node)[0]
        self._edits[begin, begin + len(old.encode())] = new

    def remove_lines(self, first: int, last: int) -> None:
        """Take out whole lines (from 1, both included)."""
        self._edits[self._starts[first - 1], self._starts[last]] = ""

    def insert_line(self, before: int, text: str) -> None:
        """Put lines before a line (from 1)."""
        place = self._starts[before - 1]
        self._edits[place, place] = self._edits.get((place, place), "") + text + "\n"

    def result(self) -> str:
        """The text with all replacements; of two that overlap the one that begins first counts."""
        parts: list[bytes] = []
        last = 0
        for (begin, end), text in sorted(self._edits.items()):
            if begin < last:
                continue
            parts += [self._bytes[last:begin], text.encode()]
            last = end
        return b"".join([*parts, self._bytes[last:]]).decode()


def lines_of(node: ast.stmt) -> tuple[int, int]:
    """The first line of a statement, decorators included, and its last."""
    decorators: Iterable[ast.expr] = getattr(node, "decorator_list", ())
    first = min([node.lineno, *(each.lineno for each in decorators)])
    assert node.end_lineno is not None, "trees of texts know ends"
    return first, node.end_lineno


def after_imports(text: str) -> int:
    """The line before which a new import of a module can stand: behind docstring, `__future__` and imports."""
    tree = ast.parse(text)
    line = 1
    for node in tree.body:
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if is_docstring or (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            line = (node.end_lineno or node.lineno) + 1
    later = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    return (later[-1].end_lineno or 0) + 1 if later else line
