"""The second caller of a twin, who has made nothing: what the first one made is refused, and not listed."""

from __future__ import annotations

from collections.abc import Sequence

from engine.twins.asked import Asked
from planner.contracts.operations import Operation
from planner.stories.others import told_others
from planner.stories.promises import OF_OTHERS

STRANGER = "stranger"
"""What ends the credentials of the second caller."""
_SECRETIVE = ("403", "404")


def is_of_stranger(asked: Asked) -> bool:
    """Whether a request comes from the second caller."""
    return any(str(each).endswith(STRANGER) for each in asked.headers.values())


def refused_to_others(operation: Operation, operations: Sequence[Operation]) -> str:
    """The status with which an operation refuses what somebody else made: as a story tells, or its contract."""
    told = [each.status for each in operation.refuses if each.field == OF_OTHERS]
    told += [each.status for each in operation.answers if told_others(operation, each, operations)]
    documented = {each.status for each in operation.answers}
    told += [each for each in _SECRETIVE if each in documented]
    return next(iter(told), _SECRETIVE[0])
