"""Code that checks a value without saying its type: what it checks is judged by the type that the spec gives."""

from __future__ import annotations

from crossval.compare.components import own_types
from crossval.compare.languages import overlap
from graph.schema_algebra import Schema
from graph.schemas import unknown

_OF_NUMBERS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_BY_TYPE = {
    "string": frozenset({"minLength", "maxLength", "pattern", "format"}),
    "array": frozenset({"minItems", "maxItems", "uniqueItems"}),
    "object": frozenset({"minProperties", "maxProperties"}),
    "integer": _OF_NUMBERS,
    "number": _OF_NUMBERS,
}
_NUMBERS = {"integer": r"^-?[0-9]+$", "number": r"^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$"}
"""How numbers are written as texts."""
_CHECKS = frozenset().union(*_BY_TYPE.values())


def unchecked(code: Schema, keyword: str) -> bool:
    """Whether the code surely does not check this of a value; `*` stands for all that could be checked of one."""
    free = code.get("x-unchecked") or ()
    return keyword in free or (keyword != "required" and "*" in free)


def settled(spec: Schema, code: Schema) -> Schema:
    """The code's schema with the spec's type and the checks that are about it; unknown where there is no one type.

    What must match a pattern that no number does is a text. A value that may as well be told as the text that it is
    made of is one where the spec tells a text, of a form of its own where the code's value is no text.
    """
    if code.get("x-text-too") is True:
        formed = "format" in spec and own_types(code) == frozenset({"string"})
        if own_types(spec) == frozenset({"string"}) and not formed:
            return {"type": "string", "x-implied": ["pattern"]}
        return {key: value for key, value in code.items() if key != "x-text-too"}
    if code.get("x-any-type") is not True:
        return code
    types = own_types(spec)
    only = next(iter(types)) if types is not None and len(types) == 1 else ""
    if only not in _BY_TYPE:
        return unknown("the code does not say the type of what it checks")
    pattern = code.get("pattern")
    if only in _NUMBERS and isinstance(pattern, str) and overlap(pattern, _NUMBERS[only]) is False:
        only = "string"
    kept = {key: value for key, value in code.items() if key not in _CHECKS or key in _BY_TYPE[only]}
    return {**{key: value for key, value in kept.items() if key != "x-any-type"}, "type": only}


def may_take_null(code: Schema) -> bool:
    """Whether the code takes any value of a field or none, and null among them, or may do so: what is checked of a
    value of any type may be a check that null passes."""
    return code.get("x-any-type") is True and (unchecked(code, "required") or not unchecked(code, "type"))
