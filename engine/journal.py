"""What became of cases since the checklist was last written: one line each, kept at once, cheap to add.

Writing the whole checklist after each test would cost more than the tests; a line does not. Whoever reads the
checklist reads the journal with it, and whoever writes the checklist ends the journal.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from engine.project import Project
from graph.files import read_plain
from planner.cases import Case

_SYNC_SECONDS = 0.5
_decode = msgspec.json.Decoder(Case).decode
_encode = msgspec.json.Encoder().encode


class Journal:
    """The journal of a project's checklist."""

    def __init__(self, project: Project) -> None:
        self._file = journal_file(project)
        self._synced = 0.0

    def add(self, case: Case) -> None:
        """Keep how a case stands now, whatever happens to this process. Raises OSError where it cannot be written.

        A loss of power costs at most what was added within half a second: making each line durable would take longer
        than most tests.
        """
        durable = time.monotonic() - self._synced > _SYNC_SECONDS
        # The first line feed ends a line that a kill has cut.
        _append(self._file, b"\n" + _encode(case) + b"\n", durable=durable)
        if durable:
            self._synced = time.monotonic()

    def end(self, *, run: bool = False) -> None:
        """Forget all lines: the checklist has what they said.

        Which tests ended is kept until a `run` comes to its end, so that one that was cut short can be gone on with.
        """
        ended = _ended_file(self._file)
        if run:
            ended.unlink(missing_ok=True)
        elif content := _content(self._file):
            _append(ended, content)
        self._file.unlink(missing_ok=True)


def _append(file: Path, data: bytes, *, durable: bool = True) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        while data:
            data = data[os.write(descriptor, data) :]
        if durable:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def applied(project: Project, cases: Sequence[Case]) -> list[Case]:
    """The cases of the checklist with what the journal says of them; a line that was cut by a kill is left out.

    A case that a person changed or removed meanwhile keeps the person's words: only what running sets is taken.
    """
    said = _said(journal_file(project))
    return [_with(case, said[case.id]) if case.id in said else case for case in cases]


def interrupted(project: Project) -> frozenset[str]:
    """The ids of the cases whose tests ended in a run that was cut short; empty where the last run came to its end."""
    file = journal_file(project)
    return frozenset({**_said(_ended_file(file)), **_said(file)})


def _ended_file(journal: Path) -> Path:
    return journal.with_name("ended.jsonl")


def _content(file: Path) -> bytes:
    try:
        return read_plain(file) or b""
    except (OSError, ValueError):
        return b""


def _said(file: Path) -> dict[str, Case]:
    """The last word of a journal on each case."""
    said: dict[str, Case] = {}
    for line in _content(file).split(b"\n"):
        try:
            case = _decode(line)
        except (msgspec.MsgspecError, RecursionError):
            continue
        said[case.id] = case
    return said


def unreadable(file: Path) -> tuple[int, int]:
    """How many lines of a journal there are, and how many of them cannot be read."""
    lines = [line for line in _content(file).split(b"\n") if line]
    return len(lines), len(lines) - sum(_is_whole(line) for line in lines)


def _is_whole(line: bytes) -> bool:
    try:
        _decode(line)
    except (msgspec.MsgspecError, RecursionError):
        return False
    return True


_SET_BY_RUNNING = (
    "status",
    "findings",
    "ran_with",
    "sandbox",
    "last_passed_revision",
    "retry_count",
    "last_error",
    "error_category",
    "analysis",
    "proof",
)


def _with(case: Case, said: Case) -> Case:
    return msgspec.structs.replace(case, **{name: getattr(said, name) for name in _SET_BY_RUNNING})


def journal_file(project: Project) -> Path:
    """Where the journal lies."""
    return (project.root / project.settings.store).parent / "checklist.jsonl"
