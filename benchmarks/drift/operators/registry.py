"""The one explicit list of operators."""

from __future__ import annotations

from benchmarks.drift.changes import Operator
from benchmarks.drift.operators import neutral, operations, parts, security, values

OPERATORS: tuple[Operator, ...] = (
    *operations.OPERATORS,
    *parts.OPERATORS,
    *values.OPERATORS,
    *security.OPERATORS,
    *neutral.OPERATORS,
)
