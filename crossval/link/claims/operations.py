"""Finds the operation that a claim of a story speaks of, where neither the sentence nor its story names a request."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from crossval.compare.claims import words
from crossval.link.claims.subjects import owner_words
from graph.facts import Fact, Json, Kind
from graph.patterns import pattern
from graph.source import FactSource

INFERRED = 0.8
"""How surely an operation is meant that only words speak for: its findings are warnings."""

_LIKELY, _CLEAR = 0.15, 0.6
"""An operation is meant from this chance on, and where the next one has at most this share of it."""

_MISSING = pattern(
    r"^(?P<noun>.+?)\s+(?:that|which|who)\s+(?:does\s+not|doesn't|do\s+not|don't)\s+exist$"
    r"|^(?P<other>.+?)\s+(?:that|which|who)\s+(?:is|are)\s+(?:unknown|missing|not\s+(?:there|found|known))$"
    r"|^(?:an?\s+|the\s+)?(?:unknown|missing|non-?existent|nonexisting)\s+(?P<third>.+)$",
    re.IGNORECASE,
)
# What is done to things by which requests, on all of them or on one.
_DEED = pattern(
    r"^(?P<deed>creating|deleting|listing|retrieving|fetching)\s+(?P<noun>(?:an?\s+|the\s+|all\s+)?(?:new\s+)?[a-z][\w-]*)"
    r"(?P<more>\s+(?:that|which|who|with|without|for)\s.+)?$",
    re.IGNORECASE,
)
_METHODS = {
    "creating": ("POST", False),
    "listing": ("GET", False),
    "deleting": ("DELETE", True),
    "retrieving": ("GET", True),
    "fetching": ("GET", True),
}
_HOLE = pattern(r"\{[^}]*\}|:\w+|<[^>]*>")
_ON_REQUEST = pattern(r"^unless\b.*\b(?:ask|request|specif|choos|want|say|set|given?|another|other)", re.I)
_SIZES = frozenset({"limit", "page_size", "pagesize", "per_page", "perpage", "size", "count", "max_results"})
_PAGES = frozenset({("page",), ("page", "size"), ("size", "of", "page"), ("size", "of", "a", "page")})
_ANY = frozenset({"", "items", "entries", "results", "elements", "records", "rows"})


class Meant(NamedTuple):
    """One operation that a claim may speak of: its key (of either witness) and its chance."""

    key: str
    chance: float


class Operations:
    """The operations of both witnesses, and which of them a story's words speak for."""

    def __init__(self, source: FactSource, operations: Iterable[Fact]) -> None:
        self._source = source
        self._operations = list(operations)
        self._ranked: dict[str, list[Meant]] | None = None

    def of_missing(self, claim: Json) -> list[str]:
        """The operations on one thing that a sentence says is not there: of "a book that does not exist",
        `GET /books/{id}` and what else has that path."""
        match = _MISSING.match(str(claim.get("subject") or ""))
        if match is None or claim["value"] != 404:
            return []
        noun = words(match["noun"] or match["other"] or match["third"])[-1:]
        found = []
        for fact in self._operations:
            method, _, path = fact.key.partition(" ")
            parts = [part for part in path.split("/") if part]
            if len(parts) > 1 and _HOLE.fullmatch(parts[-1]) and words(parts[-2])[-1:] == noun != ():
                found.append((method != "GET", fact.key))
        return list(dict.fromkeys(key for _, key in sorted(found)))

    def of_deed(self, claim: Json) -> list[str]:
        """The one operation that a sentence names by what it does: of "creating a book", `POST /books`; none where
        several do that to things of this name."""
        match = _DEED.match(str(claim.get("subject") or ""))
        if match is None:
            return []
        method, on_one = _METHODS[match["deed"].lower()]
        if on_one and match["noun"].lower().startswith("all "):
            return []
        noun, found = words(match["noun"])[-1:], []
        for fact in self._operations:
            verb, _, path = fact.key.partition(" ")
            parts = [part for part in path.split("/") if part]
            if on_one and parts:
                parts = parts[:-1] if _HOLE.fullmatch(parts[-1]) else []
            if verb == method and parts and not _HOLE.search(parts[-1]) and words(parts[-1]) == noun:
                found.append(fact.key)
        paths = {_HOLE.sub("{}", key) for key in found}
        return list(dict.fromkeys(found)) if len(paths) == 1 else []

    def clearly(self, holder: Fact, fits: Callable[[str], bool] = lambda key: True) -> str | None:
        """The key of the one operation that the words of a criterion speak for, of those that fit what it claims.

        None where none is likely, where two may be meant, and where another one that does not fit is likelier by far.
        """
        every = self._ranking().get(holder.id, [])
        # In the order of chances, so that what fits is only looked at as far as it decides.
        fitting = (each for each in every if fits(each.key))
        likeliest = next(fitting, None)
        if likeliest is None or likeliest.chance < max(_LIKELY, _CLEAR * every[0].chance):
            return None
        other = next(fitting, None)
        if other is not None and other.chance > _CLEAR * likeliest.chance:
            return None
        return likeliest.key

    def _ranking(self) -> dict[str, list[Meant]]:
        if self._ranked is None:
            from crossval.link.traces.ranking import ranked_operations

            self._ranked = {
                spec: [Meant(key, chance) for key, chance in ranked]
                for spec, ranked in ranked_operations(self._source).items()
            }
        return self._ranked


