"""What may leave a function, as far as reading tells."""

from __future__ import annotations

import msgspec

from graph.facts import Location
from ingest.web.program.targets import FunctionTarget
from ingest.web.raising.exceptions import Exit

UNTOLD = "what is raised here cannot be known"


class Doubt(msgspec.Struct, frozen=True):
    """A place where reading alone could not tell what may leave the function."""

    place: Location
    reason: str


class Summary(msgspec.Struct, frozen=True):
    """What may leave a function; `followed` are the project's functions that were looked into."""

    exits: tuple[Exit, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    followed: tuple[FunctionTarget, ...] = ()
    chosen: tuple[Exit, ...] = ()
    """Exceptions of which only functions around decide whether they are reached, by what they were given."""
