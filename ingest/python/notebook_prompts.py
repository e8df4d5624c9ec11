"""Consoles of IPython, as pages and docstrings show them, with the prompts of Python's own."""

from __future__ import annotations

import re

from graph.patterns import pattern

_ASKED = pattern(r"(?P<indent>[ \t]*)In \[\d+\]:(?: (?P<source>.*))?")
_CONTINUED = pattern(r"[ \t]*\.{3,}:(?: (?P<source>.*))?")
_ANSWERED = pattern(r"[ \t]*Out\[\d+\]:[ \t]*(?P<value>.*)")


def plain_prompts(text: str) -> str:
    """The text with `>>>` for `In [1]:` and nothing for `Out[1]:`, line by line; what is no such console as it is."""
    if "In [" not in text:
        return text
    lines: list[str] = []
    indent: str | None = None
    owed = 0
    for line in text.split("\n"):
        found = _ASKED.fullmatch(line)
        if found is not None:
            indent = found["indent"]
            lines.append(f"{indent}>>> {found['source'] or ''}".rstrip())
        elif indent is not None and (more := _CONTINUED.fullmatch(line)):
            lines.append(f"{indent}... {more['source'] or ''}".rstrip())
        elif indent is not None and (answer := _ANSWERED.fullmatch(line)):
            if answer["value"]:
                _join(lines, f"{indent}{answer['value']}")
            else:
                owed += 1  # The value begins on the next line; the lines behind it keep their numbers.
        else:
            lines.append(line)
            if owed and not line.strip():
                lines += [""] * owed
                owed = 0
    return "\n".join(lines)


def _join(lines: list[str], value: str) -> None:
    """Add a value; where only empty lines stand between it and its prompt, they go behind it, so that it is its own."""
    place = len(lines)
    while place and not lines[place - 1].strip():
        place -= 1
    is_own = place and re.match(r"[ \t]*(?:>>>|\.\.\.)", lines[place - 1])
    lines.insert(place if is_own else len(lines), value)
