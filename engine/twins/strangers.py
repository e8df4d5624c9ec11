"""The second caller of a twin, who has made nothing: what the first one made is refused, and not listed."""

from __future__ import annotations

from collections.abc import Sequence

from engine.twins.asked import Asked
from planner.contracts.lifecycles import subject_of
from planner.contracts.operations import Operation
from planner.contracts.parties import is_for_the_other, not_own
from planner.stories.others import told_others
from planner.stories.promises import OF_OTHERS

STRANGER = "stranger"
"""What ends the credentials of the second caller."""
_SECRETIVE = ("403", "404")


def is_of_stranger(asked: Asked) -> bool:
    """Whether a request comes from the second caller."""
    return any(str(each).endswith(STRANGER) for each in asked.headers.values())


def refused_to_caller(operation: Operation, operations: Sequence[Operation], *, is_own: bool) -> str | None:
    """The status with which an operation refuses its caller a thing, by whether that made it; None where it does not.

    What two callers have to do with each other, both may read unless it is told otherwise.
    """
    own = not_own(operation, operations)
    if own is not None:
        return own.status if is_own else None
    if is_for_the_other(operation, operations):
        return refused_to_others(operation, operations) if is_own else None
    is_told = any(told_others(operation, each, operations) for each in operation.answers) or any(
        each.field == OF_OTHERS for each in operation.refuses
    )
    if is_own or (operation.method == "GET" and not is_told and _is_between_two(operation, operations)):
        return None
    return refused_to_others(operation, operations)


def _is_between_two(operation: Operation, operations: Sequence[Operation]) -> bool:
    """Whether an operation is for what somebody makes within another's thing, or for that thing."""
    subject = subject_of(operation, operations)
    if subject is None:
        return False
    for each in operations:
        around = subject_of(each, operations) if not_own(each, operations) is not None else None
        if around is not None and subject.maker.key in (each.key, around.maker.key):
            return True
    return False


def refused_to_others(operation: Operation, operations: Sequence[Operation]) -> str:
    """The status with which an operation refuses what somebody else made: as a story tells, or its contract."""
    told = [each.status for each in operation.refuses if each.field == OF_OTHERS]
    told += [each.status for each in operation.answers if told_others(operation, each, operations)]
    documented = {each.status for each in operation.answers}
    told += [each for each in _SECRETIVE if each in documented]
    return next(iter(told), _SECRETIVE[0])
