"""The port of aligners, which bring the witnesses together, and what they hand on to the rules."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import msgspec

from crossval.pairs import Pair
from graph.facts import Kind, Tag, Unknown
from graph.source import FactSource


class Alignment(msgspec.Struct, frozen=True):
    """The pairs that an aligner made, and what it could not compare and why.

    `settled` are places (`app/main.py:12`) at which a reader did not know where routes are, which the other side told.
    """

    pairs: list[Pair] = []
    unknown: list[Unknown] = []
    settled: frozenset[str] = frozenset()


def promises_nothing(note: Unknown) -> bool:
    """Whether a reader says that a contract names no operations."""
    return note.aspect == "operations" and note.subject.startswith("file ")


Aligner = Callable[[FactSource], Alignment]
"""Reads facts of the kinds it knows and pairs spec with code; an explicit tuple in `crossval.validate` lists them."""


class Later(msgspec.Struct, frozen=True):
    """An aligner that is imported where there is something for it: facts of these kinds, of specs if not said else.

    `place` names it as `module:function`; `options` are what it takes beside the source.
    """

    place: str
    kinds: frozenset[Kind]
    tag: Tag = Tag.SPEC
    options: dict[str, object] = {}

    def __call__(self, source: FactSource) -> Alignment:
        """What the aligner makes of the facts; nothing where there are none for it."""
        if next(source.facts(tag=self.tag, kinds=self.kinds), None) is None:
            return Alignment()
        module, _, name = self.place.partition(":")
        alignment = getattr(import_module(module), name)(source, **self.options)
        assert isinstance(alignment, Alignment)
        return alignment
