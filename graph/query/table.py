"""The answer to a query: columns, rows of JSON values, and whether there were more rows than allowed."""

from __future__ import annotations

import msgspec

from graph.facts import Json


class Table(msgspec.Struct, frozen=True):
    """Rows of JSON values below named columns; `cut` where further rows were left out at the row limit."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Json, ...], ...]
    cut: bool = False


class Limits(msgspec.Struct, frozen=True):
    """How long a query may run, in seconds, and how many rows it may give."""

    seconds: float = 10.0
    rows: int = 1000
