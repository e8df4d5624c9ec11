"""Changes files for the time of an attempt: kept if it holds, else put back byte for byte, also after a kill.

What files were before is on the disk before the first of them is touched. So whoever comes next, after a kill too, can
put them back: each file is either as it was or as the attempt made it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from graph.files import read_plain, replace_file
from healer.editing.exchanging import Refused
from healer.editing.files import checked, digest, read, replace, sweep

JOURNAL = "attempt.msgpack"


class Held(msgspec.Struct, frozen=True):
    """A file in an attempt: what it was, and the digests of what the attempt made of it, the last one at the end."""

    path: str
    before: bytes
    made: tuple[str, ...]


class Recovered(msgspec.Struct, frozen=True):
    """What an interrupted attempt left: files put back, and those that somebody changed since, which were left."""

    restored: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()


class Attempt:
    """Changes of some files of a project that can be taken back as long as they are not kept.

    `folder` is one of our own, for the journal. Only one attempt is under way in a project: who begins one holds the
    project's lock, and has called `recover` before.
    """

    def __init__(self, root: Path, folder: Path) -> None:
        self._root = root
        self._journal = folder / JOURNAL
        self._held: dict[str, Held] = {}

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that it changed so far."""
        return tuple(self._held)

    def before(self, path: str) -> bytes | None:
        """What a file was before the attempt; None where it was not touched."""
        held = self._held.get(path)
        return None if held is None else held.before

    def change(self, contents: Mapping[str, bytes]) -> None:
        """Put new contents into files, all of them or none.

        Raises Refused where a path is none inside the project, a file is not there, or somebody else changed one that
        the attempt had changed; OSError where one cannot be written. What the attempt did before stays then.
        """
        now: dict[str, bytes] = {}
        for path in contents:
            content = read(self._root, checked(path))
            if content is None:
                raise Refused(f"{path}: there is no such file")
            if (held := self._held.get(path)) and digest(content) != held.made[-1]:
                raise Refused(f"{path} was changed by somebody else meanwhile")
            now[path] = content
        earlier = dict(self._held)
        for path, content in contents.items():
            held = earlier.get(path) or Held(path, now[path], ())
            self._held[path] = Held(path, held.before, (*held.made, digest(content)))
        self._save()
        done: list[str] = []
        try:
            for path, content in contents.items():
                replace(self._root, path, content, expected=digest(now[path]))
                done.append(path)
        except (OSError, Refused):
            for path in done:
                replace(self._root, path, now[path], expected=digest(contents[path]))
            self._held = earlier
            self._save()
            raise

    def keep(self) -> None:
        """Make the changes last; the attempt is over."""
        self._held.clear()
        self._save()

    def restore(self) -> tuple[str, ...]:
        """Put every file back as it was; the attempt is over. Gives those that somebody else changed meanwhile.

        These are left as they are.
        """
        foreign = _put_back(self._root, self._held.values())
        self._held.clear()
        self._save()
        return tuple(foreign)

    def _save(self) -> None:
        if not self._held:
            self._journal.unlink(missing_ok=True)
            with contextlib.suppress(OSError):
                _sync(self._journal.parent)
            return
        self._journal.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(self._journal, msgspec.msgpack.encode(list(self._held.values())))


def recover(root: Path, folder: Path) -> Recovered:
    """Put back what an attempt that was cut short had changed; call it under the project's lock.

    A file that somebody changed since is left alone and named; what it was before stays beside the journal.
    """
    journal = folder / JOURNAL
    try:
        content = read_plain(journal)
        if content is None:
            return Recovered()
        held = msgspec.msgpack.decode(content, type=list[Held])
    except (ValueError, msgspec.MsgspecError, RecursionError):
        # It is replaced at once and never written in part: what cannot be read is not ours.
        journal.replace(journal.with_suffix(".damaged"))
        return Recovered()
    foreign = _put_back(root, held)
    if foreign:
        journal.replace(journal.with_suffix(".foreign"))
    else:
        journal.unlink(missing_ok=True)
    return Recovered(tuple(each.path for each in held if each.path not in foreign), tuple(foreign))


def _put_back(root: Path, held: Iterable[Held]) -> list[str]:
    foreign: list[str] = []
    for each in held:
        try:
            sweep(root, each.path)
            now = read(root, each.path)
            if now == each.before:
                continue
            if now is None or digest(now) not in each.made:
                foreign.append(each.path)
                continue
            replace(root, each.path, each.before, expected=digest(now))
        except Refused:
            foreign.append(each.path)
    return foreign


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
