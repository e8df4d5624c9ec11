"""Reads from git which lines of which files each commit changed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ingest.history.command import git_lines
from ingest.history.records import Change, Commit, Hunk
from ingest.history.repository import Repository

_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_HASH = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_ESCAPE = re.compile(rb"\\(?:([0-7]{3})|(.))", re.DOTALL)
_ESCAPED = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}
_COMMAND = (
    "diff-tree",
    "--stdin",
    "--always",
    "--root",
    "-r",
    "-p",
    "--unified=0",
    "--inter-hunk-context=0",
    "-M",
    "-l1000",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--diff-algorithm=myers",
    "--no-indent-heuristic",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--ignore-submodules=all",
)

Changes = tuple[Change, ...]


def read_differences(repository: Repository, commits: Sequence[Commit]) -> list[tuple[Changes, ...]]:
    """For each commit its changes against each parent, or against nothing where it has none. Raises GitError."""
    edges = [(commit.hash, parent) for commit in commits for parent in commit.parents or ("",)]
    if not edges:
        return []
    given = "".join(f"{commit} {parent}".strip() + "\n" for commit, parent in edges).encode("ascii")
    below = [f"--relative={repository.prefix}"] if repository.prefix else []
    parser = _Parser()
    for line in git_lines(repository.top, *_COMMAND, *below, given=given):
        parser.feed(line)
    found = iter(parser.finish(len(edges)))
    return [tuple(next(found) for _ in commit.parents or ("",)) for commit in commits]


class _Parser:
    """Takes a patch line by line; contents are counted off, so that nothing in them can be taken for a header."""

    def __init__(self) -> None:
        self._edges: list[list[Change]] = []
        self._file: _File | None = None
        self._contents = 0

    def feed(self, line: bytes) -> None:
        if self._contents:
            # "\ No newline at end of file" stands between contents and is none of them.
            if not line.startswith(b"\\"):
                self._contents -= 1
            return
        if line.startswith(b"@@") and self._file:
            if match := _HUNK.match(line):
                hunk = Hunk(*(1 if number is None else int(number) for number in match.groups()))
                self._file.hunks.append(hunk)
                self._contents = hunk.old_count + hunk.new_count
        elif line.startswith(b"diff --git "):
            self._close()
            self._file = _File(line.removeprefix(b"diff --git "))
        elif _HASH.fullmatch(line):
            self._close()
            self._edges.append([])
        elif self._file:
            self._file.header(line)

    def finish(self, expected: int) -> list[Changes]:
        """The changes of each edge in the order in which they were asked for."""
        self._close()
        missing = expected - len(self._edges)
        return [tuple(changes) for changes in self._edges[:expected]] + [()] * missing

    def _close(self) -> None:
        if self._file and self._edges and (change := self._file.change()):
            self._edges[-1].append(change)
        self._file = None


class _File:
    """One file's part of a patch."""

    def __init__(self, names: bytes) -> None:
        # Unless the file was renamed, both names are the same but for `a/` and `b/`, and so equally long.
        half = len(names) // 2
        self._old, self._new = _path(names[:half], b"a/"), _path(names[half + 1 :], b"b/")
        self._created = self._deleted = False
        self.hunks: list[Hunk] = []

    def header(self, line: bytes) -> None:
        if line.startswith(b"rename from "):
            self._old = _path(line.removeprefix(b"rename from "), b"")
        elif line.startswith(b"rename to "):
            self._new = _path(line.removeprefix(b"rename to "), b"")
        elif line.startswith(b"new file mode"):
            self._created = True
        elif line.startswith(b"deleted file mode"):
            self._deleted = True

    def change(self) -> Change | None:
        if not self._new:
            return None
        return Change(self._new, self._old, tuple(self.hunks), self._created, self._deleted)


def _path(name: bytes, prefix: bytes) -> str:
    """A path as git writes it: quoted with C's escapes where it has unusual bytes."""
    if name.startswith(b'"') and name.endswith(b'"'):
        name = _ESCAPE.sub(
            lambda m: bytes([int(m[1], 8) & 255]) if m[1] else _ESCAPED.get(m[2], m[2]), name[1:-1]
        )
    return name.removeprefix(prefix).decode("utf-8", "replace")
