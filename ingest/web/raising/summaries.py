"""What may leave a function, as far as reading tells."""

from __future__ import annotations

from dataclasses import dataclass

from graph.facts import Location
from ingest.web.program.targets import FunctionTarget
from ingest.web.raising.exceptions import Exit

UNTOLD = "what is raised here cannot be known"


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place where reading alone could not tell what may leave the function."""

    place: Location
    reason: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What may leave a function; `followed` are the project's functions that were looked into."""

    exits: tuple[Exit, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    followed: tuple[FunctionTarget, ...] = ()
    chosen: tuple[Exit, ...] = ()
    """Exceptions of which only functions around decide whether they are reached, by what they were given."""
