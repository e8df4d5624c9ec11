"""What installed distributions write of entry points of ours, looked up without asking `importlib.metadata`."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

import msgspec

from graph import beside

_OURS = b"[crossfact."
_NAME = "entries"
_RACY_NANOSECONDS = 2_000_000_000

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(dict[str, tuple[int, bytes]]).decode


@cache
def offered_on(path: tuple[str, ...]) -> bytes | None:
    """What the distributions on the path write of entry points of ours; None where some cannot be looked into."""
    memory = Memory(beside.place(_NAME))
    found = b""
    for entry in path:
        if Path(entry).is_file():
            if entry.endswith(f"python{sys.version_info[0]}{sys.version_info[1]}.zip"):
                continue
            return None
        with suppress(OSError):
            found += memory.of(str(Path(entry).absolute()))
    memory.save()
    return found


class Memory:
    """What folders of distributions hold of it. That stands while a folder does not change: what is installed into it
    or taken out changes it. Of distributions that are under development (`.egg-info`), it would not tell.
    """

    def __init__(self, place: Path | None) -> None:
        self._kept = beside.Memory(place, _encode, _decode)

    def of(self, entry: str) -> bytes:
        """What the distributions in a folder write of our entry points. Raises OSError where it cannot be listed."""
        changed = Path(entry).stat().st_mtime_ns
        when, found = self._kept.known.get(entry, (0, b""))
        return found if when == changed else self._looked_up(entry, changed)

    def save(self) -> None:
        """Keep what was looked up anew, if anything."""
        self._kept.save()

    def _looked_up(self, entry: str, changed: int) -> bytes:
        with os.scandir(entry) as entries:
            folders = [each.path for each in entries if each.name.endswith((".dist-info", ".egg-info"))]
        found = b"".join(content for content in map(_content, folders) if _OURS in content)
        settled = time.time_ns() - changed > _RACY_NANOSECONDS
        if folders and settled and all(each.endswith(".dist-info") for each in folders):
            self._kept.add(entry, (changed, found))
        return found


def _content(folder: str) -> bytes:
    try:
        with open(f"{folder}/entry_points.txt", "rb") as file:
            return file.read()
    except OSError:
        return b""
