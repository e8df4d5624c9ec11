from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

class Located(Protocol):
    def address(self) -> str: ...

class Building:
    street: str
    def __init__(self, street: str) -> None: ...
    def address(self) -> str: ...

class Depot(Building):
    capacity: int
    def __init__(self, street: str, capacity: int = 100) -> None: ...
    def close(self, force: bool = False) -> bool: ...

@dataclass(frozen=True)
class Shelf:
    number: int
    free: bool = True

def nearest(depots: Iterable[Depot], limit: int = 1) -> list[Depot]: ...

class OpenHours:
    day: str
    def __init__(self, day: str) -> None: ...
