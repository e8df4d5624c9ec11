"""Default values and constants: what their source text says, and whether two of them differ."""

from __future__ import annotations

import ast
import math

import msgspec

from crossval.compare.annotations import parse_expression
from crossval.compare.verdicts import Verdict
from crossval.pairs import SourceText
from graph.facts import Json

_LONGEST = 4000
_CUT = 200
FLAGS = (0, 1)
"""Older code writes these numbers for what a stub rightly calls a bool."""


class Literal(msgspec.Struct, frozen=True):
    """A value that its source text tells wholly."""

    value: object


def read_literal(text: str) -> Literal | None:
    """The value of a literal's source text, or None where only running the code would tell it."""
    if len(text) > _LONGEST or text == "...":
        return None
    tree = parse_expression(text)
    if tree is None:
        return None
    try:
        return Literal(ast.literal_eval(tree))
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None


def read_constant(text: str) -> Literal | None:
    """As `read_literal`, for the text of an attribute's value, which readers cut when it is long."""
    return read_literal(text) if len(text) != _CUT else None


def compare_values(spec: Literal | None, code: Literal | None) -> Verdict:
    """Whether two values are equal; unknown where one is not a literal, or equal but of another type (`1`, `1.0`)."""
    if spec is None or code is None:
        return Verdict.UNKNOWN
    if spec.value != code.value:
        return Verdict.DIFFER
    return Verdict.EQUAL if repr(spec.value) == repr(code.value) else Verdict.UNKNOWN


def as_json(text: str) -> Json:
    """The value as evidence: a literal that JSON can hold as such, anything else as its source text."""
    literal = read_literal(text)
    if literal is not None and _fits(literal.value):
        return literal.value
    bare = literal is not None and isinstance(literal.value, tuple) and not text.endswith(")")
    return SourceText(f"({text})" if bare else text)


def _fits(value: object) -> bool:
    """Whether a value survives being written as JSON: no huge integers, infinities, or unprintable strings, tuples."""
    match value:
        case None | bool():
            return True
        case int():
            return -(2**63) <= value < 2**63
        case float():
            return math.isfinite(value)
        case str():
            return value.isprintable()
        case list():
            return all(map(_fits, value))
        case _:
            return False
