"""Values by key in a file of which only what is asked for is read: few of those kept are, and to read all takes longer
than to look these up."""

from __future__ import annotations

import os
import sys
import zlib
from contextlib import suppress
from pathlib import Path

import msgspec

_HEAD = 24
_Index = dict[int, tuple[int, int, int]]
"""A key's number → where its value begins, how long it is, and a checksum of both."""


class Parts:
    """What some process worked out before; without a file nothing is kept.

    The file begins with three numbers: for which interpreter it is, how long its index is, and a checksum of that. What
    is not as it was kept is as if it were not there.
    """

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._new: dict[int, tuple[int, bytes]] = {}
        self._index: _Index = {}
        self._begin = 0
        self._opened = -1
        if file is not None:
            with suppress(OSError, ValueError, TypeError, msgspec.MsgspecError):
                self._opened = os.open(file, os.O_RDONLY | getattr(os, "O_BINARY", 0))
                self._index = self._read_index()

    def get(self, key: str) -> bytes | None:
        """The value of a key; None where none was kept, or it is damaged."""
        number = _number(key)
        place, length, checksum = self._index.get(number, (0, 0, 0))
        if not length:
            return self._new.get(number, (0, None))[1]
        value = self._read(self._begin + place, length)
        return value if _checksum(key, value) == checksum else None

    def add(self, key: str, value: bytes) -> None:
        """Note what was worked out anew."""
        number = _number(key)
        self._index.pop(number, None)
        self._new[number] = _checksum(key, value), value

    def save(self, most: int) -> None:
        """Keep what is known, if anything is new and it is no more than `most`; nothing is to be got afterwards."""
        if self._new and len(self._index) + len(self._new) <= most and not sys.dont_write_bytecode:
            old = [
                (number, checksum, self._read(self._begin + place, length))
                for number, (place, length, checksum) in self._index.items()
            ]
            self._close()
            self._write([*old, *((number, *each) for number, each in self._new.items())])
            self._new = {}
        self._close()

    def _close(self) -> None:
        self._index = {}
        if self._opened >= 0:
            os.close(self._opened)
            self._opened = -1

    def _read(self, place: int, length: int) -> bytes:
        if hasattr(os, "pread"):
            return os.pread(self._opened, length, place)
        os.lseek(self._opened, place, os.SEEK_SET)
        return os.read(self._opened, length)

    def _read_index(self) -> _Index:
        head = self._read(0, _HEAD)
        interpreter, length, checksum = (int(head[at : at + 8], 16) for at in (0, 8, 16))
        listed = self._read(_HEAD, length)
        if interpreter != _interpreter() or checksum != zlib.crc32(listed):
            return {}
        self._begin = _HEAD + length
        return msgspec.msgpack.decode(listed, type=_Index)

    def _write(self, rows: list[tuple[int, int, bytes]]) -> None:
        """Write the file anew, whole or not at all."""
        assert self._file is not None, "only what has a file is written"
        index: _Index = {}
        place = 0
        for number, checksum, value in rows:
            index[number] = place, len(value), checksum
            place += len(value)
        listed = msgspec.msgpack.encode(index)
        head = b"%08x%08x%08x" % (_interpreter(), len(listed), zlib.crc32(listed))
        own = self._file.with_name(f"{self._file.name}.{os.getpid()}")
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            try:
                own.write_bytes(b"".join([head, listed, *(value for _, _, value in rows)]))
                own.replace(self._file)
            finally:
                own.unlink(missing_ok=True)


def _number(key: str) -> int:
    encoded = key.encode()
    return zlib.crc32(encoded) << 16 | len(encoded) & 0xFFFF


def _checksum(key: str, value: bytes) -> int:
    return zlib.crc32(value, zlib.crc32(key.encode()))


def _interpreter() -> int:
    return zlib.crc32(f"{sys.version} {sys.platform}".encode())
