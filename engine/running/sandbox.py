"""The port of sandboxes: what stands around a pytest process so that a test cannot reach further than it may."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import msgspec

from planner.validator import Job

LEVELS = ("none", "limits", "strict")
"""From the weakest to the strongest: no limits at all; limits, which are no security boundary; namespaces."""


class Setting(msgspec.Struct, frozen=True):
    """What a sandbox has to let a process see: its job, its scratch folder, our plugins, its environment."""

    job: Job
    scratch: Path
    inside: Path
    environment: Mapping[str, str]


class Sandbox(Protocol):
    """One level of isolation."""

    @property
    def level(self) -> str:
        """Its name, one of LEVELS."""
        ...

    @property
    def words(self) -> str:
        """What is in force, for people."""
        ...

    @property
    def has_limits(self) -> bool:
        """Whether memory, processes, files and disk are limited."""
        ...

    @contextmanager
    def around(self, setting: Setting) -> Iterator[tuple[Sequence[str], Sequence[int]]]:
        """The words to put before a command, and the descriptors that it inherits for them.

        The descriptors are open until the context ends, by when the process has to be started.
        """
        ...


class Limits:
    """Limits of memory, processes, files, disk, output and time, and nothing else; `none` has not even these."""

    def __init__(self, level: str = "limits") -> None:
        self.level = level
        self.has_limits = level != "none"
        self.words = (
            "limits of time, memory, processes, disk and output; not a security boundary"
            if self.has_limits
            else "none but the time limit"
        )

    @contextmanager
    def around(self, setting: Setting) -> Iterator[tuple[Sequence[str], Sequence[int]]]:
        """See `Sandbox.around`."""
        yield (), ()
