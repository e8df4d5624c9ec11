"""The accounts that a twin keeps, so that it knows a wrong password, and who its caller is."""

from __future__ import annotations

from typing import Any

from engine.generators.operations.logins import way_to_account
from engine.twins.asked import Asked
from planner.contracts.operations import Operation
from planner.stories.others import told_others
from planner.stories.promises import OF_OTHERS

_SECRETIVE = ("403", "404")


class Accounts:
    """The accounts of one twin, as they were registered."""

    def __init__(self, operations: tuple[Operation, ...]) -> None:
        self._operations = operations
        found = ((each.key, way_to_account(each, operations)) for each in operations if each.method == "POST")
        self._ways = {key: way for key, way in found if way is not None}
        self._registered: dict[str, list[dict[str, Any]]] = {}

    def note(self, operation: Operation, body: Any) -> None:
        """Remember an account, where an operation makes one."""
        if isinstance(body, dict) and any(way.register.key == operation.key for way in self._ways.values()):
            self._registered.setdefault(operation.key, []).append(body)

    def has_other_password(self, operation: Operation, body: Any) -> bool:
        """Whether a login names an account that was registered with another password."""
        way = self._ways.get(operation.key)
        if way is None or not isinstance(body, dict):
            return False
        name, given = (body.get(each.path[-1]) for each in (way.name, way.password))
        named = [
            each
            for each in self._registered.get(way.register.key, ())
            if any(each.get(field) == name for field in way.names)
        ]
        return bool(named) and not any(given in (each.get(f) for f in way.secrets) for each in named)

    def refused_to_others(self, operation: Operation) -> str:
        """The status with which an operation refuses what somebody else made: as a story or its contract tells."""
        told = [each.status for each in operation.refuses if each.field == OF_OTHERS]
        told += [each.status for each in operation.answers if told_others(operation, each, self._operations)]
        documented = {each.status for each in operation.answers}
        told += [each for each in _SECRETIVE if each in documented]
        return next(iter(told), _SECRETIVE[0])


def is_of_stranger(asked: Asked) -> bool:
    """Whether a request comes from the second caller that tests know, who has made nothing."""
    return any(str(each).endswith(STRANGER) for each in asked.headers.values())


STRANGER = "stranger"
"""What ends the credentials of the second caller."""
