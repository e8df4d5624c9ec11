"""How values of a request are tidied and converted on their way: `name = name.strip()`, `int(size)`, `UUID(key)`."""

from __future__ import annotations

import ast

from ingest.web.program.program import Program
from ingest.web.program.targets import External
from ingest.web.syntax.scopes import Scope

CONVERSIONS = {"int": "integer", "float": "number", "str": "string"}
_FORMS = {"datetime.date.fromisoformat": "date", "uuid.UUID": "uuid"}
TEXT_METHODS = frozenset({"strip", "lower", "upper", "lstrip", "rstrip"})


def formed_of(program: Program, node: ast.Call, scope: Scope) -> str:
    """The format that a text must have which a call turns into a value of Python's; empty for any other call."""
    if len(node.args) != 1 or node.keywords:
        return ""
    target = program.resolve(node.func, scope)
    return _FORMS.get(target.dotted, "") if isinstance(target, External) else ""


def rewritten(program: Program, node: ast.expr | None, name: str, scope: Scope) -> str | None:
    """The type that a variable has after it is given a tidier or converted form of itself; None for another value.

    Empty where the type stays: `name = name.strip()`.
    """
    if not isinstance(node, ast.Call):
        return None
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr in TEXT_METHODS:
        return "" if isinstance(function.value, ast.Name) and function.value.id == name else None
    if isinstance(function, ast.Name) and len(node.args) == 1 and function.id in CONVERSIONS:
        first = node.args[0]
        known = program.resolve(function, scope) == External(f"builtins.{function.id}")
        return (
            CONVERSIONS[function.id] if known and isinstance(first, ast.Name) and first.id == name else None
        )
    return None
