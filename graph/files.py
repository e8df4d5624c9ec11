"""Reads small files of ours in a bounded way, and replaces them at once and durably."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from graph.errors import ConfigurationError

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


def said(error: Exception) -> str:
    """What went wrong with a file, without the name of the one that was written in its place."""
    return str(getattr(error, "strerror", None) or error)


def keep_file(file: Path, content: bytes, what: str) -> bool:
    """Replace a file that belongs to the project, unless it has this content already; whether it had to be changed.

    A symbolic link is replaced by a file. Raises ConfigurationError, which says that `what` cannot be written.
    """
    try:
        if file.is_file() and not file.is_symlink() and file.read_bytes() == content:
            return False
        replace_file(file, content)
    except OSError as error:
        raise ConfigurationError(
            f"{file}: {what} cannot be written: {error.strerror}",
            "Check the folder, its rights and free space.",
        ) from error
    return True


def _without_waiting(path: str, flags: int) -> int:
    """Opens a file; a pipe in its place does not make us wait for a writer."""
    return os.open(path, flags | os.O_NONBLOCK)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
