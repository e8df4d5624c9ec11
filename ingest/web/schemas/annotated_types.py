"""The limits that the package `annotated_types` puts on values."""

from __future__ import annotations

import ast

from graph.facts import Json
from ingest.web.constants.constants import Missing, constant
from ingest.web.program.program import Program
from ingest.web.syntax.scopes import Scope

_ANNOTATED_TYPES = {
    "Gt": "gt",
    "Ge": "ge",
    "Lt": "lt",
    "Le": "le",
    "MinLen": "min_length",
    "MaxLen": "max_length",
}


def limits_of(program: Program, name: str, node: ast.Call, scope: Scope) -> dict[str, Json] | None:
    """The limits, by Pydantic's names, that a call of one of these types stands for; None where they are not read."""
    values = [constant(program, argument, scope) for argument in node.args]
    if name in _ANNOTATED_TYPES and len(values) == 1 and not isinstance(values[0], Missing):
        return {_ANNOTATED_TYPES[name]: values[0]}
    if name == "Len" and values and all(isinstance(value, int) for value in values):
        return dict(zip(("min_length", "max_length"), values, strict=False))
    if name == "MultipleOf" and len(values) == 1 and not isinstance(values[0], Missing):
        return {"multiple_of": values[0]}
    if name == "Interval" and not values:
        bounds = {keyword.arg: constant(program, keyword.value, scope) for keyword in node.keywords}
        known = not any(isinstance(value, Missing) for value in bounds.values())
        if bounds.keys() <= {"gt", "ge", "lt", "le"} and known:
            return {str(each): value for each, value in bounds.items() if value is not None}
    return None if name in ("Interval", "MultipleOf", "Len", *_ANNOTATED_TYPES) else {}
