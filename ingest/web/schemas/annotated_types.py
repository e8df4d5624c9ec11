"""The limits that the package `annotated_types` puts on values."""

from __future__ import annotations

import ast

from graph.facts import Json
from ingest.web.constants.constants import Missing, constant
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ValueTarget
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import returned

_DEPTH = 4
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


def is_validator(program: Program, node: ast.expr, scope: Scope) -> bool:
    """Whether this is one of Pydantic's functions around a value: `BeforeValidator(str.lower)`."""
    target = program.resolve(node.func, scope) if isinstance(node, ast.Call) else None
    return isinstance(target, External) and target.root == "pydantic" and target.name.endswith("Validator")


def written_out(program: Program, node: ast.expr, scope: Scope, depth: int = 0) -> tuple[ast.expr, Scope]:
    """What a name among the metadata of `Annotated` is bound to, or a function of the project gives for it."""
    if depth > _DEPTH:
        return node, scope
    if isinstance(node, ast.Name | ast.Attribute):
        target = program.resolve(node, scope)
        if isinstance(target, ValueTarget) and target.node is not None and target.node is not node:
            return written_out(program, target.node, target.scope, depth + 1)
    elif isinstance(node, ast.Call):
        made = program.resolve(node.func, scope)
        results = returned(made) if isinstance(made, FunctionTarget) else []
        if len(results) == 1:
            return written_out(program, *results[0], depth + 1)
    return node, scope


def is_open(program: Program, node: ast.expr, scope: Scope) -> bool:
    """Whether what stands among the metadata may say anything: it comes from a call of what cannot be known."""
    if not isinstance(node, ast.Call):
        return False
    return not isinstance(program.resolve(node.func, scope), External | ClassTarget)
