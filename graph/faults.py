"""Faults of crossfact itself: one that is met while a part is read or compared makes that part unknown, not the whole.

What could not be settled says so in its reason, the report is made of all the rest, and the command that made it
exits with 3. `CROSSFACT_DEBUG` lets the exception through instead, with its traceback.
"""

from __future__ import annotations

import os
from types import TracebackType

from graph.errors import CrossfactError

DEBUGGING = "CROSSFACT_DEBUG"
"""The environment variable that lets faults through."""

INTERNAL = 3
"""The exit code of a command that met a fault."""

REMEDY = f"This is a fault of crossfact. Run again with {DEBUGGING}=1 for the traceback, and report it."

_BEGINNING = "crossfact itself failed on it"
_LONGEST = 200


class Attempt:
    """A block that may fail by a fault of crossfact's: it ends there, and `failure` is the reason to give, else empty.

    What ends a run on purpose is let through, and everything is where faults are looked for.
    """

    def __init__(self) -> None:
        self.failure = ""

    def __enter__(self) -> Attempt:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        wanted = not isinstance(error, Exception) or isinstance(error, CrossfactError)
        if wanted or os.environ.get(DEBUGGING):
            return False
        told = " ".join(f"{type(error).__name__}: {error}".split())
        self.failure = f"{_BEGINNING} ({told[:_LONGEST]})"
        return True


def is_fault(reason: str) -> bool:
    """Whether something is unknown or was not read because of a fault of crossfact's own."""
    return reason.startswith(_BEGINNING)
