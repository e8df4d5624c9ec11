"""The text of one file of tests with its syntax tree: where each node stands, and edits that leave all else alone."""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
import warnings
from collections.abc import Iterable, Iterator
from functools import cached_property

import msgspec


class Edit(msgspec.Struct, frozen=True, order=True):
    """The characters from `start` up to `end` become `text`."""

    start: int
    end: int
    text: str


class Token(msgspec.Struct, frozen=True):
    """One token that is no layout, with the characters that it covers."""

    text: str
    start: int
    end: int


class Source:
    """A parsed file. `path` is relative to the project's root."""

    def __init__(self, path: str, text: str) -> None:
        """Raises SyntaxError for what is no Python, and for line ends that nobody counts alike."""
        if re.search(r"\r(?!\n)|\f|^\ufeff", text):
            raise SyntaxError("lines end in several ways")
        self.path = path
        self.text = text
        self.tree = parsed(text)
        self._rows = text.split("\n")
        self._starts = [0]
        for row in self._rows:
            self._starts.append(self._starts[-1] + len(row) + 1)

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The node that each node stands in."""
        return {child: node for node in self.nodes for child in ast.iter_child_nodes(node)}

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes, the outer ones first."""
        return tuple(ast.walk(self.tree))

    @cached_property
    def tokens(self) -> list[Token]:
        """The tokens in their order, without comments and layout."""
        layout = {tokenize.NEWLINE, tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT}
        return [
            Token(each.string, self._at(*each.start), self._at(*each.end))
            for each in tokenize.generate_tokens(io.StringIO(self.text, newline="").readline)
            if each.type not in layout and each.type != tokenize.ENDMARKER
        ]

    def offset(self, line: int, column: int) -> int:
        """The place of a line and a column as `ast` counts them, in bytes of UTF-8."""
        row = self._rows[line - 1]
        return self._at(line, column if row.isascii() else len(row.encode()[:column].decode(errors="ignore")))

    def start(self, node: ast.expr | ast.stmt | ast.alias | ast.keyword | ast.arg) -> int:
        """Where a node begins."""
        return self.offset(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt | ast.alias | ast.keyword | ast.arg) -> int:
        """Where a node ends."""
        return self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def segment(self, node: ast.expr | ast.stmt | ast.alias | ast.keyword | ast.arg) -> str:
        """The text of a node."""
        return self.text[self.start(node) : self.end(node)]

    def line_start(self, place: int) -> int:
        """Where the line of a place begins."""
        return self.text.rfind("\n", 0, place) + 1

    def line_end(self, place: int) -> int:
        """Where the line after that of a place begins."""
        end = self.text.find("\n", place)
        return len(self.text) if end < 0 else end + 1

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, the nearest first."""
        while (parent := self.parents.get(node)) is not None:
            yield parent
            node = parent

    def identifier(self, node: ast.expr | ast.alias | ast.keyword | ast.arg, word: str) -> Edit | None:
        """Where a name stands that a node begins with (ends with, for an attribute), for an edit that keeps it.

        `None` where the text does not show it there: within some f-strings, and where letters are written in
        several ways.
        """
        formatted = self._formatted(node)
        if formatted is not None:
            return self._within_formatted(formatted, node, word)
        if isinstance(node, ast.Attribute):
            end = self.end(node)
            place = Edit(end - len(word), end, word)
        else:
            start = self.start(node)
            place = Edit(start, start + len(word), word)
        after = self.text[place.end : place.end + 1]
        before = self.text[place.start - 1 : place.start] if place.start else ""
        is_whole = not (after.isidentifier() or after.isdecimal()) and not before.isidentifier()
        return place if is_whole and self.text[place.start : place.end] == word else None

    def within_literal(self, node: ast.expr, old: str, new: str) -> Edit | None:
        """The edit by which a string that says `old` says `new`; `None` where it is not written in one plain piece."""
        segment = self.segment(node)
        if segment.count(old) != 1 or "\\" in segment or not isinstance(node, ast.Constant):
            return None
        start = self.start(node) + segment.index(old)
        return Edit(start, start + len(old), new)

    def defined(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Edit | None:
        """Where the name of a definition stands, for an edit that keeps it."""
        found = re.compile(rf"(?:def|class)\s+({re.escape(node.name)})\b").search(self.text, self.start(node))
        return Edit(found.start(1), found.end(1), node.name) if found else None

    def _formatted(self, node: ast.AST) -> ast.JoinedStr | None:
        """The outermost f-string around a node, where the running Python does not know where its parts stand."""
        if sys.version_info >= (3, 12):
            return None
        around = [each for each in self.above(node) if isinstance(each, ast.JoinedStr)]
        return around[-1] if around else None

    def _within_formatted(self, around: ast.JoinedStr, node: ast.AST, word: str) -> Edit | None:
        """Where a name stands in an f-string, if all words of its fields that are so called are such names."""
        start, segment = self.start(around), _fields(self.segment(around))
        is_attribute = isinstance(node, ast.Attribute)
        found = list(re.finditer(rf"(?<![\w{'' if is_attribute else '.'}]){re.escape(word)}(?!\w)", segment))
        same = [
            each
            for each in _in_order(around)
            if (isinstance(each, ast.Attribute) and each.attr == word and is_attribute)
            or (isinstance(each, ast.Name) and each.id == word)
        ]
        if len(found) != len(same) or node not in same:
            return None
        place = found[same.index(node)]
        return Edit(start + place.start(), start + place.end(), word)

    def _at(self, line: int, column: int) -> int:
        return self._starts[line - 1] + column


def _fields(segment: str) -> str:
    """An f-string whose letters outside of its fields are blanked out."""
    kept: list[str] = []
    depth = at = 0
    while at < len(segment):
        if depth == 0 and segment[at : at + 2] in ("{{", "}}"):
            kept += "  "
            at += 2
            continue
        depth += (segment[at] == "{") - (segment[at] == "}")
        kept.append(segment[at] if depth > 0 else " ")
        at += 1
    return "".join(kept)


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """A node and those in it in the order of the text, a name before the attribute that follows it."""
    for child in ast.iter_child_nodes(node):
        yield from _in_order(child)
    yield node


def parsed(text: str) -> ast.Module:
    """The tree of a text. Raises SyntaxError for what is no Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (ValueError, RecursionError, MemoryError) as error:
        raise SyntaxError(str(error)) from error


def edited(text: str, edits: Iterable[Edit]) -> str | None:
    """The text with all edits made; `None` where two of them want the same place, or it would be no Python then."""
    made = sorted(set(edits))
    if not made:
        return text
    pieces, end = [], 0
    previous: Edit | None = None
    for edit in made:
        if edit.start < end or (previous is not None and edit.start == previous.start == previous.end):
            return None
        pieces += [text[end : edit.start], edit.text]
        end, previous = edit.end, edit
    new = "".join([*pieces, text[end:]])
    try:
        parsed(new)
    except SyntaxError:
        return None
    return new
