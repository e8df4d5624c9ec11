"""Enumerations in the twin of a module, whose members need a value each."""

from __future__ import annotations

from engine.generators.functions.facts import Surface
from graph.facts import Fact
from planner.functions.ancestors import base_names

_NUMBERS = frozenset({"int", "float", "IntEnum", "enum.IntEnum"})


def is_enumeration(class_: Fact, surface: Surface) -> bool:
    """Whether a class derives from one of the module `enum` by itself."""
    module = surface.module(class_)
    return any(surface.resolved(each, module).startswith("enum.") for each in base_names(class_))


def any_member(member: Fact, enumeration: Fact) -> str:
    """A value, as source text, that no other member has, of the type that all of them have."""
    bases = base_names(enumeration)
    is_number = "str" not in bases and not _NUMBERS.isdisjoint(bases)
    return str(member.source.line) if is_number else repr(member.name)
