"""What a criterion claims of an operation, as one thing that can be tested."""

from __future__ import annotations

import msgspec

from graph.facts import Json, Tag
from planner.contracts.operations import Operation


class Behaviour(msgspec.Struct, frozen=True):
    """One thing that a criterion claims: `like` says of which sort, `target` what it is about, `cites` the contract's
    facts that say how it is asked for."""

    like: str
    target: dict[str, Json]
    cites: tuple[str, ...] = ()


def facts_of(operation: Operation, status: str = "") -> tuple[str, ...]:
    """The fact of an operation's success, or of the answer with a status; none where only code has the operation."""
    if operation.fact.tag is not Tag.SPEC:
        return ()
    answers = [each for each in operation.answers if each.status == status] if status else [operation.success]
    return tuple(each.fact for each in answers if each is not None)
