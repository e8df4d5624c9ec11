"""What has to be put in before it can be taken out: money is deposited before it is withdrawn."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

import msgspec

from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.conflicts import tells_of_too_little
from planner.contracts.lifecycles import Subject, subject_of
from planner.contracts.operations import Operation
from planner.contracts.references import fields_naming
from planner.contracts.resources import snake

_PLENTY = 1000
_STOCK = re.compile(r"(?:^|_)(?:quantity|qty|stock|amount|count|on_hand|available|units)$")
_WORD = re.compile(r"[a-z_]+")


class Supply(msgspec.Struct, frozen=True):
    """The operation that raises what another one lowers, the field of its body that says by how much, and the number
    to send."""

    operation: Operation
    amount: str
    number: Json


def supply_for_reference(
    operation: Operation, references: Mapping[str, Operation], operations: Collection[Operation]
) -> tuple[str, Supply] | None:
    """The field of a body whose thing has too little as it is made, by the words of a refusal, and what puts more in.

    `references` are the fields that name things, each with what makes these. `There is not enough money on the source
    account` is about the one that `source` names.
    """
    told = [each.words.lower() for each in operation.answers if tells_of_too_little(each.words)]
    named = [field for field in references if any(field.lower() in _WORD.findall(words) for words in told)]
    if not told or (len(named) != 1 and len(references) != 1):
        return None
    field = named[0] if len(named) == 1 else next(iter(references))
    found = [
        supply
        for subject, _, supply in _raised(operations)
        if subject is not None and subject.maker.key == references[field].key
    ]
    return (field, found[0]) if len(found) == 1 else None


def stock_for(
    operation: Operation, references: Mapping[str, Operation], operations: Collection[Operation]
) -> tuple[str, Supply, str] | None:
    """The field of a body whose thing has nothing in stock as it is made, what puts some in, and how that names it.

    So an order that is refused for "Insufficient stock" needs a `POST /inventory` first, which takes the `product_id`
    of its item and a `quantity`.
    """
    made = {each.key for each in references.values()}
    if len(made) != 1 or not any(tells_of_too_little(each.description) for each in operation.answers):
        return None
    place, maker = next(iter(references.items()))
    found = [
        (_supply(each, amounts[0]), names[0])
        for each in operations
        if each.method == "POST" and "{" not in each.path and each.key not in {operation.key, *made}
        if (names := fields_naming(maker, each.required(), operations))
        if (amounts := [name for name in each.required() if _STOCK.search(snake(name))])
        if not any(tells_of_too_little(answer.description) for answer in each.answers)
    ]
    return (place, *found[0]) if len(found) == 1 else None


def raising(field: str, operation: Operation, operations: Collection[Operation]) -> Supply | None:
    """The one other operation that raises a number of the thing which an operation is about; else None."""
    subject = subject_of(operation, operations)
    found = [
        supply
        for other, raised, supply in _raised(operations)
        if raised == field
        and supply.operation.key != operation.key
        and subject is not None
        and other == subject
    ]
    return found[0] if len(found) == 1 else None


def _raised(operations: Collection[Operation]) -> Iterator[tuple[Subject | None, str, Supply]]:
    """What raises a number by a field of its body: of which kind of thing, which number, and by what."""
    for each in operations:
        for move in each.moves:
            if move.sign > 0 and isinstance(move.by, str):
                yield subject_of(each, operations), move.field, _supply(each, move.by)


def supply_of(operation: Operation, operations: Collection[Operation]) -> Supply | None:
    """What an operation needs of a number of its thing, since it is refused where there is too little; else None.

    Stories tell which operation lowers a number and which raises it, each by a field of its body.
    """
    lowered = [each.field for each in operation.moves if each.sign < 0]
    if len(set(lowered)) != 1 or not any(tells_of_too_little(each.words) for each in operation.answers):
        return None
    return raising(lowered[0], operation, operations)


def _supply(supplier: Operation, amount: str) -> Supply:
    schema = split_null(supplier.body.schema if supplier.body is not None else {})[0]
    most = split_null(schema.get("properties", {}).get(amount, {}))[0].get("maximum", _PLENTY)
    return Supply(supplier, amount, most)
