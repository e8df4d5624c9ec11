"""Which operations change a part of what their path names, and leave the rest as it is."""

from __future__ import annotations

from collections.abc import Iterable

from planner.contracts.operations import Operation


def changes_parts(operation: Operation, every: Iterable[Operation]) -> bool:
    """Whether an operation is a PATCH, or a POST to one thing that others make and read: `POST /customers/{id}`."""
    if operation.method != "POST":
        return operation.method == "PATCH"
    collection, _, last = operation.path.rstrip("/").rpartition("/")
    if not last.startswith("{"):
        return False
    wanted = {("POST", collection), ("GET", operation.path.rstrip("/"))}
    return wanted <= {(each.method, each.path.rstrip("/")) for each in every}
