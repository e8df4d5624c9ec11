"""Steps of a page that are another way to do what was done already, so that a reader goes only one of both."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from graph.facts import Json
from graph.patterns import pattern

_SAME = pattern(r"\b(?:equivalent|identical|the same (?:thing|effect|result|as)|same as)\b", re.IGNORECASE)
_FENCE = pattern(r"[ \t]*(?:```|~~~)")
_PROMPT = pattern(r"[ \t]*(?:>>>|\.\.\.)(?: |$)")
_DIRECTIVE = pattern(r"[ \t]*\.\. [\w-]+::|[ \t]+\S")
_LONGEST = 600


def without_alternatives(text: str, rows: Sequence[Json]) -> list[Json]:
    """The examples of a page without lines that change something and show nothing, in blocks whose introduction says
    that they are equivalent to others, or do the same."""
    if _SAME.search(text) is None:
        return list(rows)
    lines = text.split("\n")
    prose = [not each for each in _is_code(lines)]
    return [
        row
        for row in rows
        if row[1] or not (_changes(row[0]) and _SAME.search(_introduction(lines, prose, row[2])))
    ]


def _is_code(lines: Sequence[str]) -> Iterator[bool]:
    """Of each line, whether it is empty, or code with what belongs to it."""
    fenced = shown = False
    for line in lines:
        marks = _FENCE.match(line) is not None
        shown = bool(line.strip()) and (shown or _PROMPT.match(line) is not None)
        yield fenced or marks or shown or not line.strip() or _DIRECTIVE.match(line) is not None
        fenced ^= marks


def _introduction(lines: Sequence[str], prose: Sequence[bool], line: int) -> str:
    """The paragraph above the code that stands on a line, which may be that of several blocks."""
    end = min(line, len(lines)) - 1
    while end >= 0 and not prose[end]:
        end -= 1
    first = end
    while first > 0 and lines[first - 1].strip():
        first -= 1
    return "\n".join(lines[first : end + 1])[-_LONGEST:]


def _changes(source: str) -> bool:
    """Whether a line only changes something that is there, and names nothing anew."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    match tree.body:
        case [ast.Expr(value=ast.Call()) | ast.Delete() | ast.AugAssign()]:
            return True
        case [ast.Assign(targets=[ast.Attribute() | ast.Subscript()])]:
            return True
    return False
