"""Finds the fields, parameters, operations and constants that a claim speaks of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from crossval.compare.claims import words
from crossval.link.claims.readings import GENERIC, TAILS, bare, readings
from crossval.link.contracts.written_requests import PARAMETER
from graph.facts import Fact, Json, Kind, Tag

SURE, NAMED, MENTIONED, ALONE = 1.0, 0.9, 0.85, 0.8
"""How surely a field is meant: it is the claim's own place or a named request's; its owner is named with it; its
owner is mentioned in the story; nothing else bears so telling a name."""

# Names that say nothing of whose they are.
_COMMON = frozenset(
    (
        *(
            "name",
            "title",
            "text",
            "id",
            "identifier",
            "type",
            "statu",
            "status",
            "state",
            "description",
            "code",
        ),
        *(
            "number",
            "date",
            "time",
            "timestamp",
            "amount",
            "total",
            "quantity",
            "label",
            "comment",
            "message",
        ),
        *(
            "content",
            "url",
            "link",
            "key",
            "note",
            "page",
            "limit",
            "offset",
            "kind",
            "category",
            "tag",
            "image",
        ),
        *(
            "file",
            "path",
            "result",
            "error",
            "query",
            "filter",
            "sort",
            "order",
            "user",
            "role",
            "version",
            "color",
        ),
        *(
            "level",
            "priority",
            "enabled",
            "active",
            "language",
            "format",
            "source",
            "target",
            "position",
            "index",
        ),
        *("start", "end", "from", "to", "timeout", "price", "rating", "score", "reason", "summary", "option"),
        *(
            "token",
            "response",
            "request",
            "answer",
            "search",
            "group",
            "parent",
            "owner",
            "location",
            "value",
            "size",
        ),
    )
)
_EXPLICIT = frozenset({"quantity", "enumeration", "format"})


class Candidate(NamedTuple):
    """One field or parameter that a claim may speak of, and how surely."""

    fact: Fact
    confidence: float


class Context(NamedTuple):
    """What stands around a claim: all words of its story, the ids of facts linked with it, and the requests that the
    criteria of its story name."""

    mentioned: frozenset[str]
    linked: frozenset[str]
    holder: Fact
    beside: frozenset[str] = frozenset()


class Named:
    """Fields and parameters by the words of their names, those of one witness.

    With `alone`, a name that is telling by itself is enough where nothing speaks of the owner.
    """

    def __init__(self, facts: Iterable[Fact], *, alone: bool = True) -> None:
        self._bold = alone
        self._by_name: dict[str, list[Fact]] = {}
        self._near: dict[int, frozenset[str]] = {}
        for fact in facts:
            name = "".join(words(_last(fact)))
            if name:
                self._by_name.setdefault(name, []).append(fact)

    def candidates(self, claim: Json, context: Context) -> list[Candidate]:
        """What the claim may speak of, the surest kind only."""
        found: dict[str, Candidate] = {}
        for name, owner in readings(claim):
            for fact in self._by_name.get("".join(name), ()):
                near = self._near.get(id(fact))
                if near is None:
                    near = self._near[id(fact)] = owner_words(fact)
                confidence = _confidence(fact, near, owner, context, claim)
                if confidence and confidence > found.get(fact.id, Candidate(fact, 0)).confidence:
                    found[fact.id] = Candidate(fact, confidence)
        if not found:
            return self._alone(claim) if self._bold else []
        best = max((each.confidence for each in found.values()), default=0)
        return [found[identity] for identity in sorted(found) if found[identity].confidence == best]

    def _alone(self, claim: Json) -> list[Candidate]:
        """What bears a name that is telling by itself, though nothing around the claim speaks of its owner.

        Of code only what states its limits is asked: a default there may be that of anything.
        """
        name = words(bare(claim))
        marked = f"`{bare(claim)}`" in claim.get("words", "")
        rest = tuple(word for word in name if word not in TAILS) or name
        if not rest or claim["kind"] == "required" or (len(rest) == 1 and rest[0] in _COMMON and not marked):
            return []
        found = self._by_name.get("".join(name)) or self._by_name.get("".join(rest)) or []
        told = [
            fact
            for fact in found
            if fact.tag is Tag.SPEC
            or claim["kind"] in _EXPLICIT
            or fact.key.partition(" ")[2].startswith("/")
        ]
        owners = {owner_words(fact) for fact in told}
        if marked and rest[0] in _COMMON and len(owners) > 1:
            return []
        return [Candidate(fact, ALONE) for fact in sorted(told, key=lambda fact: fact.id)]


def _confidence(
    fact: Fact, near: frozenset[str], owner: tuple[str, ...], context: Context, claim: Json
) -> float:
    """How surely the fact, whose owner these words name, is meant; 0 where it is not."""
    if fact.id in context.linked or fact.key.partition("#")[0] in context.linked:
        return SURE
    if owner:
        return NAMED if set(owner) <= near else 0
    marked = f"`{bare(claim)}`" in claim.get("words", "")
    if near & context.mentioned:
        return NAMED if marked else MENTIONED
    return 0


def owner_words(fact: Fact) -> frozenset[str]:
    """The telling words of what a field or parameter belongs to."""
    if fact.kind is Kind.PARAMETER:
        path = PARAMETER.sub("", fact.key.partition("#")[0].partition(" ")[2])
        return frozenset(words(path)) - GENERIC
    holder = fact.key.removesuffix(f".{fact.name}") if fact.key.endswith(f".{fact.name}") else fact.key
    return frozenset(words(holder.rpartition(".")[2])) - GENERIC


def _last(fact: Fact) -> str:
    name = str(fact.aspects.get("name") or fact.name)
    return name.rpartition(".")[2].removesuffix("[]")
