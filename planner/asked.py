"""What criteria tell of requests and answers, as behaviours of a contract's operations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from crossval.compare.components import split_null
from graph.facts import Fact, Json, Tag
from planner.behaviours import Behaviour, facts_of
from planner.conversations import exchanges_in, rows_in
from planner.exchanges import Exchange, UnclearExchange
from planner.operations import Operation
from planner.paths import operation_of

_FIELD = re.compile(r"\{(\w+)\}")


class Asked(msgspec.Struct, frozen=True):
    """An exchange with the operation that it is of.

    `sources` has the names in its path, each with the number of the exchange whose answer has that field.
    """

    exchange: Exchange
    operation: Operation
    sources: dict[str, int] = {}


def told_behaviours(criterion: Fact, operations: Sequence[Operation]) -> Iterator[Behaviour]:
    """One behaviour for each row of a criterion that tells requests, where they can be sent as told."""
    for row in range(rows_in(criterion)):
        expected = [each for each in told_in(criterion, operations, row) if each.exchange.is_told]
        if not expected:
            continue
        target: dict[str, Json] = {"operation": expected[-1].operation.key}
        if rows_in(criterion) > 1:
            target["row"] = row
        cites = (fact for each in expected for fact in facts_of(each.operation, each.exchange.status))
        yield Behaviour("told", target, tuple(dict.fromkeys(cites)))


def told_in(criterion: Fact, operations: Sequence[Operation], row: int = 0) -> list[Asked]:
    """The requests that a criterion tells, with their operations; empty where they cannot be sent as told."""
    try:
        return asked_of(exchanges_in(criterion, row), operations)
    except UnclearExchange:
        return []


def taken_requests(criteria: Iterable[Fact], operations: Sequence[Operation]) -> dict[str, tuple[Asked, str]]:
    """By the key of an operation the first request that a criterion tells to be taken as it is, and that criterion."""
    found: dict[str, tuple[Asked, str]] = {}
    for fact in criteria:
        for each in told_in(fact, operations)[:1]:
            exchange = each.exchange
            if exchange.is_told and not exchange.refused and exchange.status[:1] in ("", "2"):
                found.setdefault(each.operation.key, (each, fact.id))
    return found


def asked_of(exchanges: Sequence[Exchange], operations: Sequence[Operation]) -> list[Asked]:
    """The exchanges with their operations.

    Raises UnclearExchange where nothing has the operation, or no answer the field that a path names.
    """
    found: list[Asked] = []
    for exchange in exchanges:
        operation = operation_of(exchange.method, exchange.path, operations)
        if operation is None:
            which = "which no contract has"
            if operations and operations[0].fact.tag is not Tag.SPEC:
                which = "which the code does not serve"
            raise UnclearExchange(f"the operation {exchange.method} {exchange.path}, {which}")
        sources = {}
        for name in _FIELD.findall(exchange.path):
            sure, perhaps = _holding(found, name)
            holding = sure or perhaps
            if not holding:
                told = f"{exchange.method} {exchange.path}"
                raise UnclearExchange(f"a request before {told} that is answered with {name}")
            sources[name] = holding[-1]
        found.append(Asked(_settled(exchange, operation, operations), operation, sources))
    return found


def _settled(exchange: Exchange, operation: Operation, operations: Iterable[Operation]) -> Exchange:
    """What is told of an answer that a page shows, less what depends on what the server keeps at that moment.

    Where a page shows nothing else, it shows that the request succeeds.
    """
    if not exchange.is_shown:
        return exchange
    if exchange.method == "GET" and "{" not in exchange.path and _is_kept(operation, operations):
        exchange = msgspec.structs.replace(exchange, answer=())
    success = operation.success
    if not exchange.status and success is not None and success.status.isdigit():
        exchange = msgspec.structs.replace(exchange, status=success.status)
    return exchange


def _is_kept(operation: Operation, operations: Iterable[Operation]) -> bool:
    """Whether some operation makes what this one reads."""
    path = operation.path.rstrip("/")
    makers = [each.path.rstrip("/") for each in operations if each.method == "POST"]
    return any(path == maker or path.startswith(f"{maker}/{{") for maker in makers)


def _holding(before: Sequence[Asked], name: str) -> tuple[list[int], list[int]]:
    """The numbers of the requests whose answers have a field by their schema, and of those whose schema is open."""
    sure, perhaps = [], []
    for number, each in enumerate(before):
        success = each.operation.success
        if success is None or success.schema is None:
            continue
        properties = split_null(success.schema)[0].get("properties")
        if properties is None and name not in each.sources:  # What names it has no need to tell it again.
            perhaps.append(number)
        elif properties is not None and name in properties:
            sure.append(number)
    return sure, perhaps
