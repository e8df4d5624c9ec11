"""Safe reading of the project's files: regular files inside the root only, decoded once and strictly."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import msgspec

from graph.digests import sha256
from graph.facts import Skipped
from graph.patterns import pattern

LIMIT = 5_000_000
"""The default for the largest file that is read, in bytes."""

DENIED = "cannot be read: "
"""How the reason begins that the system gives for not letting a file be read."""

_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_LINE_END = pattern(r"\r\n|\r|\n")
_LINE_END_BYTES = pattern(rb"\r\n|\r|\n")
# PEP 263: in one of the first two lines, the second only after a blank line or a comment.
_COOKIE = pattern(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = pattern(rb"[ \t\f]*(?:#|$)")
_UTF_8 = pattern(r"utf-?8(?:-.*)?|utf|u8|utf8-ucs[24]")
# Codecs that turn bytes into characters and do nothing else: `unicode_escape`, `rot13`, `zlib` are not among them.
_CODECS = pattern(
    r"ascii|us-ascii|latin-?1|l1|iso-?8859-(?:[1-9]|1[013-6])(?:-.*)?|iso-latin-1(?:-.*)?|cp125[0-8]|windows-125[0-8]"
    r"|cp(?:437|850|852|866|932|936|949|950)|koi8-[rtu]|mac-(?:roman|cyrillic)|euc-(?:jp|kr)|shift-?jis|gbk|gb2312"
    r"|gb18030|big5"
)


class Content(msgspec.Struct, frozen=True):
    """A file as it was read: `digest` is the SHA-256 of its bytes, `text` has no byte order mark."""

    digest: bytes
    text: str


def lines(text: str) -> list[str]:
    """The lines without their ends; only `\\n`, `\\r\\n` and `\\r` end a line, as in editors and in Python's parser."""
    split = _LINE_END.split(text) if "\r" in text else text.split("\n")
    if not split[-1]:
        split.pop()
    return split


def read(root: Path | str, path: str, limit: int = LIMIT) -> Content | Skipped:
    """The text of a file and the hash of its bytes, or why it was not read.

    `path` is relative to `root` with `/`. Symbolic links are followed only to files inside the root.
    """
    data = read_bytes(root, path, limit)
    if isinstance(data, Skipped):
        return data
    text = decode(path, data)
    if isinstance(text, Skipped):
        return text
    return Content(sha256(data).digest(), text)


def read_text(root: Path | str, path: str, limit: int = LIMIT) -> str | Skipped:
    """The text of a file, or why it was not read; see `read`."""
    data = read_bytes(root, path, limit)
    return data if isinstance(data, Skipped) else decode(path, data)


def read_bytes(root: Path | str, path: str, limit: int = LIMIT) -> bytes | Skipped:
    """The bytes of a regular file inside the root, or why it was not read; see `read`."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if not parts or path.startswith("/") or ".." in parts or "\0" in path:
        return Skipped(path, 0, "lies outside the project")
    try:
        try:
            return _read_below(os.fspath(root), parts, path, limit)
        except OSError as error:
            if error.errno not in (errno.ELOOP, errno.ENOTDIR):
                raise
        # A link is on the way. Where it leads is only a proposal: the second attempt follows no link either.
        target = _inside(os.fspath(root), path)
        if target is None:
            return Skipped(path, 0, "is or lies behind a link that leads out of the project")
        return _read_below(os.fspath(root), target.split("/"), path, limit)
    except OSError as error:
        if error.errno == errno.ELOOP:
            return Skipped(path, 0, "symbolic links make a loop")
        return Skipped(path, 0, f"{DENIED}{error.strerror or error}")


def decode(path: str, data: bytes) -> str | Skipped:
    """The text that the bytes hold: UTF-8, or for Python files the encoding that they declare (PEP 263)."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Skipped(path, 0, "is encoded as UTF-16 or UTF-32; save it as UTF-8")
    if b"\0" in data:
        if _looks_like_utf_16(data[:4096]):
            return Skipped(path, 0, "is encoded as UTF-16; save it as UTF-8")
        return Skipped(path, 0, "is binary: it contains NUL bytes")
    codec = "utf-8"
    python = path.endswith((".py", ".pyi"))
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    elif python:
        declared, line = _declared_encoding(data)
        if declared and not _UTF_8.fullmatch(declared):
            if not _CODECS.fullmatch(declared):
                reason = f"declares the encoding {declared!r}, which is not read; save it as UTF-8"
                return Skipped(path, line, reason)
            codec = declared
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        line = len(_LINE_END_BYTES.findall(data, 0, error.start)) + 1
        name = "UTF-8" if codec == "utf-8" else f"{codec}, which it declares"
        remedy = "save it as UTF-8" + (" or declare its encoding" if python and codec == "utf-8" else "")
        return Skipped(path, line, f"is not {name}: byte 0x{data[error.start]:02x} in line {line}; {remedy}")


def _read_below(root: str, parts: list[str], path: str, limit: int) -> bytes | Skipped:
    """The bytes of the file that the parts lead to without any link; raises `OSError`."""
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts[:-1]:
            below = os.open(part, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = below
        # Looked at before it is opened: opening alone can have effects where it is a device or a pipe.
        mode = os.stat(parts[-1], dir_fd=folder, follow_symlinks=False).st_mode
        if stat.S_ISLNK(mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if not stat.S_ISREG(mode):
            return Skipped(path, 0, "is not a regular file")
        file = os.open(parts[-1], _FILE, dir_fd=folder)
    finally:
        os.close(folder)
    try:
        return _read_open(file, path, limit)
    finally:
        os.close(file)


def _read_open(file: int, path: str, limit: int) -> bytes | Skipped:
    status = os.fstat(file)
    if not stat.S_ISREG(status.st_mode):
        return Skipped(path, 0, "is not a regular file")
    data = b""
    if status.st_size <= limit:
        chunks = []
        room = limit + 1
        # One byte more than the size: a file that has not grown is then read in one call, and a growing one is seen.
        while room > 0 and (chunk := os.read(file, min(room, status.st_size + 1))):
            chunks.append(chunk)
            room -= len(chunk)
        data = b"".join(chunks)
    if status.st_size > limit or len(data) > limit:
        return Skipped(path, 0, too_large(max(status.st_size, len(data)), limit))
    return data


def too_large(size: int, limit: int) -> str:
    """The reason to skip a file of this size, in bytes."""
    return f"is larger than the limit ({size:,} bytes, limit {limit:,}; max_file_size sets it)"


def _inside(root: str, path: str) -> str | None:
    """Where the path leads when links are followed, relative to the root; None where that is outside."""
    real_root = os.path.realpath(root)
    target = os.path.realpath(os.path.join(real_root, path), strict=True)  # noqa: PTH118 (bytes-safe text)
    prefix = real_root.rstrip("/") + "/"
    return target[len(prefix) :] if target.startswith(prefix) else None


def _declared_encoding(data: bytes) -> tuple[str, int]:
    """The encoding that a Python file declares, normalised, and the line of the declaration; empty where none."""
    for number, line in enumerate(_LINE_END_BYTES.split(data[:4096], maxsplit=2)[:2], start=1):
        if found := _COOKIE.match(line):
            return found[1].decode("ascii", "replace").lower().replace("_", "-"), number
        if not _BLANK.match(line):
            break
    return "", 0


def _looks_like_utf_16(sample: bytes) -> bool:
    """Whether nearly every second byte is NUL and the others are not, as in Latin text without a mark."""
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    return max(even, odd) * 3 > len(sample) and min(even, odd) * 20 < len(sample)
