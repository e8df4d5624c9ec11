"""What stories say of operations beyond their contract, written into the operations as a twin has to keep it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from crossval.compare.components import split_null
from graph.facts import Json
from planner.cases import Case, Technique
from planner.contracts.conflicts import exceeding_of, holding_of, lacking_of, not_zero_of
from planner.contracts.envelopes import unwrapped
from planner.contracts.lifecycles import Subject, brought_about, lifecycle_of, subject_of
from planner.contracts.listed import listed_state
from planner.contracts.operations import Barrier, Move, Operation, Refusal, State
from planner.contracts.prerequisites import done_before
from planner.contracts.resolving import EXAMPLE
from planner.contracts.resources import collection_of
from planner.contracts.states import OF_STATES
from planner.stories.standing import told_standing

NEWEST_FIRST = "x-newest-first"
"""The keyword that says, on the schema of a list that is answered, that what was made last stands first."""
SORTED_BY = "x-sorted-by"
"""The keyword that says by which field a list that is answered is sorted, the smallest value first."""


_FILLED: dict[str, Json] = {
    "date-time": "2026-01-02T03:04:05Z",
    "date": "2026-01-02",
    "integer": 1,
    "number": 1,
}
_PLENTY = 1000
"""How much there is at first of what requests may ask too much of."""
OF_OTHERS = "x-of-others"
"""Stands for the field of a refusal that is about who made a thing."""


def promised(operations: Sequence[Operation], cases: Iterable[Case]) -> list[Operation]:
    """The operations with what the cases of criteria say of them: the values of new things, the order of lists,
    which things they refuse."""
    by_key = {operation.key: _standing(operation, operations) for operation in operations}
    for each in operations:
        for barrier in by_key[each.key].barriers:
            subject = subject_of(each, operations) if barrier.how == "exceeded" else None
            if subject is not None and barrier.field not in subject.maker.begins:
                by_key[subject.maker.key] = _starting(by_key[subject.maker.key], barrier.field, _PLENTY)
    for subject, state in _beginnings(operations):
        by_key[subject.maker.key] = _starting(by_key[subject.maker.key], state.field, state.value)
    # What is taken back comes last: it need not be told what the making of it changes.
    for case in sorted(cases, key=lambda each: each.target.get("like") == "undoes"):
        if case.technique is not Technique.CRITERION:
            continue
        if case.target.get("like") in ("moves", "undoes"):
            _moving(by_key, case)
            continue
        key = str(case.target.get("read") or case.target.get("operation"))
        operation = by_key.get(key)
        if operation is None:
            continue
        if case.target.get("like") == "order":
            order: dict[str, Json] = {NEWEST_FIRST: True} if case.target.get("newest") is True else {}
            order |= {SORTED_BY: case.target["by"]} if "by" in case.target else {}
            by_key[key] = _answering(operation, order) if order else operation
        elif case.target.get("like") == "standing" and case.target.get("refused") is True:
            status, is_unless = str(case.target.get("status", "")), case.target.get("act") == ""
            told = Refusal(str(case.target["field"]), case.target["value"], status, otherwise=is_unless)
            by_key[key] = msgspec.structs.replace(operation, refuses=(*operation.refuses, told))
        elif case.target.get("like") == "others":
            told = Refusal(OF_OTHERS, True, str(case.target.get("status", "")))
            by_key[key] = msgspec.structs.replace(operation, refuses=(*operation.refuses, told))
        elif case.target.get("like") == "closed" and operation.body is not None:
            body = msgspec.structs.replace(
                operation.body, schema={**operation.body.schema, "additionalProperties": False}
            )
            by_key[key] = msgspec.structs.replace(operation, body=body)
        elif case.target.get("like") == "starts":
            by_key[operation.key] = _starting_so(operation, case)
    return list(by_key.values())


def _standing(operation: Operation, operations: Sequence[Operation]) -> Operation:
    """The operation with what the words of its contract say it refuses, and of the state to which it leads."""
    told = [found for each in operation.answers if (found := told_standing(operation, each, operations))]
    refuses = [Refusal(str(each["field"]), each["value"], str(each["status"])) for each in told]
    life = lifecycle_of(operation, operations)
    refuses += [Refusal(state.field, state.value, answer.status) for state, answer in life.refused]
    if life.needs is not None:
        conflict = next(each.status for each in operation.answers if each.status in OF_STATES)
        refuses.append(Refusal(life.needs.field, life.needs.value, conflict, otherwise=True))
    return msgspec.structs.replace(
        operation,
        refuses=(*operation.refuses, *refuses),
        barriers=tuple(_barriers(operation, operations)),
        brings=brought_about(operation, operations),
        lists=listed_state(operation, operations),
    )


def _barriers(operation: Operation, operations: Sequence[Operation]) -> Iterator[Barrier]:
    """What other things keep the operation from, by the words of its refusals."""
    if (prior := done_before(operation, operations)) is not None:
        yield Barrier("undone", prior[1].status, f"/{prior[0].path.rstrip('/').rpartition('/')[2]}")
    for answer in operation.answers:
        if (held := holding_of(operation, answer, operations)) is not None:
            below = held.maker.path if held.field else f"/{held.maker.path.rstrip('/').rpartition('/')[2]}"
            yield Barrier("held", answer.status, below, held.field)
        elif (field := not_zero_of(operation, answer, operations)) is not None:
            yield Barrier("not zero", answer.status, field=field)
        elif (more := exceeding_of(operation, answer, operations)) is not None:
            yield Barrier("exceeded", answer.status, field=more.field, amount=more.amount)
        elif (lacking := lacking_of(operation, answer, operations)) is not None:
            yield Barrier("lacking", answer.status, f"/{collection_of(lacking[1].path)}", lacking[0])


def _beginnings(operations: Sequence[Operation]) -> Iterator[tuple[Subject, State]]:
    """How the things stand at first that acts bring into other states: as is told, else as none of these does."""
    acts = [(each, state) for each in operations if (state := brought_about(each, operations))]
    for act, brought in acts:
        subject = subject_of(act, operations)
        assert subject is not None, "it would be no act"
        led_to = {state for _, state in acts}
        others = [each for each in subject.states() if each.field == brought.field and each not in led_to]
        first = subject.first(brought.field) or next(iter(others), None)
        if first is not None:
            yield subject, first


def _starting_so(operation: Operation, case: Case) -> Operation:
    """The operation whose answer shows a value of a field, which an act leaves in its thing as well."""
    field, value = str(case.target["field"]), case.target["value"]
    if case.target.get("filled") is True:
        plain = split_null(operation.shown().get(field, {}))[0]
        value = _FILLED.get(str(plain.get("format") or plain.get("type")), "text")
    if operation.brings is not None:
        return msgspec.structs.replace(operation, leaves={**operation.leaves, field: value})
    return _starting(operation, field, value)


def _moving(by_key: dict[str, Operation], case: Case) -> None:
    """The operation that changes numbers of another thing with that; what takes it back, with what it takes back."""
    operation = by_key.get(str(case.target["operation"]))
    if operation is None:
        return
    if case.target["like"] == "undoes":
        by_key[operation.key] = msgspec.structs.replace(operation, undoes=True)
        made, field = by_key.get(str(case.target["made"])), str(case.target["field"])
        if made is not None and all(each.field != field for each in made.moves):
            by_key[made.key] = msgspec.structs.replace(made, moves=(*made.moves, Move(field, 1, -1)))
        return
    found = (msgspec.convert(each, Move) for each in case.target["moves"])
    moves = tuple(dict.fromkeys((*operation.moves, *found)))
    by_key[operation.key] = msgspec.structs.replace(operation, moves=moves)


def _starting(operation: Operation, field: str, value: Json) -> Operation:
    """The operation whose answer, out of its envelope, shows a value of a field."""
    schema = split_null((operation.success.schema if operation.success else None) or {})[0]
    within, inner = unwrapped(operation.success.schema if operation.success else None)
    properties = inner.get("properties", {})
    if field not in properties:
        return operation
    whole = inner.get(EXAMPLE)
    changed: dict[str, Json] = {"properties": {**properties, field: {**properties[field], EXAMPLE: value}}}
    if isinstance(whole, dict):
        changed[EXAMPLE] = {**whole, field: value}
    if within:
        changed = {"properties": {**schema.get("properties", {}), within: {**inner, **changed}}}
    return _answering(operation, changed)


def _answering(operation: Operation, keywords: dict[str, Json]) -> Operation:
    """The operation with further keywords on the schema of its success."""
    success = operation.success
    if success is None or success.schema is None:
        return operation
    changed = msgspec.structs.replace(success, schema={**success.schema, **keywords})
    answers = tuple(changed if answer is success else answer for answer in operation.answers)
    return msgspec.structs.replace(operation, answers=answers)
