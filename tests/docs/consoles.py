"""Reads the command blocks of a page, and runs their commands as a reader would."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import msgspec

from tests.commands import inside, surroundings

ROOT = Path(__file__).parent.parent.parent
_FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SHELLS = frozenset({"", "sh", "bash", "console"})
_ANYTHING = "…"


class Block(msgspec.Struct, frozen=True):
    """A fenced block: its language, its text, and the line of the page that it begins at."""

    language: str
    text: str
    line: int


class Command(msgspec.Struct, frozen=True):
    """A command as the page shows it, and the lines that it shows below it."""

    words: str
    output: tuple[str, ...]
    line: int


def blocks(page: Path) -> Iterator[Block]:
    """Every fenced block of a page."""
    text = page.read_text(encoding="utf-8")
    for match in _FENCE.finditer(text):
        yield Block(match[1], match[2], text.count("\n", 0, match.start()) + 1)


def commands(block: Block) -> list[Command]:
    """The commands of a block: lines behind `$` with their output, or, in a block without any, lines of crossfact."""
    if block.language not in _SHELLS:
        return []
    rows = block.text.splitlines()
    starts = [index for index, row in enumerate(rows) if row.startswith("$ ")]
    if starts:
        ends = [*starts[1:], len(rows)]
        return [
            Command(rows[start][2:], tuple(rows[start + 1 : end]), block.line + start + 1)
            for start, end in zip(starts, ends, strict=True)
        ]
    return [
        Command(row.partition("  #")[0].strip(), (), block.line + index + 1)
        for index, row in enumerate(rows)
        if re.match(r"(crossfact|make|pip|cd|cp) ", row)
    ]


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of crossfact in a folder."""
    program, *words = shlex.split(command)
    assert program == "crossfact", command
    return inside(folder, *words, environment=surroundings(COLUMNS="200"))


def differs(expected: tuple[str, ...], text: str) -> str:
    """The first expected line that the output lacks at its place; empty where it is as shown.

    A line that is `…` stands for any lines, and `…` in a line for anything.
    """
    pattern = []
    for row in expected:
        if row.strip() == _ANYTHING:
            pattern.append(r"(?:.*\n)*?")
            continue
        pattern.append(".*".join(re.escape(part.rstrip()) for part in row.split(_ANYTHING)) + r"[ ]*\n")
    for count in range(1, len(pattern) + 1):
        end = "" if count < len(pattern) else r"\Z"
        if not re.match("".join(pattern[:count]) + end, text if text.endswith("\n") else f"{text}\n"):
            return expected[count - 1]
    return ""
