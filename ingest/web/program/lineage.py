"""The order in which Python looks at the bases of a class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ingest.web.program.targets import ClassTarget, External

Lineage: TypeAlias = list[ClassTarget | External | None]


def linearised(bases: Sequence[Lineage]) -> Lineage:
    """The ancestors of a class, from the lineage of each of its bases, which begins with the base itself.

    This is Python's own order: a class stands before its bases, and bases stand as they are written. None stands for a
    base that cannot be known, and is never one with another. Where there is no such order, the first one left is taken.
    """
    marked = [[object() if each is None else each for each in lineage] for lineage in bases]
    waiting = [*marked, [lineage[0] for lineage in marked]]
    found: list[object] = []
    while waiting := [lineage for lineage in waiting if lineage]:
        heads = [lineage[0] for lineage in waiting]
        free = (head for head in heads if not any(head in lineage[1:] for lineage in waiting))
        chosen = next(free, heads[0])
        found.append(chosen)
        waiting = [[each for each in lineage if each != chosen] for lineage in waiting]
    return [each if isinstance(each, ClassTarget | External) else None for each in found]
