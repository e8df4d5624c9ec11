"""Which fields of a body name other things, and what makes these."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from crossval.compare.components import split_null
from engine.generators.source import Expression
from graph.facts import Json
from planner.contracts.operations import Member, Operation
from planner.contracts.paths import PARAMETER
from planner.contracts.references import maker_of_reference
from planner.contracts.referring import QUERY, is_uuid_of_another, names_thing
from planner.contracts.resolving import EXAMPLE, REFERS, USER
from planner.contracts.resources import singular

CALLER = "caller"
"""The fixture with the account of who asks, where tests make it themselves."""
_OF_ACCOUNT = re.compile(r"(?i)^(?:user|owner|creator|created_by|assigned_to|assignee)(?:_?id)?$")
_REFERENCE = re.compile(r"(^|_)ids?$|[a-z]Ids?$")


def referred(
    name: str, schema: dict[str, Json], operations: Collection[Operation]
) -> tuple[tuple[Operation, str] | None, bool]:
    """What makes the thing that a field names and what identifies it, and whether the field is a list of such."""
    plain = split_null(schema)[0]
    if plain.get("type") == "array" and EXAMPLE not in schema:
        return maker_of_reference(singular(name), plain.get("items") or {}, operations), True
    found = maker_of_reference(name, schema, operations)
    return found or maker_of_reference(singular(name), schema, operations), False


def named_caller(name: str, schema: dict[str, Json]) -> str:
    """The number of the caller, where a field is called as an account that is there; empty for others."""
    is_number = split_null(schema)[0].get("type") == "integer"
    is_account = _OF_ACCOUNT.search(name) is not None or schema.get(REFERS) == USER
    return f"{CALLER}.pk" if is_number and is_account else ""


def names_another(
    name: str, schema: dict[str, Json], operations: Collection[Operation], things: Collection[str]
) -> bool:
    """Whether a field of a body names another thing; `things` are what the collections of the contract hold."""
    return (
        _REFERENCE.search(name) is not None
        or is_uuid_of_another(name, schema)
        or names_thing(name, schema, things)
        or referred(name, schema, operations)[0] is not None
    )


def naming(body: Json, references: Mapping[str, str], *, whole: bool = False) -> Json:
    """The body, or each thing of one that is a list, with the names of the things that were made for it."""
    if isinstance(body, list):
        return [naming(each, references, whole=whole) if isinstance(each, dict) else each for each in body]
    if not isinstance(body, dict):
        return body
    given = {
        place: Expression(each)
        for place, each in references.items()
        if "." not in place and place[0] != QUERY
    }
    body = {**body, **{name: each for name, each in given.items() if whole or name in body}}
    for place in (each for each in references if "." in each):
        body = _named_within(body, place.split("."), references[place])
    return body


def told_twice(member: Member, operation: Operation) -> dict[str, Json]:
    """The schema of a value in a path, with what a field of the body says that is called the same."""
    fields = operation.given()
    inside = split_null(fields.get(member.name, {}))[0]
    return {**member.schema, **inside} if inside.get("type") == member.schema.get("type") else member.schema


def named_as_path(body: Json, operation: Operation, path: Mapping[str, str]) -> Json:
    """The body in which a thing is called as the path calls it: services refuse one that has two names."""
    if not isinstance(body, dict) or operation.method not in ("PUT", "PATCH"):
        return body
    last = PARAMETER.findall(operation.path)[-1:] if operation.path.rstrip("/").endswith("}") else []
    return {**body, **{name: Expression(path[name]) for name in last if name in body and name in path}}


def _named_within(value: Json, place: list[str], reference: str) -> Json:
    """A value in which what stands at a place, if anything does, is a reference; of lists the first thing is left."""
    if not place:
        return Expression(reference)
    name, *rest = place
    if name == "[]" and isinstance(value, list):
        return [_named_within(each, rest, reference) for each in value[:1]]
    if isinstance(value, dict) and name in value:
        return {**value, name: _named_within(value[name], rest, reference)}
    return value
