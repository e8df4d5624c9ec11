"""Time slots, and what is free between them."""

import datetime as dt
import typing as t

SHORTEST: t.Final[dt.timedelta]

class Clash(ValueError):
    """Two slots overlap."""

    other: t.Optional[Slot]
    def __init__(self, message: str, other: t.Optional[Slot] = ...) -> None: ...

class Slot:
    """A time from which and until which something is taken."""

    start: dt.datetime
    end: dt.datetime
    def __init__(self, start: dt.datetime, end: dt.datetime) -> None: ...
    @property
    def length(self) -> dt.timedelta:
        """From start to end."""

    @classmethod
    def of(cls, start: dt.datetime, minutes: int = 60) -> Slot:
        """The slot of so many minutes."""

    def overlaps(self, other: Slot) -> bool:
        """Whether the two share any time."""

def check_free(slot: Slot, taken: t.Iterable[Slot]) -> None:
    """See that a slot overlaps none that is taken.

    Raises:
        Clash: it does.
    """

def gaps(taken: t.Iterable[Slot], within: Slot, *, shortest: t.Union[dt.timedelta, None] = None) -> t.List[Slot]:
    """What is free between the slots, in order; nothing shorter than SHORTEST or what was asked for."""

def first_gap(taken: t.Iterable[Slot], within: Slot) -> t.Optional[Slot]:
    """The first of the gaps, if there is one."""
