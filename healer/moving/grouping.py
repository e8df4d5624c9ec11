"""Finds parameters that one object has as fields: `search(text, limit=5)` became `search(text, Options(limit=5))`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from graph.facts import Fact, Kind
from healer.moving.bodies import module_of
from healer.moving.parameters import compared

_CALL = re.compile(r"([A-Za-z_][\w.]*)\(\)")
_NAME = re.compile(r"[A-Za-z_][\w.]*")


class Group(NamedTuple):
    """The parameter that takes them all, the class of what it takes, by its key, and the names that went into it."""

    parameter: str
    type: str
    names: tuple[str, ...]


def grouped(before: Fact, after: Fact, came: Mapping[str, Fact]) -> Group | None:
    """The parameters of a function that one object has now, with the same defaults; None where there are none.

    `came` are the definitions that came, by key: the class is one of them, and has a field for each parameter.
    """
    found = compared(before, after)
    gone = [row for row in found.then if row.name in found.removed]
    for row in found.now if gone else ():
        if row.name not in found.added:
            continue
        listed = next(each for each in after.aspects["parameters"] if each[0] == row.name)
        for name in _types(str(listed[2] or ""), row.default or ""):
            key = f"{module_of(after)}.{name}"
            fields = [came.get(f"{key}.{each.name}") for each in gone]
            is_same = [
                f is not None and f.aspects.get("value") == r.default
                for f, r in zip(fields, gone, strict=True)
            ]
            if key in came and all(is_same) and not _makes(key, came):
                return Group(row.name, key, tuple(each.name for each in gone))
    return None


def _makes(key: str, came: Mapping[str, Fact]) -> bool:
    """Whether a class does something when an object is made or asked: its fields may be others than what was given."""
    return any(name.startswith(f"{key}.__") and fact.kind is Kind.FUNCTION for name, fact in came.items())


def _types(annotation: str, default: str) -> list[str]:
    """The names that may be that of a parameter's class."""
    called = _CALL.fullmatch(default)
    return [*([called[1]] if called else []), *_NAME.findall(annotation)]
