"""Tells by its name whether a page is a list of what changed from release to release."""

from __future__ import annotations

import re

from graph.patterns import pattern

_NAME = pattern(
    r"(?:change(?:s|[-_]?log)?|history|news|releases?(?:[-_]?notes?)?|whats?[-_]?new)(?:\W.*)?", re.IGNORECASE
)


def is_list_of_changes(path: str) -> bool:
    """Whether a page tells what changed from release to release: `CHANGES.rst`, `docs/HISTORY.md`, `NEWS`."""
    return bool(_NAME.fullmatch(path.rpartition("/")[2]))
