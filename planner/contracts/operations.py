"""Operations as a test sees them: what they take and answer, with every reference followed and its facts at hand."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from crossval.compare.claims import words
from crossval.compare.components import split_null
from graph.facts import Fact, Json, Kind, Tag, Verb
from graph.source import FactSource
from planner.contracts.codes import in_words
from planner.contracts.confidential import is_credential, is_secret
from planner.contracts.directions import as_answered, as_sent
from planner.contracts.envelopes import unwrapped
from planner.contracts.resolving import EXAMPLE, Example, Resolver, examples_of, with_examples
from planner.contracts.resolving import FACT as FACT

_DEPTH = 8
ITEM = "[]"
_JSON = ("application/json", "+json")


_SHAPES = frozenset(
    {
        "properties",
        "items",
        "anyOf",
        "allOf",
        "oneOf",
        "enum",
        "const",
        "patternProperties",
        "prefixItems",
        "not",
    }
)
_LETS_IN = re.compile(r"(?i)[/_-](?:log[-_]?in|sign[-_]?in|token)/?$")
_ENTERING = re.compile(rf"{_LETS_IN.pattern}|[/_-](?:register|registration|sign[-_]?up)/?$")
_SCALARS = ("string", "integer", "number", "boolean")
_WITHOUT_CONTENT = frozenset({"204", "205", "304"})
"""Answers that have no content, whatever a contract says of it."""
_SENT_ANYHOW = frozenset(
    {"host", "accept", "accept-encoding", "connection", "user-agent", "content-length", "content-type"}
)


class Member(msgspec.Struct, frozen=True):
    """One value that a request may carry: a parameter (`query.limit`) or a field of the body (`body.title`).

    `schema` has no reference left; `fact` is the id of what states it, and `description` what that says in words.
    `path` has the names from the body down to the field, with `[]` for the items of a list; of a parameter its name.
    """

    place: str
    location: str
    path: tuple[str, ...]
    schema: dict[str, Json]
    required: bool
    fact: str
    description: str = ""

    @property
    def name(self) -> str:
        """The name as a client writes it; of an item that of its list."""
        return next(each for each in reversed(self.path) if each != ITEM)

    @property
    def is_item(self) -> bool:
        """Whether it is what a list holds, and not a field."""
        return self.path[-1] == ITEM

    @property
    def is_sent_anyhow(self) -> bool:
        """Whether clients send it by themselves, so that no request can be made without it."""
        return self.location == "header" and self.name.lower() in _SENT_ANYHOW


class Body(msgspec.Struct, frozen=True):
    """The body that an operation takes as JSON or as a form, the first that is documented."""

    media_type: str
    schema: dict[str, Json]
    required: bool
    fact: str
    examples: tuple[Example, ...] = ()


class Answer(msgspec.Struct, frozen=True):
    """A documented response: its status as written, the schema of its JSON (None where it has none), its words.

    `headers` are the documented ones by lower-case name: `{"name", "required", "schema"}`; `others` are the further
    media types that may be asked for.
    """

    status: str
    schema: dict[str, Json] | None
    description: str
    fact: str
    media_type: str = ""
    examples: tuple[Example, ...] = ()
    headers: dict[str, Json] = {}
    others: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Its description in plain words, without the codes of errors."""
        return in_words(self.description)

    @property
    def is_success(self) -> bool:
        """Whether it is a status of the 2xx."""
        return self.status.startswith("2")

    @property
    def is_open(self) -> bool:
        """Whether it is JSON of which nothing is said, or no more than that it is an object."""
        if self.schema is None or self.examples or EXAMPLE in self.schema:
            return False
        more = self.schema.get("additionalProperties", True)
        said = self.schema.get("type")
        shaped = _SHAPES & set(self.schema) or (isinstance(more, dict) and set(more) - {FACT})
        return said in (None, "object") and not shaped and more is not False


class State(msgspec.Struct, frozen=True):
    """How a thing stands: the field that tells it, and what is in it: a word, or for a flag whether it is so."""

    field: str
    value: str | bool

    @property
    def word(self) -> str:
        """What it is called: `closed`; of flags `archived` and `not_archived`, `on_leave` and `not_on_leave`."""
        if isinstance(self.value, str):
            return self.value
        name = "_".join(words(self.field)).removeprefix("is_").removeprefix("was_")
        return name if self.value else f"not_{name}"


class Move(msgspec.Struct, frozen=True):
    """That a request changes a number of the thing that its path names: by a number, or by a field of its body.

    Of another thing, where `through` is the field of the body, or of the thing that its path names, which names that:
    `maker` is the key of what makes it.
    """

    field: str
    by: int | str
    sign: int = 1
    maker: str = ""
    through: str = ""


class Barrier(msgspec.Struct, frozen=True):
    """Why a request is refused for the sake of other things, or of how many there are: `how` says it in a word.

    `held` by things of a collection (its path's end below the thing, or its whole path with the `field` that names the
    thing); `exceeded` where the `amount` of a body is more than a thing's `field`; `not zero` where that is something;
    `lacking` where a body's `field` names nothing in a collection; `undone` where nothing was put into a collection
    (its path's end below the thing).
    """

    how: str
    status: str
    collection: str = ""
    field: str = ""
    amount: str = ""


