"""The values that expressions have which are written out in Python: `[1, "a"]`."""

from __future__ import annotations

import ast
import warnings
from typing import Any, Final

NO_LITERAL: Final = object()
"""Stands for the value of what is no literal."""


def literal_value(expression: str | ast.expr) -> Any:
    """The value of a literal, or `NO_LITERAL` for any other expression, and for a text that is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the spelling, such as a backslash that escapes nothing
            return ast.literal_eval(expression)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return NO_LITERAL


def is_literal(expression: str | ast.expr) -> bool:
    """Whether an expression is a literal."""
    return literal_value(expression) is not NO_LITERAL
