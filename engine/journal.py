"""What became of cases since the checklist was last written: one line each, durable at once, cheap to add.

Writing the whole checklist after each test would cost more than the tests; a line does not. Whoever reads the
checklist reads the journal with it, and whoever writes the checklist ends the journal.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from engine.project import Project
from graph.files import read_plain
from planner.cases import Case

_decode = msgspec.json.Decoder(Case).decode
_encode = msgspec.json.Encoder().encode


class Journal:
    """The journal of a project's checklist."""

    def __init__(self, project: Project) -> None:
        self._file = journal_file(project)

    def add(self, case: Case) -> None:
        """Keep how a case stands now. Raises OSError where that cannot be written."""
        descriptor = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            os.write(descriptor, _encode(case) + b"\n")
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def end(self) -> None:
        """Forget all lines: the checklist has what they said."""
        self._file.unlink(missing_ok=True)


def applied(project: Project, cases: Sequence[Case]) -> list[Case]:
    """The cases of the checklist with what the journal says of them; a line that was cut by a kill is left out.

    A case that a person changed or removed meanwhile keeps the person's words: only what running sets is taken.
    """
    try:
        content = read_plain(journal_file(project)) or b""
    except (OSError, ValueError):
        content = b""
    said: dict[str, Case] = {}
    for line in content.splitlines():
        try:
            case = _decode(line)
        except msgspec.MsgspecError:
            continue
        said[case.id] = case
    return [_with(case, said[case.id]) if case.id in said else case for case in cases]


_SET_BY_RUNNING = (
    "status",
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
