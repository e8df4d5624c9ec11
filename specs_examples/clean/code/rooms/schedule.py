"""Time slots, and what is free between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

SHORTEST: Final = timedelta(minutes=15)


class Clash(ValueError):
    """Two slots overlap."""

    def __init__(self, message: str, other: Slot | None = None) -> None:
        super().__init__(message)
        self.other = other


@dataclass(frozen=True)
class Slot:
    """A time from which and until which something is taken."""

    start: datetime
    end: datetime

    @property
    def length(self) -> timedelta:
        return self.end - self.start

    @classmethod
    def of(cls, start: datetime, minutes: int = 60) -> Slot:
        return cls(start, start + timedelta(minutes=minutes))

    def overlaps(self, other: Slot) -> bool:
        return self.start < other.end and other.start < self.end


def check_free(slot: Slot, taken: Iterable[Slot]) -> None:
    for other in taken:
        if slot.overlaps(other):
            raise Clash("The room is taken at that time.", other)


def gaps(taken: Iterable[Slot], within: Slot, *, shortest: timedelta | None = None) -> list[Slot]:
    wanted = max(shortest or SHORTEST, SHORTEST)
    found: list[Slot] = []
    start = within.start
    for slot in sorted(taken, key=lambda slot: slot.start):
        if slot.start - start >= wanted:
            found.append(Slot(start, slot.start))
        start = max(start, slot.end)
    if within.end - start >= wanted:
        found.append(Slot(start, within.end))
    return found


def first_gap(taken: Iterable[Slot], within: Slot) -> Slot | None:
    return next(iter(gaps(taken, within)), None)
