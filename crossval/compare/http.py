"""An operation with all that belongs to it, as one witness tells it, and two of them that meet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from crossval.alignment import Alignment
from crossval.compare.components import node
from crossval.compare.guesses import REASON, is_guess, named_guess
from crossval.compare.keywords import Setting
from crossval.compare.schemas import SchemaComparison
from crossval.compare.sites import Site
from crossval.findings import Witness, witness
from crossval.pairs import Difference, Direction, Pair
from graph.facts import Fact, Json, Kind, Unknown
from graph.schema_algebra import Schema

DECLARATIVE = frozenset(
    {
        "fastapi",
        "litestar",
        "djangorestframework",
        "django-ninja",
        "flask-smorest",
        "apiflask",
        "flask-restx",
        "flask-openapi3",
        "quart-schema",
    }
)
"""Frameworks that check what the code declares and nothing else; in others the handler checks by hand."""

_PARTS = frozenset({Kind.PARAMETER, Kind.BODY, Kind.RESPONSE})


class Operation(msgspec.Struct, frozen=True):
    """One operation of one witness; responses by status."""

    fact: Fact
    parameters: list[Fact] = []
    bodies: list[Fact] = []
    responses: dict[str, Fact] = {}

    @property
    def method(self) -> str:
        """The method in capitals."""
        return str(self.fact.aspects.get("method") or self.fact.key.partition(" ")[0])

    @property
    def path(self) -> str:
        """The path with its parameters in braces."""
        return str(self.fact.aspects.get("path") or self.fact.key.partition(" ")[2])


def gather(facts: Iterable[Fact], kind: Kind = Kind.OPERATION) -> list[Operation]:
    """The operations among these facts in the order of their ids, each with its parameters, bodies and responses.

    Those of the kind `callback` are requests that the service sends itself.
    """
    found: dict[str, dict[str, Operation]] = {}
    parts: list[Fact] = []
    for fact in facts:
        if fact.kind is kind:
            found.setdefault(fact.key, {})[fact.document] = Operation(fact)
        elif fact.kind in _PARTS:
            parts.append(fact)
    for part in parts:
        alike = found.get(part.key.partition("#")[0], {})
        owner = _owner(part, alike)
        if owner is None:
            alike.update({name: _partly_seen(operation) for name, operation in alike.items()})
        elif part.kind is Kind.RESPONSE:
            owner.responses.setdefault(str(part.aspects.get("status", part.name)), part)
        else:
            (owner.parameters if part.kind is Kind.PARAMETER else owner.bodies).append(part)
    whole = [operation for alike in found.values() for operation in alike.values()]
    return sorted(whole, key=lambda operation: operation.fact.id)


def _owner(part: Fact, alike: Mapping[str, Operation]) -> Operation | None:
    """The operation that a part belongs to, of those that several applications or contracts tell by one key: the one
    of the part's document, else the one whose file the part names; None where that are several, or none."""
    if part.document in alike:
        return alike[part.document]
    if len(alike) == 1 and "" in alike:
        return alike[""]
    named = [each for each in alike.values() if each.fact.source.path in (part.source.path, *part.sources)]
    return named[0] if len(named) == 1 else None


def _partly_seen(operation: Operation) -> Operation:
    """An operation with a part that cannot be told from another operation's: what it does not tell is not settled."""
    open_ended = {"statuses_complete": False, "parameters_complete": False, "read_by_hand": []}
    fact = msgspec.structs.replace(operation.fact, aspects={**operation.fact.aspects, **open_ended})
    return msgspec.structs.replace(operation, fact=fact)


def is_seen_whole(code: Operation, place: str) -> bool:
    """Whether all is known that the code takes from one place of a request: `query`, `header`, `cookie` or `body`."""
    if code.fact.aspects.get("parameters_complete") is True:
        return True
    elsewhere: Json = code.fact.aspects.get("read_by_hand")
    return bool(elsewhere) and place not in elsewhere


class Habits(msgspec.Struct, frozen=True):
    """What a contract does everywhere, so that it says little where it does it.

    `tells_offers`: it names elsewhere the credentials that are taken though nobody needs them. `demands_patches`: it
    requires the body of each PATCH. `declares`: the statuses that it declares for any operation, so that it does not
    leave them to the framework everywhere. `names`: the headers that it names for any operation, so that it does not
    leave out what a framework takes anyway.
    """

    tells_offers: bool = False
    demands_patches: bool = False
    declares: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()


