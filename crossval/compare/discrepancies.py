"""What comparing two definitions yields: discrepancies by place, and what could not be compared."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from crossval.pairs import Difference


class Discrepancy(msgspec.Struct, frozen=True):
    """A difference, and the place within the definition (`signature.percent`; empty for the definition itself)."""

    place: str
    difference: Difference

    @property
    def topic(self) -> tuple[str, str]:
        """What the discrepancy is about, whatever the two sides say."""
        return (self.place, self.difference.change)


class Silence(msgspec.Struct, frozen=True):
    """An aspect about which nothing can be claimed, and why."""

    aspect: str
    reason: str


class Comparison(msgspec.Struct, frozen=True):
    """All that comparing one definition of the spec with one of the code tells."""

    discrepancies: tuple[Discrepancy, ...] = ()
    silences: tuple[Silence, ...] = ()

    def __add__(self, other: Comparison) -> Comparison:
        """Both comparisons as one."""
        return Comparison(self.discrepancies + other.discrepancies, self.silences + other.silences)


def common(comparisons: Sequence[Comparison]) -> Comparison:
    """What all comparisons agree on: a difference from one variant is none where another variant has it not."""
    if not comparisons:
        return Comparison()
    first, *others = comparisons
    topics = [{found.topic for found in other.discrepancies} for other in others]
    kept = tuple(found for found in first.discrepancies if all(found.topic in seen for seen in topics))
    silences = dict.fromkeys(silence for comparison in comparisons for silence in comparison.silences)
    return Comparison(kept, tuple(silences))
