"""Keeps what regular expressions compile to where Python keeps its bytecode: compiling them is a tenth of a short run.

The standard library has no door for this, so that its inner parts are used, and only as long as they are as expected:
whatever goes wrong, the expression is compiled as always. The memory belongs to one build of the interpreter.
"""

from __future__ import annotations

import atexit
import os
import re
import sys
import zlib
from array import array
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any, AnyStr

import msgspec

_MOST = 5_000
_INTEGER = "I"


class _Program(msgspec.Struct, frozen=True, array_like=True):
    """What the engine of regular expressions is given; `code` are its instructions as the machine's integers."""

    flags: int
    groups: int
    names: dict[str, int]
    code: bytes


_Kept = dict[str, _Program]
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Kept).decode


def compiled(expression: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` gives. For expressions of the program itself only: each one is kept."""
    try:
        return _memory().pattern(expression, flags)
    except (ImportError, AttributeError, TypeError, ValueError, RuntimeError):
        # The library is not the one that this was written for.
        return re.compile(expression, flags)


@cache
def _memory() -> Memory:
    try:
        place = Path(cache_from_source(__file__)).with_suffix(".expressions")
    except NotImplementedError:
        return Memory(None)
    memory = Memory(place)
    if not sys.dont_write_bytecode:
        atexit.register(memory.save)
    return memory


class Memory:
    """The expressions that some run compiled before, in a file; without a place nothing is kept."""

    def __init__(self, place: Path | None) -> None:
        self._place = place
        self._new = False
        self._kept = _load(place) if place is not None else {}

    def pattern(self, expression: AnyStr, flags: int) -> re.Pattern[AnyStr]:
        """The compiled expression. Raises re.error for one that is none, and others where the library is another."""
        key = f"{int(flags)} {expression!r}"
        program = self._kept.get(key)
        if program is None:
            program = self._kept[key] = _compile(expression, int(flags))
            self._new = True
        return _made(expression, program)

    def save(self) -> None:
        """Write what was compiled anew, if anything; where that cannot be, the next run compiles it again."""
        if not self._new or self._place is None or len(self._kept) > _MOST:
            return
        packed = _encode(self._kept)
        own = self._place.with_name(f"{self._place.name}.{os.getpid()}")
        with suppress(OSError):
            self._place.parent.mkdir(parents=True, exist_ok=True)
            try:
                own.write_bytes(_seal(packed) + packed)
                own.replace(self._place)
            finally:
                own.unlink(missing_ok=True)
        self._new = False


def _load(place: Path) -> _Kept:
    try:
        with place.open("rb") as file:
            content = file.read()
        sealed = len(_seal(b""))
        packed = content[sealed:]
        return _decode(packed) if content[:sealed] == _seal(packed) else {}
    except (OSError, msgspec.MsgspecError):  # nothing there yet, or damaged
        return {}


def _seal(packed: bytes) -> bytes:
    """What a sound file begins with: for which interpreter it is, and a checksum."""
    return b"%08x%08x" % (zlib.crc32(f"{sys.version} {sys.platform}".encode()), zlib.crc32(packed))


def _compile(expression: AnyStr, flags: int) -> _Program:
    """As `re.compile` does it, up to the last step."""
    compiler: Any = import_module("re._compiler")
    parsed = import_module("re._parser").parse(expression, flags)
    code = array(_INTEGER, compiler._code(parsed, flags))
    state = parsed.state
    return _Program(flags | state.flags, state.groups - 1, dict(state.groupdict), code.tobytes())


def _made(expression: AnyStr, program: _Program) -> re.Pattern[AnyStr]:
    """The last step; the engine looks through the instructions before it takes them."""
    engine: Any = import_module("_sre")
    names: list[str | None] = [None] * (program.groups + 1)
    for name, number in program.names.items():
        names[number] = name
    code = array(_INTEGER, program.code).tolist()
    made: re.Pattern[AnyStr] = engine.compile(
        expression, program.flags, code, program.groups, program.names, tuple(names)
    )
    return made
