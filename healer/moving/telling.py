"""Tells the changes of facts between two revisions as movements."""

from __future__ import annotations

from collections.abc import Callable

from graph.changes import Changes
from healer.movements import Movement


def movements(changes: Changes, read: Callable[[str], str | None]) -> tuple[Movement, ...]:
    """What moved, on all sides, in the order of subjects; nothing where nothing changed.

    `read` gives the text of a file of the project as it is now.
    """
    return ()
