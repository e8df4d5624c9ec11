"""A block of lines without the indent that all have; `textwrap` compiles a dozen expressions when it is loaded."""

from __future__ import annotations


def dedented(text: str) -> str:
    """What `textwrap.dedent` gives: no common indent, and nothing in lines of blanks."""
    lines = text.split("\n")
    told = [line for line in lines if line and not line.isspace()]
    # What the first and the last of them in order begin with, all of them do.
    first, last = min(told, default=""), max(told, default="")
    margin = 0
    while margin < min(len(first), len(last)) and first[margin] == last[margin] and first[margin] in " \t":
        margin += 1
    return "\n".join("" if line.isspace() else line[margin:] for line in lines)
