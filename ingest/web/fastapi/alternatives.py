"""Routes of which a condition decides which one is there (`if INSTALLED: @router.get(…) … else: @router.get(…)`)."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from ingest.web.records.operations import Operation
from ingest.web.routing.sites import Event

_EITHER: Final = "a condition decides whether this route or another of the same path answers"


def settled(found: Iterable[tuple[Operation, Event]]) -> Iterator[Operation]:
    """The operations, of which those that another one may stand in for tell nothing but that they are there."""
    first: dict[tuple[str, str], tuple[Operation, Event]] = {}
    every: list[Operation] = []
    for operation, event in found:
        every.append(operation)
        known = first.setdefault((operation.key, operation.document), (operation, event))
        if known[0] is not operation and _exclude_each_other(known[1], event):
            _open(known[0])
    yield from every


def _exclude_each_other(one: Event, other: Event) -> bool:
    """Whether two registrations stand in different branches of one condition."""
    if one.scope is not other.scope:
        return False
    for node in ast.walk(one.scope.node):
        if isinstance(node, ast.If):
            branches: list[list[ast.stmt]] = [node.body, node.orelse]
        elif isinstance(node, ast.Try) and node.handlers:
            branches = [[*node.body, *node.orelse], *(handler.body for handler in node.handlers)]
        else:
            continue
        places = [_branch(branches, event.call) for event in (one, other)]
        if None not in places and places[0] != places[1]:
            return True
    return False


def _branch(branches: list[list[ast.stmt]], call: ast.Call) -> int | None:
    """The number of the branch in which a call stands."""
    parts = ({part for each in body for part in ast.walk(each)} for body in branches)
    return next((number for number, found in enumerate(parts) if call in found), None)


def _open(operation: Operation) -> None:
    operation.parameters, operation.bodies, operation.responses = [], [], []
    operation.parameters_complete, operation.statuses_complete = False, False
    operation.read_by_hand, operation.security = [], None
    for aspect in ("parameters", "responses"):
        operation.unknown.append((aspect, operation.source, _EITHER))
