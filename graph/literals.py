"""The values that expressions have which are written out in Python: `[1, "a"]`."""

from __future__ import annotations

import ast
import warnings
from typing import Any, Final

from graph.patterns import pattern

NO_LITERAL: Final = object()
"""Stands for the value of what is no literal."""

_NUMBER_BEFORE_WORD = pattern(r"\d[A-Za-z_]")


def parse_quietly(text: str) -> ast.expr:
    """The tree of one expression, without warnings of its spelling. Raises what `ast.parse` raises."""
    # A backslash that escapes nothing, and a number right before a word, are all that the parser warns of: to hold
    # warnings back takes about as long as most expressions do.
    if "\\" not in text and _NUMBER_BEFORE_WORD.search(text) is None:
        return ast.parse(text, mode="eval").body
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, mode="eval").body


def literal_value(expression: str | ast.expr) -> Any:
    """The value of a literal, or `NO_LITERAL` for any other expression, and for a text that is none."""
    try:
        tree = parse_quietly(expression.lstrip(" \t")) if isinstance(expression, str) else expression
        return ast.literal_eval(tree)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return NO_LITERAL


def is_literal(expression: str | ast.expr) -> bool:
    """Whether an expression is a literal."""
    return literal_value(expression) is not NO_LITERAL
