"""Where parcels are kept."""

from dataclasses import dataclass
from typing import Protocol


class Located(Protocol):
    """Anything with an address."""

    def address(self) -> str: ...


class Building:
    def __init__(self, street):
        self.street = street

    def address(self):
        return self.street


class Depot:
    capacity: int = 100

    def __init__(self, street, capacity=100):
        self.street = street
        self.capacity = capacity

    def address(self):
        return self.street

    def close(self, force=False):
        return not force


@dataclass(frozen=True)
class Shelf:
    number: int
    free: bool = True


def nearest(depots, limit=1):
    return sorted(depots, key=lambda depot: depot.street)[:limit]


class OpenHours:
    """From and to, in hours."""

    def __init__(self, day):
        self.day = day
