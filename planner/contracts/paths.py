"""The parameters of paths, and which operation's path a request's path is one of."""

from __future__ import annotations

import re
from collections.abc import Iterable
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
