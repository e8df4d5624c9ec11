"""The record of a link between a story or criterion and what implements or tests it."""

from __future__ import annotations

import msgspec

FILE = "crossfact-links.yaml"
"""The file of decided links, in the root of a project."""

CONFIDENT = 0.9
"""From this confidence on a rule may judge by a link; what lies below is only proposed.

Inference stays below: of its surest links up to half are not the ones that somebody would have written
(docs/TRACEABILITY.md)."""


class Link(msgspec.Struct, frozen=True, order=True):
    """One link: the id of a criterion or story, the id of another fact, and how sure it is, from 0 to 1.

    `confidence` is 1 exactly where somebody said so (a tag, an accepted proposal); `reason` says from what it
    was concluded, in words.
    """

    spec: str
    other: str
    confidence: float
    reason: str


class Decisions(msgspec.Struct, frozen=True):
    """Pairs of fact ids (criterion or story first) that somebody accepted or rejected by hand."""

    accepted: frozenset[tuple[str, str]] = frozenset()
    rejected: frozenset[tuple[str, str]] = frozenset()
