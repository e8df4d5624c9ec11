"""The test cases of laws that the methods of a mapping owe to what was put into it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graph.facts import Fact, Kind
from planner.cases import Case
from planner.functions.law_case import law_case

_TOLD = {
    "get": ("fetched", "get of a {} gives what was put in, and the default for what was not"),
    "setdefault": ("defaulted", "setdefault of a {} puts in what is not there, and gives what is"),
    "pop": ("popped", "pop of a {} gives what was put in and takes it out, and the default for what was not"),
    "popitem": ("unpacked", "popitem of a {} gives and takes out what was put in"),
    "update": ("updated", "update of a {} puts in all that it is given"),
    "clear": ("emptied", "clear of a {} takes out all that was put in"),
    "copy": ("copied", "copy of a {} has what was put in, and is another one"),
}
# How many things a method has to take beside its object; overloads tell so together.
_TAKEN = {"get": 2, "setdefault": 2, "pop": 2, "update": 1}


def mapping_laws(fact: Fact, members: Sequence[Fact]) -> Iterator[Case]:
    """The cases of one mapping that can be changed: of the methods that its own stub has."""
    for name, (law, told) in _TOLD.items():
        every = [each for each in members if each.kind is Kind.FUNCTION and each.name == name]
        if not every or any(_is_other(each) for each in every):
            continue
        if every[0].aspects.get("overload") or _takes(every[0]) >= _TAKEN.get(name, 0):
            yield law_case(fact, law, told.format(fact.name), {"by": every[0].id}, (fact.id, every[0].id))


def _is_other(method: Fact) -> bool:
    """Whether a method is none of a mapping in spite of its name: not called so, or never to be called."""
    if method.aspects.get("kind") != "method" or method.aspects.get("async"):
        return True
    return never_returns(method)


def never_returns(function: Fact) -> bool:
    """Whether a function says that it comes to no end: `NoReturn`, `Never`."""
    return str(function.aspects.get("returns")).rpartition(".")[2] in ("NoReturn", "Never")


def _takes(method: Fact) -> int:
    """How many things a method takes beside its object; any number of things are enough for all."""
    rows = method.aspects["parameters"][1:]
    if any(str(row[1]) == "var-positional" for row in rows):
        return 2
    return sum(str(row[1]) in ("positional-only", "positional-or-keyword") for row in rows)
