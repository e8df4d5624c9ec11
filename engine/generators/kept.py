"""What is worked out of something once, for as long as the same is asked about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

_Source = TypeVar("_Source")
_Made = TypeVar("_Made")


class OfLast(Generic[_Source, _Made]):
    """Keeps what was made of the thing that was asked about last: a generator is asked about one many times."""

    def __init__(self, make: Callable[[_Source], _Made]) -> None:
        self._make = make
        self._last: tuple[_Source, _Made] | None = None

    def of(self, source: _Source) -> _Made:
        """What is made of it."""
        if self._last is None or self._last[0] is not source:
            self._last = (source, self._make(source))
        return self._last[1]
