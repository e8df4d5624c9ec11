"""Reads small files of ours in a bounded way, and replaces them at once and durably."""

from __future__ import annotations

import os
import stat
from pathlib import Path

LIMIT = 64 * 1024 * 1024


def read_plain(file: Path, limit: int = LIMIT) -> bytes | None:
    """The content of a plain file, None where there is none.

    Raises OSError where it cannot be read, and ValueError where it is no plain file or larger than `limit` bytes.
    """
    try:
        with open(file, "rb", opener=_without_waiting) as opened:
            status = os.fstat(opened.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
                raise ValueError(f"not a regular file of at most {limit >> 20} MB")
            return opened.read(limit)
    except FileNotFoundError:
        return None


def replace_file(file: Path, content: bytes) -> None:
    """Put the content in the file's place at once, durably, with the rights that the file had. Raises OSError."""
    import secrets

    temporary = file.with_name(f".{file.name}.{secrets.token_hex(4)}.tmp")
    try:
        with open(temporary, "xb") as opened:
            if file.is_file():
                os.fchmod(opened.fileno(), stat.S_IMODE(file.stat().st_mode))
            opened.write(content)
            opened.flush()
            os.fsync(opened.fileno())
        temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)
    _sync_folder(file.parent)


def _without_waiting(path: str, flags: int) -> int:
    """Opens a file; a pipe in its place does not make us wait for a writer."""
    return os.open(path, flags | os.O_NONBLOCK)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
