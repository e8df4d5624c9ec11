"""The audit trail: every decision as one line that holds the hash of the line before it, and is never changed.

Who changes or removes a line breaks the chain behind it; that the end was cut off shows by the head, which is kept
beside it.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from engine.project import Project
from graph.errors import StoreError
from graph.facts import Json
from graph.files import read_plain, replace_file, said

FILE = "audit.jsonl"
_HEAD = "audit.head"
_LONGEST = 100_000


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One decision: its number from 1, when (UTC), what was done, by whom or what, and all about it.

    `previous` is the hash of the entry before, empty in the first; `hash` that of all the rest of this one.
    """

    number: int
    time: str
    action: str
    by: str
    about: dict[str, Json] = {}
    previous: str = ""
    hash: str = ""


class Trail(msgspec.Struct, frozen=True):
    """The entries that can be read, and what is wrong with the trail, each with its line; `cut` are the lines that a
    kill cut short, which is nobody's fault."""

    entries: tuple[Entry, ...] = ()
    broken: tuple[str, ...] = ()
    cut: tuple[int, ...] = ()


class _Head(msgspec.Struct, frozen=True):
    number: int
    hash: str


def record(project: Project, action: str, by: str, **about: Json) -> None:
    """Add a decision to the trail, durably. `by` is a healer's name, `rule` or `human`.

    A project whose store is in memory keeps no trail. Raises StoreError where it cannot be written.
    """
    file = trail_file(project)
    if not file.parent.is_dir():
        return
    try:
        with _opened(file) as descriptor:
            last, is_whole = _last(file)
            entry = Entry(
                number=last.number + 1 if last else 1,
                time=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                action=action,
                by=by,
                about=msgspec.to_builtins(about),
                previous=last.hash if last else "",
            )
            entry = msgspec.structs.replace(entry, hash=_hash(entry))
            line = msgspec.json.encode(entry, order="deterministic") + b"\n"
            os.write(descriptor, line if is_whole else b"\n" + line)
            os.fsync(descriptor)
            replace_file(file.with_name(_HEAD), msgspec.json.encode(_Head(entry.number, entry.hash)))
    except (OSError, ValueError) as error:
        raise StoreError(
            f"{file}: the audit trail cannot be written: {said(error)}",
            "Check its rights and the free space.",
        ) from error


def read_trail(project: Project) -> Trail:
    """The trail of a project, every link of its chain looked at. Raises StoreError where it cannot be read."""
    file = trail_file(project)
    try:
        content = read_plain(file) or b""
        head = _head(file)
    except (OSError, ValueError) as error:
        raise StoreError(f"{file}: cannot be read: {error}", "Check its rights.") from error
    entries: list[Entry] = []
    broken: list[str] = []
    cut: list[int] = []
    lines = content.split(b"\n")
    for number, line in enumerate(lines, start=1):
        if not line:
            continue
        entry = _entry(line)
        if entry is None:
            cut.append(number)
            continue
        previous = entries[-1] if entries else None
        if entry.hash != _hash(entry):
            broken.append(f"line {number}: the entry was changed")
        elif entry.previous != (previous.hash if previous else ""):
            broken.append(f"line {number}: the entry before it was changed or removed")
        elif entry.number != (previous.number if previous else 0) + 1:
            broken.append(f"line {number}: entry {entry.number} is out of order")
        entries.append(entry)
    if head is not None and not any(
        each.number == head.number and each.hash == head.hash for each in entries
    ):
        broken.append(f"line {len(lines)}: entry {head.number}, which was written, is missing")
    return Trail(tuple(entries), tuple(broken), tuple(cut))


def trail_file(project: Project) -> Path:
    """Where the trail lies."""
    return (project.root / project.settings.store).parent / FILE


def _hash(entry: Entry) -> str:
    plain = msgspec.structs.replace(entry, hash="")
    return hashlib.sha256(msgspec.json.encode(plain, order="deterministic")).hexdigest()


def _entry(line: bytes) -> Entry | None:
    try:
        return msgspec.json.decode(line, type=Entry)
    except (msgspec.MsgspecError, RecursionError):
        return None


def _head(file: Path) -> _Head | None:
    content = read_plain(file.with_name(_HEAD))
    if content is None:
        return None
    try:
        return msgspec.json.decode(content, type=_Head)
    except msgspec.MsgspecError as error:
        raise ValueError(f"{_HEAD} is no head of a trail") from error


def _last(file: Path) -> tuple[Entry | None, bool]:
    """The last entry that can be read, and whether the file ends with a whole line."""
    with open(file, "rb") as opened:
        size = opened.seek(0, os.SEEK_END)
        reach = _LONGEST
        while True:
            start = max(0, size - reach)
            opened.seek(start)
            tail = opened.read()
            lines = tail.split(b"\n")
            for line in reversed(lines if start == 0 else lines[1:]):
                if line and (entry := _entry(line)):
                    return entry, tail.endswith(b"\n")
            if start == 0:
                return None, not tail or tail.endswith(b"\n")
            reach *= 8


@contextmanager
def _opened(file: Path) -> Iterator[int]:
    """The trail, opened for adding and locked against other writers."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    descriptor = os.open(file, flags, 0o600)
    try:
        _lock(descriptor)
        yield descriptor
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> None:
    try:
        import fcntl
    except ImportError:  # no other writer is kept off then
        return
    fcntl.flock(descriptor, fcntl.LOCK_EX)
