"""What a run of healing works on: the files as they are, also after a run that was cut short."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from engine.audit import record
from engine.healing.gate import looks_like_test
from engine.project import Project, Tell
from healer.editing.attempts import recover
from healer.editing.exchanging import Refused
from healer.editing.files import read as read_file
from healer.editing.texts import decoded
from ingest.text import read_text


def folder_of(project: Project) -> Path:
    """Where attempts are journaled."""
    return (project.root / project.settings.store).parent / "healing"


def recovered(project: Project, tell: Tell) -> None:
    """Put back what an attempt that was cut short had changed, and say so; call it under the checklist's lock."""
    found = recover(project.root, folder_of(project))
    for path in found.restored:
        tell(f"crossfact: {path}: an attempt to heal it was cut short; it is as it was before")
    for path in found.foreign:
        tell(
            f"crossfact: {path}: an attempt to heal it was cut short; somebody changed it since, so it is left"
        )
    if found.restored or found.foreign:
        record(project, "restore", "rule", files=list(found.restored), left=list(found.foreign))


def reader(root: Path) -> Callable[[str], str | None]:
    """Gives the text of a file of a project; None where there is none that can be read."""

    def read(path: str) -> str | None:
        try:
            if path.endswith(".py") and looks_like_test(path):
                content = read_file(root, path)
                return None if content is None else decoded(content).words
            text = read_text(root, path)
        except (Refused, OSError, ValueError):
            return None
        return text if isinstance(text, str) else None

    return read
