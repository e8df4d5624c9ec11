"""Keeps what the program works out about itself beside its bytecode, so that its next process need not do so again.

It is as much to be trusted as bytecode is, and as dispensable: where nothing can be kept, or what was kept is damaged
or of another interpreter, it is worked out again.
"""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

import msgspec

Value = TypeVar("Value")
Buffer: TypeAlias = bytes | memoryview


class Memory(Generic[Value]):
    """Values by key that some process worked out before, in a file; without a file nothing is kept."""

    def __init__(
        self,
        file: Path | None,
        encode: Callable[[dict[str, Value]], bytes],
        decode: Callable[[Buffer], dict[str, Value]],
    ) -> None:
        self._file = file
        self._encode = encode
        self._new = False
        try:
            self.known = decode(load(file))
        except msgspec.MsgspecError:  # nothing there yet, or of an older program
            self.known = {}

    def add(self, key: str, value: Value) -> Value:
        """Note what was worked out anew; the value is given back."""
        self.known[key] = value
        self._new = True
        return value

    def save(self) -> None:
        """Keep what is known, if anything is new."""
        if self._new:
            save(self._file, self._encode(self.known))
            self._new = False


def place(name: str) -> Path | None:
    """The file that keeps what has this name; None where the interpreter keeps no bytecode."""
    try:
        return Path(cache_from_source(__file__)).with_suffix(f".{name}")
    except NotImplementedError:
        return None


def load(file: Path | None) -> Buffer:
    """What a file keeps; nothing where it is not there, of another interpreter, or damaged."""
    if file is None:
        return b""
    try:
        with file.open("rb") as opened:
            content = opened.read()
    except OSError:
        return b""
    sealed = len(_seal(b""))
    kept = memoryview(content)[sealed:]
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


def _seal(kept: Buffer) -> bytes:
    """What a sound file begins with: for which interpreter it is, and a checksum."""
    return b"%08x%08x" % (zlib.crc32(f"{sys.version} {sys.platform}".encode()), zlib.crc32(kept))
