"""The operations by which what stories and pages tell can be asked: a contract's, else those that the code serves.

Where there is no contract, stories say what is asked and answered, and the code no more than that there is such a
route: its operations take and answer anything, so that nothing of the code becomes a claim.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import msgspec

from graph.facts import Fact, Kind, Tag
from graph.source import FactSource
from planner.contracts.operations import Answer, Body, Operation, read_operations
from planner.contracts.paths import operation_of
from planner.stories.conversations import exchanges_in
from planner.stories.exchanges import UnclearExchange
from planner.stories.told_facts import told_facts
from planner.stories.told_things import with_told_things

_WITH_BODY = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_JSON = "application/json"


def carriers(source: FactSource) -> list[Operation]:
    """The operations of all contracts, with what stories tell of their things; without any, those of the code.

    Of these the path has to be known, and their shape is open.
    """
    found = read_operations(source)
    if found:
        return with_told_things(found, told_facts(source).values())
    served = source.facts(tag=Tag.CODE, kinds={Kind.OPERATION})
    every = [_open(fact) for fact in served if fact.key.partition(" ")[2].startswith("/")]
    told = _statuses(source, every) if every else {}
    return [_answering(each, told.get(each.key, set())) for each in every]


def _statuses(source: FactSource, operations: Sequence[Operation]) -> dict[str, set[str]]:
    """The statuses of success that stories and pages tell, by the key of an operation."""
    found: dict[str, set[str]] = {}
    for fact in told_facts(source).values():
        with contextlib.suppress(UnclearExchange):
            for each in exchanges_in(fact):
                operation = operation_of(each.method, each.path, operations)
                if operation is not None and each.status.startswith("2"):
                    found.setdefault(operation.key, set()).add(each.status)
    return found


def _answering(operation: Operation, statuses: set[str]) -> Operation:
    """The operation with the only status with which it is told to succeed, if there is one."""
    if len(statuses) != 1:
        return operation
    answers = tuple(msgspec.structs.replace(each, status=min(statuses)) for each in operation.answers)
    return msgspec.structs.replace(operation, answers=answers)


def _open(fact: Fact) -> Operation:
    method, _, path = fact.key.partition(" ")
    security = fact.aspects.get("security")
    return Operation(
        key=fact.key,
        method=method.upper(),
        path=path,
        fact=fact,
        parameters=(),
        body=Body(_JSON, {}, False, fact.id) if method.upper() in _WITH_BODY else None,
        answers=(Answer("2XX", {}, "", fact.id, _JSON),),
        secured=isinstance(security, list) and bool(security) and all(security),
    )
