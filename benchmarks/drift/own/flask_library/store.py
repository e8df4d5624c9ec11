"""What the library owns."""

from __future__ import annotations

import itertools
from typing import Any

BOOKS: dict[int, dict[str, Any]] = {}
LOANS: list[dict[str, Any]] = []
numbers = itertools.count(1)


class LentError(Exception):
    """Somebody has it already."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number
