"""The examples of docstrings: what stands behind `>>>`, and what is expected of it."""

from __future__ import annotations

import re

from graph.facts import Json
from graph.patterns import pattern

# As the module `doctest` reads them: a prompt, its continuations, and what is expected up to an empty line or prompt.
_EXAMPLE = pattern(
    r"^(?P<indent>[ \t]*)>>>(?P<source>(?:[ ].*|)(?:\n[ \t]*\.\.\.(?:[ ].*|))*)"
    r"(?P<want>(?:\n(?![ \t]*$|[ \t]*>>>).+)*)",
    re.MULTILINE,
)
_CONTINUED = pattern(r"^[ \t]*\.\.\. ?", re.MULTILINE)
_FENCE = pattern(r"^[ \t]*(?:```|~~~|\"\"\"|''').*$", re.MULTILINE)
_MOST = 100
_LONGEST = 2000


def examples(text: str, first_line: int) -> list[Json]:
    """The examples of a docstring that begins on a line, in their order: [source, expected text, line].

    The expected text is empty for what prints nothing, such as the lines that prepare an example; a line that doctest
    calls `<BLANKLINE>` is empty in it. What is too long to be an example is cut off with all that follows.
    """
    if ">>>" not in text:
        return []
    found: list[Json] = []
    for match in _EXAMPLE.finditer(text.expandtabs()):
        source = _CONTINUED.sub("", match["source"].strip("\n").removeprefix(" ").rstrip())
        want = _wanted(match["want"], len(match["indent"]))
        if len(found) == _MOST or len(source) + len(want) > _LONGEST:
            break
        if source:
            found.append([source, want, first_line + text.count("\n", 0, _start(text, match))])
    return found


def _start(text: str, match: re.Match[str]) -> int:
    """Where an example begins in the text before its tabs were expanded."""
    return match.start() if len(match.string) == len(text) else _line_start(text, match)


def _line_start(text: str, match: re.Match[str]) -> int:
    lines = match.string.count("\n", 0, match.start())
    return sum(len(line) for line in text.splitlines(keepends=True)[:lines])


def _wanted(text: str, indent: int) -> str:
    """What is expected, without the indentation of its prompt."""
    fence = _FENCE.search(text)
    text = text[: fence.start()] if fence else text
    lines = (line[indent:] if not line[:indent].strip() else line.lstrip() for line in text.split("\n")[1:])
    return "\n".join("" if line.strip() == "<BLANKLINE>" else line.rstrip() for line in lines).rstrip("\n")
