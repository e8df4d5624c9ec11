"""The port of aligners, which bring the witnesses together, and what they hand on to the rules."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from crossval.pairs import Pair
from graph.facts import Unknown
from graph.source import FactSource


class Alignment(msgspec.Struct, frozen=True):
    """The pairs that an aligner made, and what it could not compare and why."""

    pairs: list[Pair] = []
    unknown: list[Unknown] = []


def promises_nothing(note: Unknown) -> bool:
    """Whether a reader says that a contract names no operations."""
    return note.aspect == "operations" and note.subject.startswith("file ")


Aligner = Callable[[FactSource], Alignment]
"""Reads facts of the kinds it knows and pairs spec with code; an explicit tuple in `crossval.validate` lists them."""
