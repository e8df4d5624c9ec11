"""Turns rows of the table `fact` into facts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from graph.facts import Fact, Json, Location
from graph.store.records import tag_and_kind

_decode_aspects = msgspec.json.Decoder(dict[str, Json]).decode
_decode_sources = msgspec.json.Decoder(tuple[str, ...]).decode


def fact_of(row: Sequence[Any]) -> Fact:
    """The fact in a row of type, key, name, path, both lines, aspects, sources, and whether its key collides."""
    number, key, name, path, line, end_line, aspects, sources, collides = row
    tag, kind = tag_and_kind(number)
    return Fact(
        tag=tag,
        kind=kind,
        key=key,
        name=key if name is None else name,
        source=Location(path, line, end_line),
        aspects=_decode_aspects(aspects),
        sources=_decode_sources(sources) if sources else (),
        document=path if collides else "",
    )
