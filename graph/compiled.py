"""Keeps what regular expressions compile to where Python keeps its bytecode: compiling them is a tenth of a short run.

The standard library has no door for this, so that its inner parts are used, and only as long as they are as expected:
whatever goes wrong, the expression is compiled as always. The memory belongs to one build of the interpreter.
"""

import atexit
import re
import zlib
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, AnyStr, Final

import msgspec

from graph import beside

_MOST = 5_000
_INTEGER: Final = "I"


class _Program(msgspec.Struct, frozen=True, array_like=True):
    """What the engine of regular expressions is given; `code` are its instructions as the machine's integers."""

    flags: int
    groups: int
    names: dict[str, int]
    code: bytes


class _Kept(msgspec.Struct, frozen=True, array_like=True):
    """A program as it is kept, with a checksum of its expression and itself: few of those kept are asked for."""

    sum: int
    program: msgspec.Raw


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(dict[str, msgspec.Raw]).decode
_decode_kept = msgspec.msgpack.Decoder(_Kept).decode
_decode_program = msgspec.msgpack.Decoder(_Program).decode


def compiled(expression: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` gives. For expressions of the program itself only: each one is kept."""
    try:
        return _memory().pattern(expression, flags)
    except (ImportError, AttributeError, TypeError, ValueError, RuntimeError):
        # The library is not the one that this was written for.
        return re.compile(expression, flags)


class Memory:
    """The expressions that some run compiled before, in a file; without a place nothing is kept."""

    def __init__(self, place: Path | None) -> None:
        self._kept = beside.Memory(place, _encode, _decode, whole=False)

    def pattern(self, expression: AnyStr, flags: int) -> re.Pattern[AnyStr]:
        """The compiled expression. Raises re.error for one that is none, and others where the library is another."""
        key = f"{int(flags)} {expression!r}"
        program = self._known(key)
        if program is None:
            program = _compile(expression, int(flags))
            encoded = _encode(program)
            self._kept.add(key, msgspec.Raw(_encode(_Kept(_sum(key, encoded), msgspec.Raw(encoded)))))
        return _made(expression, program)

    def _known(self, key: str) -> _Program | None:
        """What was kept of an expression; None where nothing was, or what was is damaged."""
        found = self._kept.known.get(key)
        if found is None:
            return None
        try:
            kept = _decode_kept(found)
            return _decode_program(kept.program) if kept.sum == _sum(key, kept.program) else None
        except msgspec.MsgspecError:
            return None

    def save(self) -> None:
        """Keep what was compiled anew, if anything."""
        self._kept.save(_MOST)


@cache
def _memory() -> Memory:
    memory = Memory(beside.place("expressions"))
    atexit.register(memory.save)
    return memory


def _sum(key: str, program: bytes | msgspec.Raw) -> int:
    return zlib.crc32(program, zlib.crc32(key.encode()))


def _compile(expression: AnyStr, flags: int) -> _Program:
    """As `re.compile` does it, up to the last step."""
    compiler: Any = import_module("re._compiler")
    parsed = import_module("re._parser").parse(expression, flags)
    from array import array

    code = array(_INTEGER, compiler._code(parsed, flags))
    state = parsed.state
    return _Program(flags | state.flags, state.groups - 1, dict(state.groupdict), code.tobytes())


def _made(expression: AnyStr, program: _Program) -> re.Pattern[AnyStr]:
    """The last step; the engine looks through the instructions before it takes them."""
    engine: Any = import_module("_sre")
    names: list[str | None] = [None] * (program.groups + 1)
    for name, number in program.names.items():
        names[number] = name
    code = memoryview(program.code).cast(_INTEGER).tolist()
    made: re.Pattern[AnyStr] = engine.compile(
        expression, program.flags, code, program.groups, program.names, tuple(names)
    )
    return made
