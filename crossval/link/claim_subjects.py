"""Finds the fields, parameters, operations and constants that a claim speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from crossval.compare.claims import words
from graph.facts import Fact, Json, Kind, Tag

SURE, NAMED, MENTIONED = 1.0, 0.9, 0.85
"""How surely a field is meant: it is the claim's own place or a named request's; its owner is named with it; its
owner is mentioned in the story."""

# What a schema's name says beside the thing itself, and what a subject says beside the field's name.
_GENERIC = frozenset(
    {
        *(
            "new",
            "create",
            "created",
            "update",
            "updated",
            "patch",
            "request",
            "response",
            "schema",
            "model",
            "in",
            "out",
        ),
        *(
            "base",
            "list",
            "item",
            "dto",
            "data",
            "body",
            "payload",
            "input",
            "output",
            "read",
            "write",
            "form",
            "api",
            "v",
        ),
    }
)
_TAILS = frozenset({"address", "value", "number", "length", "size", "of", "the", "a", "count"})
_LIMITS = frozenset(
    {"max", "maximum", "min", "minimum", "limit", "length", "number", "of", "count", "num", "allowed"}
)
_PARAMETER = re.compile(r"\{[^}]*\}|:\w+|<[^>]*>")


class Candidate(NamedTuple):
    """One field or parameter that a claim may speak of, and how surely."""

    fact: Fact
    confidence: float


class Context(NamedTuple):
    """What stands around a claim: all words of its story, and the ids of facts linked with it."""

    mentioned: frozenset[str]
    linked: frozenset[str]
    holder: Fact


class Named:
    """Fields and parameters by the words of their names, those of one witness."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._by_name: dict[tuple[str, ...], list[Fact]] = {}
        for fact in facts:
            name = words(_last(fact))
            if name:
                self._by_name.setdefault(name, []).append(fact)

    def candidates(self, claim: Json, context: Context) -> list[Candidate]:
        """What the claim may speak of, the surest kind only."""
        found: dict[str, Candidate] = {}
        for name, owner in _readings(claim):
            for fact in self._by_name.get(name, ()):
                confidence = _confidence(fact, owner, context, claim)
                if confidence and confidence > found.get(fact.id, Candidate(fact, 0)).confidence:
                    found[fact.id] = Candidate(fact, confidence)
        best = max((each.confidence for each in found.values()), default=0)
        return [found[identity] for identity in sorted(found) if found[identity].confidence == best]


def _readings(claim: Json) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Each way to take a claim's subject apart into a field's name and its owner (empty where none is named)."""
    subject = claim.get("subject") or ""
    every = words(subject)
    yield every, ()
    bare = tuple(word for word in every if word not in _TAILS)
    if bare and bare != every:
        yield bare, ()
    what, _, whose = subject.partition(" of ")
    if whose:
        owner = tuple(word for word in words(whose) if word not in ("a", "an", "the"))
        yield words(what), tuple(word for word in owner if word not in _GENERIC) or owner
    unit = words(claim.get("unit", ""))
    if unit and claim["kind"] == "quantity" and every:
        yield unit, every
    for cut in range(1, len(every)):
        yield every[cut:], every[:cut]
        if tail := tuple(word for word in every[cut:] if word not in _TAILS):
            yield tail, every[:cut]


def _confidence(fact: Fact, owner: tuple[str, ...], context: Context, claim: Json) -> float:
    """How surely the fact is meant, 0 where it is not."""
    near = owner_words(fact)
    if fact.id in context.linked or fact.key.partition("#")[0] in context.linked:
        return SURE
    if owner:
        return NAMED if set(owner) <= near else 0
    marked = f"`{claim.get('subject')}`" in claim.get("words", "")
    if near & context.mentioned:
        return NAMED if marked else MENTIONED
    return 0


def owner_words(fact: Fact) -> frozenset[str]:
    """The telling words of what a field or parameter belongs to."""
    if fact.kind is Kind.PARAMETER:
        path = _PARAMETER.sub("", fact.key.partition("#")[0].partition(" ")[2])
        return frozenset(words(path)) - _GENERIC
    holder = fact.key.removesuffix(f".{fact.name}") if fact.key.endswith(f".{fact.name}") else fact.key
    return frozenset(words(holder.rpartition(".")[2])) - _GENERIC


def _last(fact: Fact) -> str:
    name = str(fact.aspects.get("name") or fact.name)
    return name.rpartition(".")[2].removesuffix("[]")


class Requests:
    """Operations by method and path; a path with values in it finds the one with parameters there."""

    def __init__(self, operations: Iterable[Fact]) -> None:
        self._operations = [(fact, *_route(fact)) for fact in operations]

    def find(self, request: str) -> Fact | None:
        """The one operation that answers a request such as `GET /books/7`, or None."""
        method, _, path = request.partition(" ")
        segments = path.partition("?")[0].strip("/").split("/")
        found = [
            (sum(part == "{}" for part in route), fact)
            for fact, its_method, route in self._operations
            if its_method == method and _fits(segments, route)
        ]
        found.sort(key=lambda each: (each[0], each[1].id))
        if not found or (
            len(found) > 1 and found[0][0] == found[1][0] and found[0][1].key != found[1][1].key
        ):
            return None
        return found[0][1]


def _route(fact: Fact) -> tuple[str, list[str]]:
    method, _, path = fact.key.partition(" ")
    return method, _PARAMETER.sub("{}", path).strip("/").split("/")


def _fits(segments: list[str], route: list[str]) -> bool:
    if len(segments) != len(route):
        return False
    return all(
        part == "{}" or _PARAMETER.sub("{}", own) == part for own, part in zip(segments, route, strict=True)
    )


def constants(claim: Json, attributes: Iterable[Fact]) -> list[Fact]:
    """The constants of the code whose name says exactly what a quantity limits: `MAX_LOGIN_ATTEMPTS`."""
    if claim["kind"] != "quantity" or claim["comparator"] not in (">=", "<="):
        return []
    wanted = {"max", "maximum"} if claim["comparator"] == "<=" else {"min", "minimum"}
    subject = frozenset(words(claim.get("subject") or "")) - _LIMITS - _TAILS
    unit = frozenset(words(claim.get("unit", ""))) - {"character", "item"}
    if (
        claim.get("unit") in ("seconds", "bytes", "percent", "times", "months", "years", "length")
        or not subject
    ):
        return []
    found = []
    for fact in attributes:
        name = frozenset(words(fact.name))
        rest = name - _LIMITS
        counted = (
            "length" in name or "len" in name or claim.get("unit") not in ("characters", "digits", "letters")
        )
        if (
            name & wanted
            and counted
            and (rest == subject or rest == subject | unit or (unit and rest == unit))
        ):
            found.append(fact)
    return found


def is_constant(fact: Fact) -> bool:
    """Whether an attribute is a module's or class's constant with a whole number as its value."""
    value = str(fact.aspects.get("value", ""))
    return fact.tag is Tag.CODE and fact.name.isupper() and re.fullmatch(r"\d[\d_]*", value) is not None
