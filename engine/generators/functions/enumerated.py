"""Members of enumerations as values."""

from __future__ import annotations

from engine.generators.functions.facts import Surface
from engine.generators.values.known_values import Value
from graph.facts import Fact, Kind

_ENUMS = frozenset({"enum.Enum", "enum.IntEnum", "enum.StrEnum"})


def member_of(fact: Fact, surface: Surface, *, other: bool = False) -> Value | None:
    """The first member of an enumeration, or another one, the last; None for other classes."""
    bases = {surface.resolved(str(each), surface.module(fact)) for each in fact.aspects["bases"]}
    members = [each for each in surface.members(fact) if each.kind is Kind.ATTRIBUTE]
    if not bases & _ENUMS or not members:
        return None
    unit = surface.unit(fact)
    return Value(f"{unit.expression}.{members[-1 if other else 0].name}", (unit.imported,))