class Refusal(msgspec.Struct, frozen=True):
    """That an operation refuses a thing of which a field has a value, or any other one; `status` may be empty."""

    field: str
    value: Json
    status: str
    otherwise: bool = False


class Operation(msgspec.Struct, frozen=True):
    """One operation of a contract. `secured` says whether a request without credentials must be refused, `invites`
    whether requests are sent with credentials which may be left out.

    Where a contract says nothing of credentials, a 401 of an operation does, since a header `Authorization` is no
    parameter in OpenAPI. `refuses`, `barriers`, `brings`, `leaves` and `undoes` are what a twin has to keep of
    how things stand: what is refused of them, to which state an act leads, what it leaves in their fields, and whether
    it takes back what the making of a thing changed. `begins`, `moves`, `after`, `lists` and `hides` are what stories
    tell: the values that a new thing has, the numbers that a request changes, the key of what its caller has to have
    done before, the status of whoever asks for what is its own, and which things a list shows, or does not; `leads` has
    the states into which it brings things, each behind the key of what makes such a thing.
    `own_refusal` is the status with which its framework refuses what is invalid, where the contract has that nowhere.
    """

    key: str
    method: str
    path: str
    fact: Fact
    parameters: tuple[Member, ...]
    body: Body | None
    answers: tuple[Answer, ...]
    secured: bool
    refuses: tuple[Refusal, ...] = ()
    barriers: tuple[Barrier, ...] = ()
    brings: State | None = None
    leaves: dict[str, Json] = {}
    undoes: bool = False
    begins: dict[str, Json] = {}
    moves: tuple[Move, ...] = ()
    after: str = ""
    foreign: str = ""
    lists: State | None = None
    hides: State | None = None
    leads: tuple[tuple[str, State], ...] = ()
    own_refusal: str = ""
    invites: bool = False

    @property
    def success(self) -> Answer | None:
        """The first documented answer of the 2xx, in the order of their numbers; of the 3xx where there is none."""
        redirects = (answer for answer in self.answers if answer.status.startswith("3"))
        return next((answer for answer in self.answers if answer.is_success), next(redirects, None))

    def shown(self) -> dict[str, dict[str, Json]]:
        """The fields of its success, or of what stands in its envelope."""
        found = unwrapped(self.success.schema if self.success is not None else None)[1].get("properties", {})
        return found if isinstance(found, dict) else {}

    def given(self) -> dict[str, dict[str, Json]]:
        """The fields that its body may have."""
        found = split_null(self.body.schema)[0].get("properties", {}) if self.body is not None else {}
        return found if isinstance(found, dict) else {}

    def required(self) -> dict[str, dict[str, Json]]:
        """The fields that its body has to have."""
        plain = split_null(self.body.schema)[0] if self.body is not None else {}
        fields = self.given()
        return {name: fields[name] for name in plain.get("required", ()) if name in fields}

    def members(self) -> Iterator[Member]:
        """The parameters and the fields of the body, those of lists and nested objects included."""
        yield from self.parameters
        if self.body is not None:
            yield from _fields(self.body.schema, ("body",), self.body.fact, _DEPTH)

    def values(self) -> Iterator[Member]:
        """The members, and the items of lists in a JSON body that are no objects."""
        for member in self.members():
            yield member
            items = split_null(member.schema)[0].get("items")
            is_sent = self.body is not None and is_json(self.body.media_type) and member.location == "body"
            if is_sent and isinstance(items, dict) and split_null(items)[0].get("type") in _SCALARS:
                place, path = f"{member.place}{ITEM}", (*member.path, ITEM)
                yield Member(place, "body", path, items, False, str(items.get(FACT, member.fact)))


def read_operations(source: FactSource) -> list[Operation]:
    """The operations of all contracts, in the order of their ids; one that several contracts have comes once."""
    parts: dict[str, list[Fact]] = {}
    facts = {
        fact.id: fact
        for fact in source.facts(
            tag=Tag.SPEC,
            kinds={Kind.PARAMETER, Kind.BODY, Kind.RESPONSE, Kind.SCHEMA, Kind.FIELD, Kind.OPERATION},
        )
    }
    for relation in source.relations({Verb.CONTAINS}):
        if relation.first in facts and relation.second in facts:
            parts.setdefault(relation.first, []).append(facts[relation.second])
    resolver = Resolver(facts)
    found: dict[str, Operation] = {}
    for fact in facts.values():
        if fact.kind is Kind.OPERATION:
            operation = _operation(fact, parts.get(fact.id, []), resolver)
            known = found.get(operation.key)
            if known is None or _unfollowed(operation) < _unfollowed(known):
                found[operation.key] = operation
    return _open_to_strangers(list(found.values()))


