"""What both tools report, in one form: a symbol and the kind of what is wrong with it."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """What a report is about. One function whose parameters differ is one report, however many lines it takes."""

    NOT_IN_STUB = "not in stub"
    NOT_IN_CODE = "not in code"
    MODULE_NOT_IN_STUBS = "module not in stubs"
    MODULE_NOT_IN_CODE = "module not in code"
    PARAMETERS = "parameters"
    DEFAULT = "default"
    KIND = "kind"
    BINDING = "binding"
    ASYNC = "async"
    TYPE = "type"
    RETURNS = "returns"
    VALUE = "value"
    BASES = "bases"
    METACLASS = "metaclass"
    DISJOINT_BASE = "disjoint base"
    PROPERTY = "property"
    FINAL = "final"
    EXPORTS = "exports"
    RAISES = "raises"
    IMPORT = "import failed"
    OTHER = "other"


BEYOND = frozenset({Kind.RETURNS, Kind.BASES, Kind.RAISES})
"""What stubtest never compares."""


class Report(NamedTuple):
    """One thing that a tool holds against a symbol, with its own words."""

    symbol: str
    kind: Kind
    message: str

    @property
    def key(self) -> tuple[str, Kind]:
        """What is compared between tools."""
        return self.symbol, self.kind
