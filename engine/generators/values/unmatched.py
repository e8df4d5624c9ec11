"""A text that a schema refuses for its pattern alone: one character too long or short for it, or of another kind."""

from __future__ import annotations

from collections.abc import Iterator

from graph.facts import Json
from planner.contracts.violations import violations

_MORE = 40
"""By so many characters a text is made longer at most, to see where its pattern ends."""
_STRANGE = ("!", " ", "?", "ß")


def unmatched(schema: dict[str, Json], taken: str) -> str | None:
    """The text nearest to one that is taken which only the pattern refuses; None where none is found."""
    for text in _others(taken):
        if text and {each.keyword for each in violations(schema, text, "")} == {"pattern"}:
            return text
    return None


def _others(taken: str) -> Iterator[str]:
    """Other texts: longer, shorter, of the other case, with a character that few patterns take."""
    yield from (taken + taken[-1:] * count for count in range(1, _MORE))
    yield from (taken[:-count] for count in range(1, len(taken)))
    yield from (taken.swapcase(), *(taken + strange for strange in _STRANGE))
    yield from (strange + taken[1:] for strange in _STRANGE)
