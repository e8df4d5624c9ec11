"""The order in which Python looks through a class and its ancestors for a member."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Name = tuple[str, str]
"""A class by its module and its name there."""

_DEEPEST = 60


def linearised(class_: Name, bases: Mapping[Name, Sequence[Name]]) -> list[Name]:
    """A class and its ancestors in the order of C3; empty where there is none, as for circles of bases."""
    return _linearised(class_, bases, {}, 0) or []


def _linearised(
    class_: Name, bases: Mapping[Name, Sequence[Name]], known: dict[Name, list[Name] | None], depth: int
) -> list[Name] | None:
    if depth > _DEEPEST:
        return None
    if class_ not in known:
        known[class_] = None
        own = list(dict.fromkeys(bases.get(class_, ())))
        above = [_linearised(base, bases, known, depth + 1) for base in own]
        merged = _merged([[*order] for order in above if order is not None] + [own])
        known[class_] = None if merged is None or None in above else [class_, *merged]
    return known[class_]


def _merged(orders: list[list[Name]]) -> list[Name] | None:
    """One order that agrees with all of these, the earlier ones first where they leave a choice."""
    merged: list[Name] = []
    orders = [order for order in orders if order]
    while orders:
        later = {name for order in orders for name in order[1:]}
        first = next((order[0] for order in orders if order[0] not in later), None)
        if first is None:
            return None
        merged.append(first)
        orders = [rest for order in orders if (rest := [name for name in order if name != first])]
    return merged