class Match:
    """One operation that both witnesses tell, and what comparing it yields."""

    def __init__(
        self, spec: Operation, code: Operation, schemas: SchemaComparison, habits: Habits | None = None
    ) -> None:
        self.spec = spec
        self.code = code
        self.habits = habits or Habits()
        self.subject = spec.fact.key
        self.declared = code.fact.aspects.get("framework") in DECLARATIVE
        self._schemas = schemas
        self._pairs: list[Pair] = []
        self._unknown: list[Unknown] = []

    @property
    def alignment(self) -> Alignment:
        """All pairs and unknowns that were added."""
        return Alignment(self._pairs, self._unknown)

    def add(
        self,
        kind: Kind,
        place: str,
        *,
        spec: tuple[Fact | None, Witness],
        code: tuple[Fact | None, Witness],
        name: str = "",
        direction: Direction = Direction.BOTH,
        differences: Iterable[Difference] = (),
    ) -> None:
        """Adds one pair; a side that is silent gives no fact and, as its witness, the operation."""
        self._pairs.append(
            Pair(
                kind=kind,
                subject=self.subject,
                place=place,
                name=name or place,
                spec=spec[1],
                code=code[1],
                spec_fact=spec[0],
                code_fact=code[0],
                direction=direction,
                differences=tuple(differences),
                affects=(self.subject,),
            )
        )

    def unsettled(self, place: str, reason: str, fact: Fact | None = None) -> None:
        """Notes that nothing can be said about a place of this operation."""
        source = (fact or self.code.fact).source
        self._unknown.append(Unknown(self.subject, place, source.path, source.line, reason))

    def is_guessed(
        self,
        place: str,
        promised: tuple[Fact, Json],
        setting: Setting,
        given: Json = None,
        by: Fact | None = None,
    ) -> bool:
        """Whether the contract tells here what an exporter takes for granted (see `is_guess`), which is then held only
        to the serializer that it names; `given` is what the code has there, and `by` the fact that tells it."""
        side = "request" if setting.flow is Direction.REQUEST else "response"
        known = self._schemas.known
        named = named_guess(known, side, self.code.fact, promised, given)
        if named is None and not is_guess(known, side, self.code.fact, promised, given):
            return False
        self.unsettled(place, REASON, by)
        if named is not None:
            kind = Kind.BODY if side == "request" else Kind.RESPONSE
            pairs, unknown = self._schemas.compare(
                Site(kind, self.subject, place, promised[0].name, setting), *named
            )
            self._pairs.extend(pairs)
            self._unknown.extend(unknown)
        return True

    def schemas(
        self,
        kind: Kind,
        place: str,
        *,
        spec: tuple[Fact, Schema],
        code: tuple[Fact, Schema],
        setting: Setting,
        extra: Iterable[Difference] = (),
    ) -> None:
        """Adds what comparing two schemas at a place yields."""
        site = Site(kind, self.subject, place, spec[0].name, setting)
        pairs, unknown = self._schemas.compare(site, node(*spec), node(*code), extra)
        self._pairs.extend(pairs)
        self._unknown.extend(unknown)

    def spec_silent(self, value: Json = None) -> tuple[None, Witness]:
        """The spec's side of what only the code tells."""
        return None, witness(self.spec.fact, value)

    def code_silent(self, value: Json = None) -> tuple[None, Witness]:
        """The code's side of what only the spec tells."""
        return None, witness(self.code.fact, value)


def told(fact: Fact, value: Json = None) -> tuple[Fact, Witness]:
    """The side of a witness that speaks."""
    return fact, witness(fact, value)


def placed(difference: Difference, spec: Fact, code: Fact, aspect: str) -> Difference:
    """The difference at the lines on which the facts state the aspect, where they say so."""
    lines = [fact.aspects.get("lines", {}).get(aspect, 0) for fact in (spec, code)]
    return msgspec.structs.replace(difference, spec_line=lines[0], code_line=lines[1])
