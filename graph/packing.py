"""Unpacking records, by decoders that cost nothing until something is unpacked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

Record = TypeVar("Record")


def unpacking(kind: type[Record]) -> Callable[[bytes | memoryview], Record]:
    """A decoder of msgpack for this kind of record, made when it is first used: its fields' types have to be compiled,
    and many runs unpack few of all kinds. Raises msgspec.MsgspecError for what is none."""
    made: list[msgspec.msgpack.Decoder[Record]] = []

    def unpack(packed: bytes | memoryview) -> Record:
        if not made:
            made.append(msgspec.msgpack.Decoder(kind))
        return made[0].decode(packed)

    return unpack
