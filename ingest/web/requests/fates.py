"""What may happen to a value of the request, as far as it is followed."""

from __future__ import annotations

import msgspec

from ingest.web.syntax.flow_words import BOUNDS, EVERYTHING


class Fate(msgspec.Struct):
    """What may happen to a value. `doubtful` are keywords of JSON Schema that may be checked.

    `of_present` are those that are checked only where there is a value. `lost` tells that it goes where it cannot be
    followed, `asked` that the code looks whether there is one, `text` that it is used as a text, so that nothing else
    is accepted, `needed` that this happens where there may be none, `cut` that a part of it is taken, as of texts and
    lists. `columns` are the types of columns that keep it.
    """

    doubtful: set[str] = msgspec.field(default_factory=set)
    of_present: set[str] = msgspec.field(default_factory=set)
    lost: bool = False
    asked: bool = False
    text: bool = False
    needed: bool = False
    cut: bool = False
    columns: set[str] = msgspec.field(default_factory=set)

    def unchecked(self) -> list[str]:
        """The keywords that are surely not checked, `*` for all; `required` where leaving the value out is accepted."""
        if self.lost:
            return []
        free = EVERYTHING - self.doubtful - self.of_present - ({"type"} if self.cut else set())
        optional = not (self.asked or self.needed or self.doubtful & (BOUNDS | {"type"}))
        told = {"*"} if free == EVERYTHING else free
        return sorted(told | ({"required"} if optional else set()))
