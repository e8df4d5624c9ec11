"""Reads and replaces files below one folder by descriptors, so that no link on the way can lead elsewhere."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from healer.editing.exchanging import Refused

LARGEST = 5_000_000
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_LONGEST = 240


def checked(path: str) -> str:
    """A path relative to a project, with `/`. Raises Refused where it is absolute, leads upwards, or is of our own or
    of version control's files."""
    parts = path.split("/")
    plain = path and path.isprintable() and "\\" not in path and not path.startswith(("/", "~"))
    if not plain or any(part in ("", ".", "..") or len(part) > _LONGEST for part in parts):
        raise Refused(f"{path!r} is no path inside the project")
    if hidden := next((part for part in parts if part.startswith(".")), None):
        raise Refused(f"{path!r} lies in {hidden!r}, which is nobody's test")
    if PurePosixPath(path).suffix != ".py":
        raise Refused(f"{path!r} is no Python file")
    return path


def read(root: Path, path: str) -> bytes | None:
    """The content of a plain file; None where there is none. Raises Refused where it is reached by a link or is no
    plain file, OSError where it cannot be read."""
    try:
        with _folder_of(root, path) as (folder, name):
            return _read(folder, name, path)
    except FileNotFoundError:
        return None


def replace(root: Path, path: str, content: bytes, *, expected: str) -> None:
    """Put the content in a file's place at once and durably, with the rights that it had.

    `expected` is the digest of what has to be there now. Raises Refused where something else is there, or where a link
    is on the way, OSError where it cannot be written.
    """
    with _folder_of(root, path) as (folder, name):
        now = _read(folder, name, path)
        if now is None or digest(now) != expected:
            raise Refused(f"{path} was changed by somebody else meanwhile")
        rights = stat.S_IMODE(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
        temporary = temporary_name(name)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=folder)
        try:
            _write(folder, temporary, content, rights)
            os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary, dir_fd=folder)
            raise
        os.fsync(folder)


def sweep(root: Path, path: str) -> None:
    """Remove what a kill in the middle of `replace` may have left beside a file."""
    with contextlib.suppress(OSError, Refused), _folder_of(root, path) as (folder, name):
        os.unlink(temporary_name(name), dir_fd=folder)


def temporary_name(name: str) -> str:
    """The name under which a file's new content is written first."""
    return f".{name}.crossfact-heal"


def digest(content: bytes) -> str:
    """The SHA-256 of a content."""
    return hashlib.sha256(content).hexdigest()


@contextlib.contextmanager
def _folder_of(root: Path, path: str) -> Iterator[tuple[int, str]]:
    """The descriptor of the folder that holds a file, reached without any link below the root, and the file's name."""
    *folders, name = checked(path).split("/")
    descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in folders:
            try:
                below = os.open(part, _FOLDER, dir_fd=descriptor)
            except NotADirectoryError as error:  # so a link is told, too
                raise Refused(f"{path}: {part} is a link or no folder") from error
            os.close(descriptor)
            descriptor = below
        yield descriptor, name
    finally:
        os.close(descriptor)


def _read(folder: int, name: str, path: str) -> bytes | None:
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if not stat.S_ISREG(status.st_mode):
            raise Refused(f"{path} is a link or no plain file")
        descriptor = os.open(name, _FILE, dir_fd=folder)
    except FileNotFoundError:
        return None
    with open(descriptor, "rb") as opened:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Refused(f"{path} is no plain file")
        content = opened.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise Refused(f"{path} is larger than {LARGEST:,} bytes")
    return content


def _write(folder: int, name: str, content: bytes, rights: int) -> None:
    descriptor = os.open(name, _NEW, 0o600, dir_fd=folder)
    with open(descriptor, "wb") as opened:
        opened.write(content)
        opened.flush()
        os.fchmod(descriptor, rights)
        os.fsync(descriptor)
