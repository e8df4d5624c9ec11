"""Values that criteria tell to be taken, written into the operations as examples: better ones cannot be made up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from crossval.compare.components import split_null
from graph.facts import Fact, Json
from planner.contracts.operations import Member, Operation
from planner.contracts.paths import matched
from planner.contracts.resolving import EXAMPLE
from planner.stories.asked import Asked, taken_requests

TOLD = "x-told"
"""The keyword that names, on a schema with such an example, the criterion that tells it."""


def with_told_values(operations: Sequence[Operation], criteria: Iterable[Fact]) -> list[Operation]:
    """The operations with examples of what criteria tell to be taken, where the contract has none.

    Values of path parameters hold for all operations below the same path, those of headers for all operations. Paths
    and queries are taken from what only reads, since what was made or removed once cannot be so again.
    """
    taken = taken_requests(criteria, operations)
    paths: dict[str, tuple[str, str]] = {}
    headers: dict[str, tuple[str, str]] = {}
    for asked, criterion in taken.values():
        reads = asked.operation.method == "GET"
        values = matched(asked.operation.path, asked.exchange.path) if reads else None
        for name, text in (values or {}).items():
            paths.setdefault(_upto(asked.operation.path, name), (text, criterion))
        for name, value in asked.exchange.headers.items():
            headers.setdefault(name.lower(), (value, criterion))
    return [_told(each, taken.get(each.key), paths, headers) for each in operations]


def _upto(path: str, name: str) -> str:
    place = f"{{{name}}}"
    return path[: path.index(place) + len(place)] if place in path else path


def _told(
    operation: Operation,
    taken: tuple[Asked, str] | None,
    paths: dict[str, tuple[str, str]],
    headers: dict[str, tuple[str, str]],
) -> Operation:
    query = taken[0].exchange.query if taken is not None and operation.method == "GET" else {}

    def of(member: Member) -> Member:
        known: tuple[str, str] | None = None
        if member.location == "path":
            known = paths.get(_upto(operation.path, member.name))
        elif member.location == "header":
            known = headers.get(member.name.lower())
        elif member.location == "query" and taken is not None and member.name in query:
            known = str(query[member.name]), taken[1]
        if known is None or EXAMPLE in member.schema:
            return member
        value = _typed(member.schema, known[0])
        return msgspec.structs.replace(member, schema={**member.schema, EXAMPLE: value, TOLD: known[1]})

    return msgspec.structs.replace(operation, parameters=tuple(map(of, operation.parameters)))


def _typed(schema: dict[str, Json], text: str) -> Json:
    """A text of a path, query or header as the type that its schema has."""
    kind = split_null(schema)[0].get("type")
    try:
        return int(text) if kind == "integer" else float(text) if kind == "number" else text
    except ValueError:
        return text
