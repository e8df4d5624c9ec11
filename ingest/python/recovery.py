"""Parsing of files that the grammar does not wholly accept, and the verdict whether they are Python at all."""

from __future__ import annotations

import ast
import re
import warnings
from typing import TYPE_CHECKING

from graph.compiled import compiled
from graph.facts import Defect, Skipped, Tag
from graph.test_folders import is_in_test_folder, is_test_module
from ingest.python import query
from ingest.python.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

SYNTAX_ERROR = "source-syntax-error"

_TYPE_PARAMETERS = compiled(rb"^[ \t]*(?:class|(?:async[ \t]+)?def|type)[ \t]+\w+[ \t]*\[", re.MULTILINE)
_BARE_STAR = compiled(
    rb"^([ \t]*(?:(?:return|yield)[ \t]|[\w.]+[ \t]*=[ \t])[^()\[\]{}\n#'\"]*,[ \t]*)\*(?=\()", re.MULTILINE
)
_OLD_STATEMENT = compiled(rb"\b(?:print|exec)[ ]+(?:[\w\"'`]|>>)")
_OLD_STATEMENTS = frozenset({"print_statement", "exec_statement"})
_OPENING, _CLOSING = b"([{", b")]}"

# Beyond these the compiler of some interpreters ends the process instead of refusing the text.
_MAXIMUM_DEPTH = 90
_MAXIMUM_BYTES = 5_000_000
_MAXIMUM_LINE = 20_000


def parse(data: bytes) -> Node:
    """The root of the syntax tree; what the grammar does not know is passed over: defaults of type parameters, and the
    star in `return first, *(rest)`."""
    root = query.parse(data).root_node
    if root.has_error:
        blanked = _BARE_STAR.sub(rb"\1 ", _without_type_defaults(data))
        if blanked != data:
            return query.parse(blanked).root_node
    return root


def verdict(source: Source, root: Node, tag: Tag) -> tuple[list[Defect], list[Skipped]]:
    """The first syntax error as a defect; as skipped what only the grammar does not know, Python 2, and what is broken
    among the data of tests: whoever keeps it there may well mean it."""
    if old := _python_2(source, root):
        return [], [
            Skipped(source.path, old, "is written in Python 2, so that parts of it may be read wrongly")
        ]
    if not root.has_error:
        return [], []
    error = _compiler_error(source)
    if error is None:
        line = source.line(query.first_error(root))
        return [], [Skipped(source.path, line, "this part uses a syntax that the parser does not know")]
    place, reason = error
    line = place or source.line(query.first_error(root))
    if is_in_test_folder(source.path) and not is_test_module(source.path.rpartition("/")[2]):
        return [], [
            Skipped(source.path, line, "is no valid Python, as data of tests may be, and was read in part")
        ]
    defect = Defect(
        rule=SYNTAX_ERROR,
        subject=source.path,
        aspect="syntax",
        message=f"line {line} is not valid Python: {reason}; only the sound parts of the file were read",
        tag=tag,
        path=source.path,
        line=line,
    )
    return [defect], []


def _python_2(source: Source, root: Node) -> int:
    """The line of the first statement that only Python 2 has, `print "text"`; 0 without any."""
    data = source.data
    if b"print " not in data and b"exec " not in data:
        return 0
    for match in _OLD_STATEMENT.finditer(data):
        word = root.descendant_for_byte_range(match.start(), match.start() + 1)
        if word is not None and word.parent is not None and word.parent.type in _OLD_STATEMENTS:
            return source.line(match.start())
    return 0


def _compiler_error(source: Source) -> tuple[int, str] | None:
    """The line (0 where it is not known) and reason for which Python itself refuses the text; None if it accepts it."""
    if b"\0" in source.data:
        return source.line(source.data.index(b"\0")), "it contains a null byte"
    if not _is_tame(source.data):
        return 0, "the parser cannot make sense of it"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source.data)
    except SyntaxError as error:
        return error.lineno or 0, error.msg
    except (ValueError, RecursionError, MemoryError) as error:
        return 0, str(error) or "it is nested too deeply"
    return None


def _is_tame(data: bytes) -> bool:
    """Whether a text is neither so large nor so deeply nested that it is unwise to give it to the compiler."""
    if len(data) > _MAXIMUM_BYTES or max(map(len, data.split(b"\n"))) > _MAXIMUM_LINE:
        return False
    depth = 0
    for character in re.findall(rb"[\[\](){}]", data):
        depth = depth + 1 if character in _OPENING else max(0, depth - 1)
        if depth > _MAXIMUM_DEPTH:
            return False
    return True


def _without_type_defaults(data: bytes) -> bytes:
    """The text with the defaults of type parameters (`class A[T = int]`) blanked, byte for byte."""
    blanked = bytearray(data)
    for header in _TYPE_PARAMETERS.finditer(data):
        depth, blanking = 1, False
        for place in range(header.end(), len(data)):
            character = data[place]
            if character in _OPENING:
                depth += 1
            elif character in _CLOSING:
                depth -= 1
                if depth == 0:
                    break
            elif depth == 1 and character in b",=":
                blanking = character == ord("=")
            if blanking and character != ord("\n"):
                blanked[place] = ord(" ")
    return bytes(blanked)
