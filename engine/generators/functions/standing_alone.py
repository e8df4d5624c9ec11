"""What an object can be asked before it is a part of something else, or outside of what it is made for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.generators.functions.facts import NoTestError, Surface
from graph.facts import Fact, Kind
from planner.functions.ancestors import ancestors

# What puts an object to where it belongs.
_JOINING = frozenset({"attach", "connect"})
# What has to come first where a `with` does it.
_STARTING = frozenset({"start", "open", "begin"})
# What is answered as well where there is nothing.
_EMPTY = re.compile(r"(?:None|bool|(?:\w+\.)*(?:list|dict|set|tuple|Iterator|Iterable)\b.*)", re.IGNORECASE)


def refuse_alone(fact: Fact, holder: Fact, surface: Surface) -> None:
    """Raise NoTestError for what is asked of a new object that has first to be attached to another one or started, or
    of one with methods that are awaited: it may ask which loop is running, or start one itself."""
    if fact.name.startswith("__") or fact.kind is not Kind.FUNCTION:
        return
    methods = list(_methods(holder, surface))
    if not fact.aspects.get("async") and any(each.aspects.get("async") for each in methods):
        raise NoTestError(f"whether {fact.name} of a {holder.name} can be asked where no loop runs")
    names = {each.name for each in methods}
    first = _JOINING | _STARTING if "__enter__" in names else _JOINING
    joining = next((each.name for each in methods if each.name in first and each.name != fact.name), "")
    if joining and not _EMPTY.fullmatch(str(fact.aspects.get("returns"))):
        raise NoTestError(f"whether {fact.name} can be asked of a {holder.name} before {joining}")


def _methods(holder: Fact, surface: Surface) -> Iterator[Fact]:
    """The methods of a class and of those that it derives from."""

    def known(name: str) -> Fact | None:
        found = surface.at(surface.resolved(name, surface.module(holder))) or surface.class_named(name)
        return found if found is not None and found.kind is Kind.CLASS else None

    for one in (holder, *ancestors(holder, known)):
        yield from (each for each in surface.members(one) if each.kind is Kind.FUNCTION)
