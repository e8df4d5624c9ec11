"""Exchanges one part of a sequence for another where that is unmistakable, and knows when it was done before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

_Sequence = TypeVar("_Sequence", bound=Sequence[str])


class Refused(ValueError):  # noqa: N818 (an edit is refused; that is a result, and no fault)
    """An edit that is not made; the message says why, as a sentence without a full stop."""


def place_of(whole: _Sequence, old: _Sequence, new: _Sequence) -> int | None:
    """Where the one occurrence of `old` begins; None where `new` already stands there instead.

    Occurrences may overlap one another, and each counts. Raises Refused where there is none or more than one, where
    nothing would change, and where doing it twice would not be doing it once.
    """
    if not old:
        raise Refused("there is no text to look for")
    if old == new:
        raise Refused("nothing would change")
    found = places(whole, old)
    if not all(_is_within(place, old, new, whole) for place in found):
        if len(found) > 1:
            raise Refused(f"the text to replace occurs {len(found)} times instead of once")
        _refuse_endless(whole, found[0], old, new)
        return found[0]
    if not new:
        raise Refused("the text to remove does not occur")
    if not places(whole, new):
        raise Refused("the text to replace does not occur, nor does what takes its place")
    return None


def places(whole: _Sequence, part: _Sequence) -> list[int]:
    """Where a part begins in a sequence, overlapping occurrences included."""
    if isinstance(whole, str) and isinstance(part, str):
        found = []
        place = whole.find(part)
        while place >= 0:
            found.append(place)
            place = whole.find(part, place + 1)
        return found
    first, length = part[0], len(part)
    return [
        place
        for place in range(len(whole) - length + 1)
        if whole[place] == first and whole[place : place + length] == part
    ]


def _is_within(place: int, old: _Sequence, new: _Sequence, whole: _Sequence) -> bool:
    """Whether an occurrence of the old text is a part of the new text, which is already there."""
    if len(new) <= len(old):
        return False
    return any(
        place >= shift and whole[place - shift : place - shift + len(new)] == new
        for shift in places(new, old)
    )


def _refuse_endless(whole: _Sequence, place: int, old: _Sequence, new: _Sequence) -> None:
    """Refuse where the old text arises anew out of the new one and what stands around it."""
    reach = max(len(old), len(new))
    start = max(0, place - reach)
    around = [*whole[start:place], *new, *whole[place + len(old) : place + len(old) + reach]]
    near = "".join(around) if isinstance(whole, str) else type(whole)(around)  # type: ignore[call-arg]
    if any(not _is_within(again, old, new, near) for again in places(near, old)):
        raise Refused("the text to replace would stand there again afterwards")
