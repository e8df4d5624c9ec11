"""What an attempt follows: movements, the worlds between which things moved, and how bold it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import msgspec

from healer.analysis import Analysis
from healer.healers.moves import Moves
from healer.movements import Cause, Movement
from healer.reading.world import World

_LACKS = re.compile(r"(?:type object )?'(\w+)'(?: object)? has no attribute '(\w+)'")


class Plan(msgspec.Struct, eq=False, dict=True):
    """One attempt. `bold` also changes members of objects whose class cannot be known, where the name fits.

    `read` gives the text of a file of the project, `used` are the movements that an edit followed.
    """

    then: World
    now: World
    movements: tuple[Movement, ...]
    read: Callable[[str], str | None]
    analyses: tuple[Analysis, ...] = ()
    bold: bool = False
    used: list[Movement] = msgspec.field(default_factory=list)

    def __post_init__(self) -> None:
        self.moves = Moves(self.then, self.now, self.movements)

    def of(self, *causes: Cause, side: str = "code") -> list[Movement]:
        """The movements of these causes on one side."""
        return [each for each in self.movements if each.cause in causes and each.side == side]

    def follow(self, movement: Movement) -> None:
        """Note that an edit followed a movement."""
        if not any(each is movement for each in self.used):
            self.used.append(movement)

    def followed(self) -> Iterable[Movement]:
        """All movements that edits followed."""
        return [*self.used, *(each for each in self.moves.used if all(each is not it for it in self.used))]

    def lacked(self, path: str) -> dict[int, set[tuple[str, str]]]:
        """By line of a file: the class and the attribute that it did not have when a test failed there."""
        found: dict[int, set[tuple[str, str]]] = {}
        for analysis in self.analyses:
            lacks = _LACKS.search(analysis.message)
            if lacks is not None and analysis.root is not None and analysis.root.path == path:
                found.setdefault(analysis.root.line, set()).add((lacks[1], lacks[2]))
        return found
