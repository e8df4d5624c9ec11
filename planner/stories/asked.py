"""What criteria tell of requests and answers, as behaviours of a contract's operations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from crossval.compare.components import split_null
from graph.facts import Fact, Json, Tag
from planner.cases import Case
from planner.contracts.operations import Operation
from planner.contracts.paths import below_base, matched, operation_of
from planner.contracts.resources import called, maker_of, singular
from planner.stories.behaviours import Behaviour, facts_of
from planner.stories.circumstances import circumstances, made_thing
from planner.stories.conversations import exchanges_in, rows_in
from planner.stories.exchanges import Exchange, Source, UnclearExchange

_FIELD = re.compile(r"\{(\w+)\}")


class Asked(msgspec.Struct, frozen=True):
    """An exchange with the operation that it is of.

    `sources` has the names in its path, each with the exchange whose answer tells what is meant, and the field.
    """

    exchange: Exchange
    operation: Operation
    sources: dict[str, Source] = {}


def asked_by(
    case: Case, criterion: Fact, operations: Sequence[Operation], taken: Mapping[str, Asked] | None = None
) -> list[Asked]:
    """The requests of a case: those that its target has as `exchanges`, else those that its criterion tells.

    `exchanges` are written where no rule reads a criterion's words, by a model or by hand. Raises UnclearExchange.
    """
    given = case.target.get("exchanges")
    if given is None:
        return asked_in(criterion, operations, int(case.target.get("row", 0)), taken)
    try:
        exchanges = msgspec.convert(given, list[Exchange])
    except msgspec.ValidationError as error:
        raise UnclearExchange(f"requests in the form of `exchanges` ({error})") from None
    return asked_of(exchanges, operations)


def told_behaviours(
    criterion: Fact, operations: Sequence[Operation], taken: Mapping[str, Asked] | None = None
) -> Iterator[Behaviour]:
    """One behaviour for each row of a criterion that tells requests, where they can be sent as told."""
    for row in range(rows_in(criterion)):
        try:
            found = asked_in(criterion, operations, row, taken)
        except UnclearExchange:
            continue
        expected = [each for each in found if each.exchange.is_told]
        if not expected:
            continue
        target: dict[str, Json] = {"operation": expected[-1].operation.key}
        if rows_in(criterion) > 1:
            target["row"] = row
        cites = (fact for each in expected for fact in facts_of(each.operation, each.exchange.status))
        yield Behaviour("told", target, tuple(dict.fromkeys(cites)))


def asked_in(
    criterion: Fact, operations: Sequence[Operation], row: int = 0, taken: Mapping[str, Asked] | None = None
) -> list[Asked]:
    """The requests that a criterion or page tells, with their operations; empty where it tells none.

    What it says to be there is made before by the request that is known to be taken for it, of those in `taken`. Raises
    UnclearExchange where they cannot be sent as told, or something else must be brought about before them.
    """
    exchanges = exchanges_in(criterion, row)
    if not exchanges:
        return []
    found = asked_of(exchanges, operations)
    needed = circumstances(criterion, refused=_is_refused(exchanges[-1]))
    if len(needed) == 1 and len(found) == 1:
        return _after_making(needed[0], found[0], operations, taken or {})
    if needed:
        raise UnclearExchange(f"what brings about “{needed[0]}”")
    return found


def _after_making(
    needed: str, asked: Asked, operations: Sequence[Operation], taken: Mapping[str, Asked]
) -> list[Asked]:
    """The request that makes the thing which is said to be there, and the one that asks for it.

    Raises UnclearExchange where more than this is said of the thing, or its answer tells what nobody can know.
    """
    unclear = UnclearExchange(f"what brings about “{needed}”")
    exchange, operation = asked.exchange, asked.operation
    thing = made_thing(needed)
    values = matched(operation.path, exchange.path) or {}
    names = [name for name, text in values.items() if "{" not in text]
    if thing is None or len(names) != 1 or exchange.answer:
        raise unclear
    noun, identity = thing
    value = values[names[0]]
    making = maker_of(operation.path, names[0], operations)
    if making is None or called(making[0].path) != singular(noun.lower()) or identity not in ("", value):
        raise unclear
    maker, key = making
    if maker.key not in taken:
        raise UnclearExchange(f"what brings about “{needed}”: a request that {maker.key} takes")
    first = msgspec.structs.replace(taken[maker.key].exchange, status="", answer=(), told_headers={})
    path = "/".join(f"{{{key}}}" if part == value else part for part in exchange.path.split("/"))
    second = msgspec.structs.replace(
        asked, exchange=msgspec.structs.replace(exchange, path=path), sources={key: (0, key)}
    )
    return [Asked(first, maker), second]


def _is_refused(exchange: Exchange) -> bool:
    return exchange.refused or exchange.status.startswith("4")


def taken_requests(criteria: Iterable[Fact], operations: Sequence[Operation]) -> dict[str, tuple[Asked, str]]:
    """By the key of an operation the first request that a criterion tells to be taken as it is, and that criterion."""
    found: dict[str, tuple[Asked, str]] = {}
    for fact in criteria:
        try:
            told = asked_in(fact, operations)
        except UnclearExchange:
            continue
        for each in told[:1]:
            exchange = each.exchange
            if exchange.is_told and not exchange.refused and exchange.status[:1] in ("", "2"):
                found.setdefault(each.operation.key, (each, fact.id))
    return found


def asked_of(exchanges: Sequence[Exchange], operations: Sequence[Operation]) -> list[Asked]:
    """The exchanges with their operations.

    Raises UnclearExchange where nothing has the operation, no answer the field that a path names, or a request that is
    to be taken lacks what its operation needs.
    """
    found: list[Asked] = []
    for told in exchanges:
        path = below_base(told.method, told.path, operations)
        exchange = told if path == told.path else msgspec.structs.replace(told, path=path)
        operation = operation_of(exchange.method, exchange.path, operations)
        if operation is None:
            which = "which no contract has"
            if operations and operations[0].fact.tag is not Tag.SPEC:
                which = "which the code does not serve"
            raise UnclearExchange(f"the operation {exchange.method} {exchange.path}, {which}")
        sources = dict(exchange.sources)
        for name in (each for each in _FIELD.findall(exchange.path) if each not in sources):
            sure, perhaps = _holding(found, name)
            holding = sure or perhaps
            if not holding:
                request = f"{exchange.method} {exchange.path}"
                raise UnclearExchange(f"a request before {request} that is answered with {name}")
            sources[name] = (holding[-1], name)
        _check_all_is_told(exchange, operation)
        found.append(Asked(_settled(exchange, operation, operations), operation, sources))
    return found


def _check_all_is_told(exchange: Exchange, operation: Operation) -> None:
    if (
        exchange.is_shown
        or exchange.completed
        or _is_refused(exchange)
        or exchange.status[:1] not in ("", "2")
    ):
        return
    request = f"{exchange.method} {exchange.path}"
    if exchange.body is None and operation.body is not None and operation.body.required:
        raise UnclearExchange(f"the body with which {request} is sent")
    for member in operation.parameters:
        if member.location == "query" and member.required and member.name not in exchange.query:
            raise UnclearExchange(f"the {member.name} with which {request} is sent")


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
        if success is None or success.schema is None or _is_refused(each.exchange):
            continue
        properties = split_null(success.schema)[0].get("properties")
        if properties is None and name not in each.sources:  # What names it has no need to tell it again.
            perhaps.append(number)
        elif properties is not None and name in properties:
            sure.append(number)
    return sure, perhaps
