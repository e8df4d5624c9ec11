"""Which objects look at some place of their own for what they are about, unless they are told another."""

from __future__ import annotations

from collections.abc import Sequence

from engine.generators.functions.calls import Parameter
from engine.generators.functions.facts import NoTestError
from graph.facts import Fact
from planner.functions.drawn_values import words_of

# How parameters are called that say where to look.
_PLACES = frozenset(
    {
        *("path", "paths", "file", "files", "filename", "filenames", "filepath", "fileobj", "dir", "directory"),
        *("folder", "stream", "fp", "fd", "url", "uri", "host", "hostname"),
    }
)  # fmt: skip


def refuse_looking(fields: Sequence[Parameter], fact: Fact) -> None:
    """Raise NoTestError for an object that is not told where to look, and so looks at some place of its own."""
    for each in fields:
        if each.default in ("None", "...") and set(words_of(each.name)) & _PLACES:
            raise NoTestError(f"where an object of {fact.name} looks that is given no {each.name}")
