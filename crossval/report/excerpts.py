"""Excerpts: the lines around a place as plain text, for forms that carry the source with them."""

from __future__ import annotations

import msgspec

from crossval.findings import Witness
from crossval.report.escape import brief, clean
from crossval.report.frames import CONTEXT, frame
from crossval.report.report import Texts

_LONGEST = 400
_WIDTH = 110


class Excerpt(msgspec.Struct, frozen=True):
    """The line of a place, and the lines `first` to `last` around it, all cleaned and cut to a bearable length."""

    line: str
    first: int
    last: int
    around: str


def excerpt(witness: Witness, texts: Texts) -> Excerpt | None:
    """The lines around a witness; None where its file cannot be read or has no such line any more."""
    lines = texts(witness.path)
    if lines is None or not 1 <= witness.line <= len(lines):
        return None
    first, last = max(1, witness.line - CONTEXT), min(len(lines), witness.line + CONTEXT)
    shown = [_shown(line) for line in lines[first - 1 : last]]
    return Excerpt(shown[witness.line - first], first, last, "\n".join(shown))


def framed(witness: Witness, texts: Texts) -> list[str]:
    """The rows of a witness's code frame in plain text, its place first."""
    return [row.text for row in frame(witness, texts, _WIDTH)]


def _shown(line: str) -> str:
    """One line with its tabs; `brief` would show them as escapes."""
    return "\t".join(brief(part, _LONGEST) for part in clean(line[: _LONGEST + 1]).split("\t"))[
        : _LONGEST + 1
    ]
