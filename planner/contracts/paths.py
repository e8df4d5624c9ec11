"""The parameters of paths, and which operation's path a request's path is one of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from urllib.parse import unquote

from planner.contracts.operations import Operation

PARAMETER = re.compile(r"\{([^{}]+)\}")
"""A parameter of a template, its name as the group: `{book_id}`."""


def matched(template: str, path: str) -> dict[str, str] | None:
    """The values of a path's parameters where it is one of the template; None where it is not."""
    ours, theirs = template.strip("/").split("/"), path.strip("/").split("/")
    if len(ours) != len(theirs):
        return None
    values = {}
    for one, other in zip(ours, theirs, strict=True):
        if one.startswith("{"):
            values[one.strip("{}")] = unquote(other)
        elif one != other:
            return None
    return values


def operation_of(method: str, path: str, operations: Iterable[Operation]) -> Operation | None:
    """The operation that serves a request: of several the one with the fewest parameters; None where none does."""
    found = [each for each in operations if each.method == method and matched(each.path, path) is not None]
    return min(found, key=lambda each: (each.path.count("{"), each.key), default=None)


def below_base(method: str, path: str, operations: Sequence[Operation]) -> str:
    """A request's path as the contract has it: what people write without the part with which all its paths begin gets
    that (`/orders` of a server at `/api/v1`); as it is where some operation serves it so, or none does anyhow."""
    if operation_of(method, path, operations) is not None or not path.startswith("/"):
        return path
    first = path.split("/")[1]
    parts = [each.path.strip("/").split("/") for each in operations]
    common = [row[0] for row in zip(*parts, strict=False) if len(set(row)) == 1]
    for length in range(len(common), 0, -1):
        begins = all(row[:length] == common[:length] for row in parts)
        below = {row[length] for row in parts if len(row) > length} if begins else set()
        whole = "/".join(["", *common[:length]]) + path
        # What is no part of a path itself is named: `/books` is none of `/notes/{note_id}`.
        if first in below and operation_of(method, whole, operations) is not None:
            return whole
    return path
