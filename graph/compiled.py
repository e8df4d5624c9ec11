"""Keeps what regular expressions compile to where Python keeps its bytecode: compiling them is a tenth of a short run.

The standard library has no door for this, so that its inner parts are used, and only as long as they are as expected:
whatever goes wrong, the expression is compiled as always. The memory belongs to one build of the interpreter.
"""

import atexit
import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, AnyStr, Final

import msgspec

from graph import beside
from graph.parts import Parts

_MOST = 5_000
_INTEGER: Final = "I"


class _Program(msgspec.Struct, frozen=True, array_like=True):
    """What the engine of regular expressions is given; `code` are its instructions as the machine's integers."""

    flags: int
    groups: int
    names: dict[str, int]
    code: bytes


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Program).decode


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
        self._kept = Parts(place)

    def pattern(self, expression: AnyStr, flags: int) -> re.Pattern[AnyStr]:
        """The compiled expression. Raises re.error for one that is none, and others where the library is another."""
        key = f"{int(flags)} {expression!r}"
        program = self._known(key)
        if program is None:
            program = _compile(expression, int(flags))
            self._kept.add(key, _encode(program))
        return _made(expression, program)

    def _known(self, key: str) -> _Program | None:
        """What was kept of an expression; None where nothing was, or what was is damaged."""
        kept = self._kept.get(key)
        try:
            return _decode(kept) if kept is not None else None
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
