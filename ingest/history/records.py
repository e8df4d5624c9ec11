"""The records of a project's history: commits with the lines that each changed."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from graph.facts import Skipped


class Hunk(NamedTuple):
    """Lines that were replaced: `old_count` lines from `old_start` by `new_count` lines from `new_start`.

    Where a count is 0, its start is the line before the place, as in a unified diff.
    """

    old_start: int
    old_count: int
    new_start: int
    new_count: int


class Change(msgspec.Struct, frozen=True, gc=False):
    """What one commit did to one file. `old` is another path than `path` where the file was renamed.

    `created` and `deleted` say that the file is absent on one side.
    """

    path: str
    old: str
    hunks: tuple[Hunk, ...] = ()
    created: bool = False
    deleted: bool = False

    @property
    def added(self) -> int:
        """How many lines came."""
        return sum(hunk.new_count for hunk in self.hunks)

    @property
    def removed(self) -> int:
        """How many lines went."""
        return sum(hunk.old_count for hunk in self.hunks)


class Commit(msgspec.Struct, frozen=True, kw_only=True):
    """One commit. `time` is the author's and `committed` the committer's, in Unix seconds.

    `differences` holds the changes against each parent in the parents' order, or against nothing for a first commit.
    """

    hash: str
    parents: tuple[str, ...]
    author: str
    time: int
    committed: int
    subject: str
    differences: tuple[tuple[Change, ...], ...] = ()

    @property
    def changes(self) -> tuple[Change, ...]:
        """What the commit itself changed; a merge brings together what others changed, so nothing."""
        return self.differences[0] if len(self.parents) < 2 and self.differences else ()


class History(msgspec.Struct, frozen=True, kw_only=True):
    """The last commits that touch a project, newest first, and the files of the newest one.

    `head` is empty where there is no history; `since` is the commit that the reading stopped at, if any.
    `blobs` maps each file to the id of its content at `head`.
    """

    head: str = ""
    since: str = ""
    commits: tuple[Commit, ...] = ()
    blobs: dict[str, str] = {}
    skipped: tuple[Skipped, ...] = ()


class FileChurn(msgspec.Struct, frozen=True):
    """How often and by whom a file of today was changed, under all names that it had.

    `authors` come in the order of how many commits each has; `first` and `last` are Unix seconds.
    """

    path: str
    commits: int
    added: int
    deleted: int
    authors: tuple[str, ...]
    first: int
    last: int


class CoChange(msgspec.Struct, frozen=True, order=True):
    """Two files of today that the same commits changed."""

    first: str
    second: str
    commits: int
