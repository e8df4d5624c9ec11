"""Docstrings: where they stand, and all that they tell."""

from __future__ import annotations

import re

from graph.facts import Json
from graph.patterns import pattern
from ingest.python.docstring_sections import sections
from ingest.python.doctests import examples
from ingest.python.left_to_heirs import left_to_heirs
from ingest.python.shown_values import shown_values
from ingest.python.source import Source
from ingest.python.told_blocks import told_below

# Each character has one reading, so that a text that does not end is given up at once.
_DOCSTRING = pattern(
    rb'([rRuU]?)(?:"""((?:[^\\"]++|\\.|"(?!""))*)"""|\'\'\'((?:[^\\\']++|\\.|\'(?!\'\'))*)\'\'\''
    rb'|"((?:[^\\"\n]++|\\.)*)"|\'((?:[^\\\'\n]++|\\.)*)\')[ \t]*(?:;|\n|#|\Z)',
    re.DOTALL,
)
_OPENERS = frozenset({b'"', b"'", b"r", b"R", b"u", b"U"})
_PROLOGUE = pattern(rb"(?:[ \t\f]*+(?:#[^\n]*+)?\n)*")
_ESCAPE = pattern(r"\\(\n|.)", re.DOTALL)
_ESCAPES = {"\n": "", "n": "\n", "t": "\t", "\\": "\\", "'": "'", '"': '"'}


def docstring(source: Source, body: int) -> tuple[str, int] | None:
    """The docstring of the body that begins at a byte, not yet dedented, and where it ends; None without one."""
    if source.data[body : body + 1] not in _OPENERS:
        return None
    match = _DOCSTRING.match(source.data, body)
    if match is None:
        return None
    raw, *alternatives = match.groups()
    content = next(content for content in alternatives if content is not None)
    text = content.decode("utf-8", "replace")
    if b"\\" in content and raw not in (b"r", b"R"):
        text = _ESCAPE.sub(_unescape, text)
    return text, match.end()


def module_docstring(source: Source) -> tuple[str, int] | None:
    """The docstring of a file, behind its leading comments."""
    prologue = _PROLOGUE.match(source.data)
    return docstring(source, prologue.end() if prologue else 0)


def documented(source: Source, found: tuple[str, int]) -> dict[str, Json]:
    """The sections of a docstring that was found, with its `examples`, what it has `shown` otherwise, and by
    which sentence it is `left_to_heirs`."""
    text, end = found
    doc = sections(text)
    if left := left_to_heirs(text):
        doc["left_to_heirs"] = left
    first = source.line(end - 1) - text.count("\n")
    if listed := [*examples(text, first), *told_below(text, first)]:
        doc["examples"] = sorted(listed, key=lambda row: int(row[2]))
    if freely := shown_values(text, first):
        doc["shown"] = freely
    return doc


def _unescape(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[1], match[0])
