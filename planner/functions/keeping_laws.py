"""The test cases of what objects keep that are told things by one method and asked by another: `add` and `has`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from graph.facts import Fact, Json
from planner.cases import Case
from planner.functions.drawn_values import is_drawn
from planner.functions.law_case import law_case

_PUTTING = frozenset(
    {"add", "insert", "put", "set", "store", "register", "save", "attach", "append", "subscribe"}
)
# What takes it out again, what tells whether it is there, and what gives it.
_REMOVING = frozenset({"remove", "delete", "discard", "unregister", "deregister", "detach", "unsubscribe"})
_FINDING = frozenset({"has", "contains", "exists", "search", "find", "includes"})
_GIVING = frozenset({"get", "fetch", "lookup", "retrieve"})
_ANY = re.compile(r"(?:typing\.|t\.)?Any|object|_?VT?|_?T")

_Rows = dict[str, str]


def keeping_laws(fact: Fact, methods: Mapping[str, Fact], aliases: Mapping[str, str]) -> Iterator[Case]:
    """The cases of one class of stubs, of which an object can be made; `methods` are its own by name."""
    for law, put, other in partners(methods):
        if not all(_is_known(name, type_, aliases) for name, type_ in required(put).items()):
            continue
        told = {
            "found": f"{other.name} of a {fact.name} finds what {put.name} was given",
            "given": f"{other.name} of a {fact.name} gives what {put.name} was given",
            "put again": f"What {other.name} took out of a {fact.name} can be put in again by {put.name}",
        }[law]
        yield law_case(fact, law, told, {"by": put.id, "other": other.id}, (fact.id, put.id, other.id))


def partners(methods: Mapping[str, Fact]) -> Iterator[tuple[str, Fact, Fact]]:
    """The methods that put something in, each with one that finds it, gives it or takes it out: the law, and both."""
    for put in methods.values():
        verb, _, noun = put.name.partition("_")
        taken = required(put)
        if verb not in _PUTTING or not _is_plain(put) or not taken:
            continue
        for other in methods.values():
            asking, _, about = other.name.partition("_")
            asked = required(other)
            if about != noun or not _is_plain(other) or not asked or not asked.items() <= taken.items():
                continue
            returns = str(other.aspects.get("returns"))
            rest = [type_ for name, type_ in taken.items() if name not in asked]
            if asking in _REMOVING and returns == "None":
                yield "put again", put, other
            elif asking in _FINDING and (returns == "bool" or _may_be_nothing(returns)):
                yield "found", put, other
            elif asking in _GIVING and len(rest) == 1 and _plain(returns) == _plain(rest[0]):
                yield "given", put, other


def required(method: Fact) -> _Rows:
    """What a method has to be given, with the types."""
    return {str(row[0]): str(row[2] or "") for row in _rows(method) if row[3] is None}


def kept_one(put: Fact, asked: Mapping[str, str]) -> str:
    """What is put in beside what it is asked for by."""
    return next(name for name in required(put) if name not in asked)


def is_any(annotation: str) -> bool:
    """Whether a type takes anything."""
    return _ANY.fullmatch(annotation) is not None


def _rows(method: Fact) -> list[Json]:
    return [row for row in method.aspects["parameters"][1:] if not str(row[1]).startswith("var")]


def _is_plain(method: Fact) -> bool:
    aspects = method.aspects
    return aspects.get("kind") == "method" and not aspects.get("async") and not aspects.get("overload")


def _is_known(name: str, annotation: str, aliases: Mapping[str, str]) -> bool:
    return is_any(annotation) or is_drawn(name, annotation, aliases)


def _may_be_nothing(annotation: str) -> bool:
    return _plain(annotation) != annotation


def _plain(annotation: str) -> str:
    """A type without `None`."""
    if found := re.fullmatch(r"(?:typing\.|t\.)?Optional\[(.*)\]", annotation):
        return found[1]
    return annotation.removesuffix(" | None").removeprefix("None | ")
