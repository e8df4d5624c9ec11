"""Code frames: a few numbered lines around a place, cut to a width."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import msgspec

from crossval.findings import Witness
from crossval.report.colour import Paint
from crossval.report.escape import clean, clean_line
from crossval.report.report import Texts

CONTEXT = 1
"""Lines shown before and after the place."""

_TAB = 4
_MORE = "…"
_LONGEST_SCAN = 100_000
"""Characters of one line that are looked at; a line beyond that is minified, and only its start is shown."""


class Row(msgspec.Struct, frozen=True):
    """One line of a frame: cleaned, cut, and told apart where it is the place itself."""

    text: str
    marked: bool = False
    title: bool = False

    def painted(self, paint: Paint) -> str:
        """The row in colours: the place stands out, its context does not."""
        if self.title:
            return paint.place(self.text)
        return paint.strong(self.text) if self.marked else paint.faint(self.text)


def frame(witness: Witness, texts: Texts, width: int, gutter: int = 0) -> list[Row]:
    """The rows that show one witness: `spec openapi.yaml:31`, then the line with its neighbours.

    Only the first row where the file cannot be read or has no such line any more. `gutter` is the width of line
    numbers where frames are to stand in line.
    """
    title = f"{side(witness)} {clean_line(witness.path)}:{witness.line}"
    rows = [Row(cut(title, width), title=True)]
    lines = texts(witness.path)
    if lines is None or not 1 <= witness.line <= len(lines):
        return rows
    first = max(1, witness.line - CONTEXT)
    last = min(len(lines), witness.line + CONTEXT)
    digits = max(gutter, len(str(last)))
    room = max(8, width - digits - 5)
    for number in range(first, last + 1):
        marked = number == witness.line
        shown = _source_line(lines[number - 1], room, _words(witness) if marked else ())
        rows.append(Row(f"{'>' if marked else ' '} {number:>{digits}} | {shown}".rstrip(), marked))
    return rows


def side(witness: Witness) -> str:
    """Which witness speaks, from its fact's id: `spec`, `code` or `test`."""
    tag = witness.fact.partition(":")[0]
    return tag if tag in ("spec", "code", "test") else "file"


def gutter(*witnesses: Witness | None) -> int:
    """The width of the line numbers that the frames of these witnesses need."""
    return max((len(str(witness.line + CONTEXT)) for witness in witnesses if witness), default=1)


def beside(left: Sequence[Row], right: Sequence[Row], width: int, paint: Paint) -> list[str]:
    """Two frames side by side, each of `width` columns, as painted lines."""
    lines = []
    for index in range(max(len(left), len(right))):
        first = left[index] if index < len(left) else Row("")
        second = right[index] if index < len(right) else Row("")
        padding = " " * (width - columns(first.text) + 3)
        lines.append(f"{first.painted(paint)}{padding}{second.painted(paint)}".rstrip())
    return lines


def columns(text: str) -> int:
    """How many columns of a terminal the text takes: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(_character_columns(character) for character in text)


def cut(text: str, width: int, start: int = 0) -> str:
    """The part of a one-line text from `start` that fits into `width` columns; `…` stands for what was cut off."""
    if start == 0 and columns(text) <= width:
        return text
    shown = [_MORE] if start else []
    room = width - len(shown)
    for index in range(start, len(text)):
        size = _character_columns(text[index])
        if size > room or (size == room and index + 1 < len(text)):
            shown.append(_MORE)
            break
        shown.append(text[index])
        room -= size
    return "".join(shown)


def _source_line(line: str, room: int, words: tuple[str, ...]) -> str:
    text = clean(line[:_LONGEST_SCAN]).replace("\n", r"\n").expandtabs(_TAB).rstrip(" ")
    if len(text) <= room and columns(text) <= room:
        return text
    for word in words:
        found = text.find(word)
        if found >= 0:
            is_seen = found + len(word) < room
            return cut(text, room, 0 if is_seen else max(0, found - room // 3))
    return cut(text, room)


def _words(witness: Witness) -> tuple[str, ...]:
    """What is likely to stand at the witness's place in a long line, the most telling first."""
    key = witness.fact.partition(":")[2].partition(":")[2]
    value = witness.value if isinstance(witness.value, str) else ""
    last = key.rpartition("#")[2].rpartition(".")[2]
    return tuple(word for word in (value, last, key) if word)


def _character_columns(character: str) -> int:
    if character.isascii():
        return 1
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
