"""What is certain of the requests that a handler accepts, as it is collected from its guards."""

from __future__ import annotations

import ast
from collections.abc import Callable

import msgspec

from ingest.web.answers.verdicts import Verdict
from ingest.web.program.targets import FunctionTarget
from ingest.web.requests.conditions import Demand
from ingest.web.syntax.scopes import Scope

Refuses = Callable[[ast.stmt, Scope], bool]
"""Tells whether a `return`, a `raise` or a call refuses the request."""


class Demands(msgspec.Struct):
    """What is certain of accepted requests, the expressions that each of them passes, and functions always called.

    `converted` are the calls that turn a value into another wherever it is there.
    """

    found: list[Demand] = msgspec.field(default_factory=list)
    passed: set[ast.AST] = msgspec.field(default_factory=set)
    helpers: list[FunctionTarget] = msgspec.field(default_factory=list)
    converted: set[ast.AST] = msgspec.field(default_factory=set)
    noted: set[str] = msgspec.field(default_factory=set)
    verdicts: dict[ast.Call, Verdict] = msgspec.field(default_factory=dict)

    def also(self, other: Demands) -> None:
        """Takes in what another function demands of the same requests."""
        self.verdicts.update(other.verdicts)
        self.found += other.found
        self.passed |= other.passed
        self.helpers += other.helpers
        self.converted |= other.converted
        self.noted |= other.noted
