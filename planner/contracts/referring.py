"""Which fields of a body name other things, which must be there before, and which of them nobody can name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.operations import Operation
from planner.contracts.resolving import EXAMPLE, REFERS
from planner.contracts.resources import called, collection_of, singular, snake

# What names a thing that a server numbers; a caller's own name for a request or for itself is none.
_NAMING = re.compile(r"(?i)_(id|uuid)$|(?-i:[a-z](Id|Uuid)$)")
_OWN_NAME = re.compile(r"(?i)^(id|uuid|guid|key)$")
_COUNTING = re.compile(
    r"^(?:num|number|no|nr|count|total|amount|quantity|max|maximum|min|minimum)_(?!.*_?(?:ids?|uuid|code)$)[a-z]"
)
_OF_CALLERS = re.compile(
    r"(?i)^(external|request|correlation|client|trace|session|device|message|transaction|event|thread|conversation|chat|tenant"
    r"|agent|machine|instance|source|run|idempotency|tracking)"
)
_RELATED = re.compile(
    r"(?:^|_)(?:parent|child|owner|author|user|customer|client|creator|editor|assignee|sender|recipient|receiver|manager"
    r"|member|employee|teacher|student|patient|doctor|supplier|vendor|seller|buyer|account|category|group|team|project"
    r"|department|company|organi[sz]ation|warehouse|currency|country)$"
)
TOLD_VALUES = frozenset({EXAMPLE, "default", "enum", "const"})
"""The keywords that tell a value which a field may have."""
_FORMS = frozenset({"format", "pattern"})
_LIST = "[]"
QUERY = "?"
"""What the place of a parameter of the query begins with."""
_DEPTH = 4


def referring(schema: dict[str, Json], *, optional: bool = False) -> Iterator[tuple[str, dict[str, Json]]]:
    """The fields of a body by which a request may name other things, as their places (`lines.[].product_id`).

    At its top the required ones, or all; within objects and lists that are required what they require.
    """
    plain = split_null(schema)[0]
    plain = split_null(plain.get("items") or {})[0] if plain.get("type") == "array" else plain
    for name, each in _fields(plain, optional=optional):
        yield name, each
        if name in plain.get("required", ()):
            yield from _within(name, each, _DEPTH)


def referring_in_query(operation: Operation) -> list[tuple[str, dict[str, Json]]]:
    """The required parameters of a query, as places (`?ride_id`)."""
    members = (each for each in operation.parameters if each.location == "query" and each.required)
    return [(f"{QUERY}{each.name}", each.schema) for each in members]


def _within(place: str, schema: dict[str, Json], depth: int) -> Iterator[tuple[str, dict[str, Json]]]:
    plain = split_null(schema)[0]
    if plain.get("type") == "array":
        plain, place = split_null(plain.get("items") or {})[0], f"{place}.{_LIST}"
    for name, each in _fields(plain, optional=False) if depth else ():
        yield f"{place}.{name}", each
        yield from _within(f"{place}.{name}", each, depth - 1)


def _fields(plain: dict[str, Json], *, optional: bool) -> list[tuple[str, dict[str, Json]]]:
    fields = plain.get("properties", {})
    return [
        (str(name), fields[name])
        for name in (fields if optional else plain.get("required", ()))
        if name in fields
    ]


def name_at(place: str) -> str:
    """The name of the field or parameter at a place."""
    return place.rpartition(".")[2].removeprefix(QUERY)


def named_at(place: str) -> str:
    """The name of what stands at a place; the `id` within one of `categories` is called `category_id`."""
    name = name_at(place)
    above = [each for each in place.split(".")[:-1] if each != _LIST]
    return f"{singular(snake(above[-1]))}_{name}" if above and name in ("id", "uuid") else name


def is_uuid_of_another(name: str, schema: dict[str, Json]) -> bool:
    """Whether a field has a UUID that is not the thing's own, and so names another thing."""
    return split_null(schema)[0].get("format") == "uuid" and not _OWN_NAME.search(name)


def counts_things(name: str) -> bool:
    """Whether a number is called as how many of something there are: `num_of_books`, `total_copies`."""
    return _COUNTING.search(snake(name)) is not None


def names_thing(name: str, schema: dict[str, Json], things: Collection[str]) -> bool:
    """Whether a whole number, or a list of such, is called as a thing, and so is the number of one: `parent`, `items`.

    `things` are what the collections of a contract hold; further ones are people and groups of whatever kind.
    """
    plain = split_null(schema)[0]
    is_list = plain.get("type") == "array"
    one = split_null(plain.get("items") or {})[0] if is_list else plain
    if one.get("type") != "integer" or TOLD_VALUES & {*schema, *plain, *one}:
        return False
    if counts_things(name):
        return False
    noun = singular(snake(name))
    last = noun.rpartition("_")[2]
    return _RELATED.search(noun) is not None or any(last == each.rpartition("_")[2] for each in things)


def _is_id(schema: dict[str, Json]) -> bool:
    """Whether a value is a whole number, or a text of no form, as most ids are."""
    plain = split_null(schema)[0]
    return plain.get("type") == "integer" or (plain.get("type") == "string" and not _FORMS & set(plain))


def unknown_reference(
    operation: Operation,
    known: Collection[str],
    things: Collection[str] = (),
    looked_up: Collection[str] = (),
) -> str | None:
    """The required field of a body or query that names a thing which must be there, and of which nothing tells a name.

    `known` are the places for which something is made, `things` what the collections of the contract hold, `looked_up`
    the names by which readings find something, in small letters. A reading may show nothing of what is not there.
    """
    is_told = operation.body is None or EXAMPLE in operation.body.schema
    fields = [] if is_told or operation.body is None else [*referring(operation.body.schema)]
    if operation.method != "GET":
        fields += referring_in_query(operation)
    for place, schema in fields:
        field, name = split_null(schema)[0], name_at(place)
        is_own = _OF_CALLERS.search(name) is not None and snake(name) not in looked_up
        is_called_so = _NAMING.search(name) is not None and _is_id(schema)
        names = is_called_so or is_uuid_of_another(name, schema) or names_thing(name, schema, things)
        names = (names and not is_own) or REFERS in schema
        is_known = place in known or bool(TOLD_VALUES & {*schema, *field})
        if names and not is_known and not _is_of_what_is_made(name, operation):
            return name
    return None


def _is_of_what_is_made(name: str, operation: Operation) -> bool:
    """Whether a field is called as what the operation itself makes: the `book_id` of `POST /books`."""
    thing = called(collection_of(operation.path))
    return operation.method == "POST" and snake(name) in {
        f"{thing}_{each}" for each in ("id", "uuid", "guid")
    }
