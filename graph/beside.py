"""Keeps what the program works out about itself beside its bytecode, so that its next process need not do so again.

It is as much to be trusted as bytecode is, and as dispensable: where nothing can be kept, or what was kept is damaged
or of another interpreter, it is worked out again.
"""

from __future__ import annotations

import os
import sys
import zlib
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path


def place(name: str) -> Path | None:
    """The file that keeps what has this name; None where the interpreter keeps no bytecode."""
    try:
        return Path(cache_from_source(__file__)).with_suffix(f".{name}")
    except NotImplementedError:
        return None


def load(file: Path | None) -> bytes:
    """What a file keeps; nothing where it is not there, damaged, or of another interpreter."""
    if file is None:
        return b""
    try:
        with file.open("rb") as opened:
            content = opened.read()
    except OSError:
        return b""
    sealed = len(_seal(b""))
    kept = content[sealed:]
    return kept if content[:sealed] == _seal(kept) else b""


def save(file: Path | None, kept: bytes) -> None:
    """Keep something for processes to come, whole or not at all, unless this one is to write no bytecode."""
    if file is None or sys.dont_write_bytecode:
        return
    own = file.with_name(f"{file.name}.{os.getpid()}")
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            own.write_bytes(_seal(kept) + kept)
            own.replace(file)
        finally:
            own.unlink(missing_ok=True)


def _seal(kept: bytes) -> bytes:
    """What a sound file begins with: for which interpreter it is, and a checksum."""
    return b"%08x%08x" % (zlib.crc32(f"{sys.version} {sys.platform}".encode()), zlib.crc32(kept))