def _open_to_strangers(operations: list[Operation]) -> list[Operation]:
    """The operations, of which what lets callers in, and makes them, needs no credentials.

    A contract that asks for credentials at a login says so of everything at once.
    """
    entering = {each.key for each in operations if _takes_secret(each) and _ENTERING.search(each.path)}
    if not any(each.key in entering and each.secured and _LETS_IN.search(each.path) for each in operations):
        return operations
    return [
        msgspec.structs.replace(each, secured=False) if each.key in entering else each for each in operations
    ]


def _takes_secret(operation: Operation) -> bool:
    told = (each for each in operation.members() if each.location == "body" and each.required)
    return operation.method == "POST" and any(is_secret(each.name) for each in told)


def _unfollowed(operation: Operation) -> int:
    """How much of an operation its contract only refers to: of two contracts for it the one with less is believed."""
    parts = (operation.body, *operation.answers, *operation.parameters)
    return sum(str(each.schema).count("was not followed") for each in parts if each is not None)


def _operation(fact: Fact, parts: list[Fact], resolver: Resolver) -> Operation:
    bodies = [part for part in parts if part.kind is Kind.BODY]
    bodies.sort(key=lambda part: (not is_json(str(part.aspects.get("media_type"))), part.id))
    answers = [_answer(part, resolver) for part in parts if part.kind is Kind.RESPONSE]
    security = fact.aspects.get("security")
    parameters = tuple(_parameter(part, resolver) for part in parts if part.kind is Kind.PARAMETER)
    operation = Operation(
        key=fact.key,
        method=str(fact.aspects.get("method", fact.key.partition(" ")[0])),
        path=str(fact.aspects.get("path", fact.key.partition(" ")[2])),
        fact=fact,
        parameters=parameters,
        body=_body(bodies[0], resolver) if bodies else None,
        answers=tuple(sorted(answers, key=lambda answer: answer.status)),
        secured=isinstance(security, list) and bool(security) and all(security),
    )
    is_unsaid = not security and any(answer.status == "401" for answer in answers)
    return (
        msgspec.structs.replace(operation, secured=True) if is_unsaid and _is_open(operation) else operation
    )


def _is_open(operation: Operation) -> bool:
    """Whether nothing that a request carries says who its caller is, so that a 401 is about a header.

    That is one not told of, or one which the contract says may be left out.
    """
    told = (each for each in operation.members() if is_credential(each.name))
    return all(each.location == "header" and not each.required for each in told)


def _parameter(fact: Fact, resolver: Resolver) -> Member:
    place = str(fact.aspects.get("in", "query"))
    return Member(
        place=f"{place}.{fact.name}",
        location=place,
        path=(str(fact.aspects.get("name", fact.name)),),
        schema=with_examples(resolver.resolved(fact.aspects.get("schema"), fact.id), fact),
        required=bool(fact.aspects.get("required")),
        fact=fact.id,
        description=str(fact.aspects.get("description") or ""),
    )


def _body(fact: Fact, resolver: Resolver) -> Body:
    return Body(
        media_type=str(fact.aspects.get("media_type")),
        schema=with_examples(as_sent(resolver.resolved(fact.aspects.get("schema"), fact.id)), fact),
        required=bool(fact.aspects.get("required")),
        fact=fact.id,
        examples=examples_of(fact),
    )


def _answer(fact: Fact, resolver: Resolver) -> Answer:
    content = fact.aspects.get("content") or {}
    if str(fact.aspects.get("status")) in _WITHOUT_CONTENT:
        content = {}
    media_type = next(filter(is_json, content), "")
    headers = fact.aspects.get("headers") or {}
    schema = as_answered(resolver.resolved(content[media_type], fact.id)) if media_type else None
    return Answer(
        status=str(fact.aspects.get("status")),
        schema=None if schema is None else with_examples(schema, fact, media_type),
        description=str(fact.aspects.get("description") or ""),
        fact=fact.id,
        media_type=media_type or next(iter(content), ""),
        examples=examples_of(fact, media_type),
        headers={
            name: {**header, "schema": resolver.resolved(header.get("schema"), fact.id)}
            for name, header in headers.items()
        },
        others=tuple(each for each in content if each != media_type),
    )


def is_json(media_type: str) -> bool:
    """Whether a media type is JSON, `application/problem+json` and the like included."""
    plain = media_type.partition(";")[0].strip().lower()
    return plain == _JSON[0] or plain.endswith(_JSON[1])


def _fields(schema: dict[str, Json], path: tuple[str, ...], fact: str, depth: int) -> Iterator[Member]:
    plain, _ = split_null(schema)
    if depth == 0:
        return
    required = plain.get("required", ())
    for name, each in plain.get("properties", {}).items():
        below = (*path, name)
        stated = str(each.get(FACT, fact))
        yield Member(".".join(below).replace(".[]", "[]"), "body", below, each, name in required, stated)
        if each.get("readOnly") is not True:  # What only answers have, no request carries a part of.
            yield from _fields(each, below, stated, depth - 1)
    items = plain.get("items")
    if isinstance(items, dict):
        yield from _fields(items, (*path, ITEM), fact, depth - 1)
