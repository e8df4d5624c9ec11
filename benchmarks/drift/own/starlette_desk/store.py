"""Where tickets are kept."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

NUMBERS = itertools.count(1)


class MissingError(Exception):
    """There is nothing of that number."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


@dataclass
class Ticket:
    """What somebody asks for."""

    id: int
    title: str
    priority: str
    owner: str | None = None
    closed: bool = False

    def to_dict(self) -> dict[str, Any]:
        """As it is answered."""
        return {
            "id": self.id,
            "title": self.title,
            "priority": self.priority,
            "owner": self.owner,
            "closed": self.closed,
        }


TICKETS: dict[int, Ticket] = {}


def ticket_of(number: int) -> Ticket:
    """The ticket of this number."""
    try:
        return TICKETS[number]
    except KeyError:
        raise MissingError("ticket") from None
