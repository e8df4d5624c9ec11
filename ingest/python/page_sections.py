"""Under which headings of a page its examples stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graph.facts import Json

_FENCE = re.compile(r"[ \t]{0,3}(?:```|~~~)")
_MARKED = re.compile(r"#{1,6}[ \t]+(?P<title>\S.*?)[ \t]*#*[ \t]*")
_UNDERLINE = re.compile(r"([-=~^\"'`*+#:.<>_])\1{2,}[ \t]*")
_MARKUP = re.compile(r"\[([^\[\]]*)\]\([^()]*\)|:[\w:]+:(?=`)|[`*]|(?<!\w)_|_(?!\w)")


def sections_of(text: str, rows: Sequence[Json], *, is_markdown: bool) -> list[Json]:
    """The headings of a page below which examples stand directly: [line, title], in their order."""
    listed = list(_headings(text.split("\n"), is_markdown=is_markdown))
    places = [int(row[2]) for row in rows]
    found: list[Json] = []
    for (line, title), after in zip(listed, [*listed[1:], None], strict=False):
        if any(line <= place and (after is None or place < after[0]) for place in places):
            found.append([line, title])
    return found


def _headings(lines: Sequence[str], *, is_markdown: bool) -> Iterator[tuple[int, str]]:
    fenced = False
    for place, line in enumerate(lines):
        if _FENCE.match(line):
            fenced = not fenced
        below = lines[place + 1] if place + 1 < len(lines) else ""
        title = ""
        if not fenced and is_markdown and (found := _MARKED.fullmatch(line)):
            title = found["title"]
        elif not fenced and line[:1].strip() and _is_title(line, below) and not _UNDERLINE.fullmatch(line):
            title = line
        if plain := _MARKUP.sub(r"\1", title).strip():
            yield place + 1, plain


def _is_title(line: str, below: str) -> bool:
    """Whether a line is underlined as a title is, at full length."""
    return _UNDERLINE.fullmatch(below) is not None and len(below.rstrip()) >= min(len(line.rstrip()), 4)
