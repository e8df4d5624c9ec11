"""Tests of requests whose answers a criterion tells: they are sent as told, and answered as told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from engine.generators.operations.answers import equal, place_in
from engine.generators.operations.lists import unless_full
from engine.generators.operations.parts import Parts, spoken
from engine.generators.operations.requests import CALLERS, Sent, answered
from engine.generators.operations.stage import Stage
from engine.generators.source import literal
from engine.generators.stories.callers import callers
from engine.generators.stories.completing import completed, renamed, told_by
from engine.generators.values.schema_values import NoValueError
from graph.facts import Fact, Json
from planner.cases import Case
from planner.contracts.operations import Operation
from planner.contracts.paths import matched
from planner.contracts.resources import called
from planner.generator import Assertion
from planner.stories.asked import Asked, asked_by
from planner.stories.criteria import Criteria
from planner.stories.exchanges import Exchange, Listed, UnclearExchange

_CREDENTIALS = frozenset({"authorization", "cookie", "x-api-key", "api-key", "x-auth-token"})
_FORBIDDEN = frozenset({"401", "403"})


def told(criterion: Fact, criteria: Criteria) -> Callable[[Case, Operation, Stage], Parts]:
    """The writer of the test of a criterion that tells requests and their answers."""

    def write(case: Case, operation: Operation, stage: Stage) -> Parts:
        try:
            asked = asked_by(case, criterion, criteria.operations, criteria.taken)
        except UnclearExchange as error:
            raise NoValueError(str(error)) from error
        if not any(each.exchange.is_told for each in asked):
            raise NoValueError("an answer that the criterion tells")
        names = _names(asked)
        shown = {field for each in asked for field in _told_fields(each.exchange)}
        whole = [completed(each, stage, names, shown) for each in renamed(asked, stage)]
        return _written(case, whole, criteria, callers(whole, criteria.operations))

    return write


def _written(case: Case, asked: Sequence[Asked], criteria: Criteria, by: Sequence[str]) -> Parts:
    names = _names(asked)
    last = max(number for number, each in enumerate(asked) if each.exchange.is_told)
    parts = Parts("", negative=_is_refusal(asked[last].exchange))
    parts.arrange += [f"# Not checked: {' '.join(each.split())}" for each in case.target.get("unseen", ())]
    if parts.negative and len(asked) == 1:
        parts.arrange += _control(asked[last].operation, criteria)
    for number, each in enumerate(asked):
        lines = [f"{names[number]} = {_call(each, names, by[number])}"]
        if each.exchange.is_told:
            parts.assertions += _assertions(names[number], each, case.cites)
        else:
            # A thing that is refused says nothing of what is done with such things; an act that is, does.
            is_arranged = case.target.get("arranged") or each.exchange.completed
            taken = _status(names[number], each) if is_arranged else f"{names[number]}.status_code < 400"
            lines.append(f"assert {taken}")
        if each.exchange.listed is not None:
            lines += unless_full(each.operation, _within(each.exchange.listed.place), names[number])
        (parts.act if number >= last else parts.arrange).extend(lines)
    row = case.target.get("row")
    parts.name = f"_{row + 1}" if isinstance(row, int) else ""
    if case.target.get("refuses") is True:
        parts.name = f"_then_{spoken(asked[last].operation)}_is_refused"
    return parts


def _told_fields(exchange: Exchange) -> Iterator[str]:
    """The fields of which something is told of an answer."""
    for answer in exchange.answer:
        yield from answer if isinstance(answer, dict) else ()


def _is_refusal(exchange: Exchange) -> bool:
    return exchange.refused or exchange.status.startswith("4")


def _control(operation: Operation, criteria: Criteria) -> list[str]:
    """The lines that send a request for the operation which some criterion says is taken; none where none does."""
    taken = criteria.taken.get(operation.key)
    if taken is None:
        return []
    return [f"taken = {_call(taken, [])}", f"assert {_status('taken', taken)}"]


def _names(asked: Sequence[Asked]) -> list[str]:
    """A variable for each answer: `response` for the last that something is told of, else what was asked for."""
    last = max(number for number, each in enumerate(asked) if each.exchange.is_told)
    names: list[str] = []
    for number, each in enumerate(asked):
        name = "response" if number == last else called(each.operation.path)
        names.append(name if name not in names else f"{name}_{number + 1}")
    return names


def _call(asked: Asked, names: Sequence[str], caller: str = CALLERS[0]) -> str:
    """The expression that sends a request as it is told; answers before it have these names."""
    exchange, operation = asked.exchange, asked.operation
    given = {name.lower() for name in exchange.headers}
    if given & _CREDENTIALS or (exchange.status in _FORBIDDEN and not exchange.by):
        operation = msgspec.structs.replace(operation, secured=False, invites=False)
    path = {}
    for name, text in (matched(operation.path, exchange.path) or {}).items():
        source = asked.sources.get(text.strip("{}")) if text.startswith("{") else None
        path[name] = repr(text) if source is None else told_by(names, source)
    sent = Sent(operation, path, exchange.query, exchange.headers, exchange.body, caller=caller)
    return sent.call()


def _status(name: str, asked: Asked) -> str:
    exchange = asked.exchange
    if exchange.status:
        return answered(name, exchange.status)
    if exchange.refused:
        return f"400 <= {name}.status_code < 500"
    success = asked.operation.success
    return answered(name, success.status if success is not None else "2XX")


def _assertions(name: str, asked: Asked, cites: tuple[str, ...]) -> Iterator[Assertion]:
    exchange = asked.exchange
    yield Assertion(f"assert {_status(name, asked)}", cites)
    for header, value in exchange.told_headers.items():
        place = f"{name}.headers[{literal(header)}]"
        text = f"{place} == {literal(value)}" if value else f"{literal(header)} in {name}.headers"
        yield Assertion(f"assert {text}", cites)
    for answer in exchange.answer:
        for text in _compared(f"{name}.json()", answer, exchange.in_part):
            yield Assertion(f"assert {text}", cites)
    if exchange.listed is not None:
        yield from (Assertion(each, cites) for each in _listed(name, exchange.listed))
    for field, count in exchange.counted.items():
        yield Assertion(f"assert len({name}.json(){_within(field)}) == {count}", cites)


def _within(field: str) -> str:
    """What takes a field of an answer's content, nothing for the whole."""
    return f"[{literal(field)}]" if field else ""


def _listed(name: str, told: Listed) -> Iterator[str]:
    """The lines that take from a list what is told of, and compare it."""
    place = f"{name}.json(){_within(told.place)}"
    key, among = literal(told.field), literal([*told.among])
    yield f"listed = [each[{key}] for each in {place} if each[{key}] in {among}]"
    values = [*told.values] if told.ordered else sorted(told.values, key=str)
    yield f"assert {'listed' if told.ordered else 'sorted(listed, key=str)'} == {literal(values)}"


def _compared(place: str, answer: Json, in_part: bool) -> Iterator[str]:
    """The conditions that a place has what is told, as a whole or in part."""
    if in_part and isinstance(answer, dict) and answer:
        yield from (equal(place_in(place, name, each), each) for name, each in answer.items())
    elif in_part and isinstance(answer, list) and answer:
        yield from (f"{literal(each)} in {place}" for each in answer)
    else:
        yield equal(place, answer)
