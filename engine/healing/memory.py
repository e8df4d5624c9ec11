"""Remembers in which revision of the store each test was last green, also those that the checklist does not have."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

from engine.project import Project
from graph.files import read_plain, replace_file

FILE = "passed.json"


class _Passed(msgspec.Struct, frozen=True):
    """`store` is the identity of the store whose revisions these are."""

    store: int
    revisions: dict[str, int] = {}


class Memory:
    """The memory of a project: a convenience, and empty where it cannot be read."""

    def __init__(self, project: Project) -> None:
        self._file = _place(project)
        self._store = project.store
        self._revisions: dict[str, int] = {}
        with suppress(OSError, ValueError, msgspec.MsgspecError, RecursionError):
            said = msgspec.json.decode(read_plain(self._file) or b"", type=_Passed)
            if said.store == project.store.identity:
                self._revisions = said.revisions

    def of(self, node: str) -> int:
        """The revision in which a test was last green; 0 where nobody knows. A file has the last one of its tests."""
        if node in self._revisions or "::" in node:
            return self._revisions.get(node, 0)
        return max(
            (each for name, each in self._revisions.items() if name.startswith(f"{node}::")), default=0
        )

    def keep(self, green: Iterable[str]) -> None:
        """Remember that tests are green on the facts of now."""
        self._revisions.update(dict.fromkeys(green, self._store.revision))
        content = msgspec.json.encode(_Passed(self._store.identity, self._revisions))
        with suppress(OSError):
            replace_file(self._file, content)


def _place(project: Project) -> Path:
    return (project.root / project.settings.store).with_name(FILE)