def requests_of(claim: Json, beside: Iterable[str]) -> list[str]:
    """Of the requests that other criteria of a story name, those on the things that a refusal speaks of: of "the
    booking is refused with 409", `POST /classes/{id}/bookings`."""
    noun = words(str(claim.get("subject") or ""))[-1:]
    if claim["value"] < 400 or not noun:
        return []
    return sorted(each for each in beside if words(_last_name(each))[-1:] == noun)


def _last_name(request: str) -> str:
    """The last part of a request's path that is no parameter."""
    parts = [part for part in request.partition(" ")[2].split("/") if part and not _HOLE.search(part)]
    return parts[-1] if parts else ""


def of_pages(claim: Json, parameters: Iterable[Fact], mentioned: frozenset[str]) -> Iterator[Fact]:
    """The parameters that say how much is on a page of what the claim counts, or of what the story speaks of."""
    subject = words(claim.get("subject") or "")
    if subject not in _PAGES and subject[:2] != ("page", "of"):
        return
    unit = str(claim.get("unit", ""))
    counted = frozenset(words(unit)) if unit not in _ANY else frozenset(subject[2:]) or mentioned
    for fact in parameters:
        name = str(fact.aspects.get("name") or fact.name).lower()
        if fact.kind is not Kind.PARAMETER or name not in _SIZES or not fact.key.startswith("GET "):
            continue
        if words(_collection(fact))[-1:] and words(_collection(fact))[-1] in counted:
            yield fact


def as_of_pages(claim: Json) -> Json | None:
    """What a claim about a page says of its size: "at most 20, unless I ask for another number" is the default,
    without a condition it is the bound; None where something else is its condition."""
    condition = str(claim.get("condition") or "")
    bare = {name: value for name, value in claim.items() if name not in ("condition", "unit")}
    if claim["kind"] == "default" and not condition:
        return bare
    if claim["kind"] != "quantity" or claim["comparator"] not in ("<=", "="):
        return None
    if _ON_REQUEST.match(condition):
        return bare | {"kind": "default", "comparator": ""}
    return None if condition or claim["comparator"] == "=" else bare


def _collection(parameter: Fact) -> str:
    """The last part of the path that a parameter belongs to, empty where that is a parameter itself."""
    last = parameter.key.partition("#")[0].rstrip("/").rpartition("/")[2]
    return "" if _HOLE.search(last) or not owner_words(parameter) else last
