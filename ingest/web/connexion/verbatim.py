"""What a function takes from a request and checks nowhere: whatever the contract lets in may be answered."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from graph.facts import Json
from graph.schema_algebra import Schema
from ingest.web.program.targets import FunctionTarget

_REFUSING = frozenset({400, 406, 412, 413, 415, 422, 428})
_LIMITING = (ast.NotIn, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_OF_TEXTS = ("enum", "format", "maxLength", "minLength", "pattern")
_OF_NUMBERS = ("enum", "exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf")
_LIMITS = {"string": _OF_TEXTS, "integer": _OF_NUMBERS, "number": _OF_NUMBERS}
_SPELLING = frozenset({"enum", "format", "pattern", "const", "anyOf", "oneOf", "allOf", "not"})
"""Keywords that say so much of a value that others may follow from them."""


def passes_on(statuses: Iterable[int | None]) -> bool:
    """Whether a function that answers with these statuses refuses no value: it leaves that to the contract."""
    return not any(status is None or status in _REFUSING or status >= 500 for status in statuses)


def checked_names(functions: Iterable[FunctionTarget]) -> frozenset[str]:
    """The names of variables, attributes and keys that these functions hold against limits or measure."""
    return frozenset(name for function in functions for name in _checked(function.node))


def unlimited(known: Schema, written: Json) -> Schema:
    """What is `known` of a value with the limits that nothing sets: neither code nor the schema that is `written`."""
    if not isinstance(written, dict):
        return known
    if known.get("type") == "string" and isinstance(written.get("enum"), list):
        return {**known, "x-shown": sorted(str(each) for each in written["enum"] if each)}
    if _SPELLING & written.keys():
        return known
    free = [keyword for keyword in _LIMITS.get(str(known.get("type")), ()) if keyword not in written]
    return {**known, "x-unchecked": free} if free else known


def _checked(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Compare) and any(isinstance(how, _LIMITING) for how in each.ops):
            yield from _names([each.left, *each.comparators])
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == "len":
            yield from _names(each.args)
        elif isinstance(each, ast.Match):
            yield from _names([each.subject])


def _names(parts: Iterable[ast.expr]) -> Iterator[str]:
    for part in parts:
        for each in ast.walk(part):
            if isinstance(each, ast.Name):
                yield each.id
            elif isinstance(each, ast.Attribute):
                yield each.attr
            elif isinstance(each, ast.Constant) and isinstance(each.value, str):
                yield each.value
