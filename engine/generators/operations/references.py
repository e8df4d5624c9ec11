"""Which fields of a body name other things, and what makes these."""

from __future__ import annotations

import re
from collections.abc import Collection

from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.operations import Operation
from planner.contracts.resolving import EXAMPLE
from planner.contracts.resources import maker_of_reference, singular
from planner.contracts.unknowable import is_uuid_of_another, names_thing

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
