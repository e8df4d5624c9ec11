"""The port of healers, and what one is asked: a cluster of failures with its verdict, and what moved."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

import msgspec

from graph.facts import Fact
from healer.analysis import Analysis
from healer.editing.methods import DEFAULTS, Thresholds
from healer.evidence import Judgement
from healer.movements import Movement
from healer.payload import Payload

Lookup = Callable[[str], Fact | None]
"""Gives the fact that has an id, in one revision; `None` where there is none."""


def _nothing(_: str) -> Fact | None:
    return None


class Patient(msgspec.Struct, frozen=True, kw_only=True):
    """One cluster of failures that share a root cause, with all that a healer may look at.

    `analyses` are those of its tests; `movements` what changed, on all sides; `read` gives the text of a file of the
    project as it is now (`None` where there is none); `then` and `now` the facts as of when the tests last
    passed, and of today; `hint` is what a person said in review. `thresholds` say by which method an edit is made.
    """

    analyses: tuple[Analysis, ...]
    judgement: Judgement
    movements: tuple[Movement, ...]
    read: Callable[[str], str | None]
    then: Lookup = _nothing
    now: Lookup = _nothing
    hint: str = ""
    thresholds: Thresholds = DEFAULTS


class Healer(Protocol):
    """Proposes edits for a cluster; whether they hold is decided by others."""

    @property
    def name(self) -> str:
        """A short word that the history and the knowledge base call it by."""

    def propose(self, patient: Patient) -> Iterable[tuple[Payload, ...]]:
        """Attempts worth trying, the best first; nothing where it has nothing to offer.

        The edits of one attempt, at most one per file, hold or fall together.
        """
