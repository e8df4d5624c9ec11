"""Helpers that give the body of a Flask request back to who calls them, alone or in a tuple."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ingest.web.program.targets import FunctionTarget
from ingest.web.requests.parts import are_bodies
from ingest.web.requests.values import RequestValues
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import returned


def giving_bodies(values: RequestValues, functions: Iterable[FunctionTarget]) -> set[ast.AST]:
    """The functions of these that give the whole body back."""
    return {
        function.node
        for function in functions
        if any(_is_body(values, each, scope) for value, scope in returned(function) for each in _parts(value))
    }


def _parts(value: ast.expr) -> list[ast.expr]:
    return value.elts if isinstance(value, ast.Tuple) else [value]


def _is_body(values: RequestValues, node: ast.expr, scope: Scope) -> bool:
    part = values.of(node, scope)
    return part is not None and are_bodies(part) and part.place == "json"


def is_returned(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether an expression is what a function gives back, or a part of it."""
    outer = parents.get(node)
    return isinstance(parents.get(outer) if isinstance(outer, ast.Tuple) else outer, ast.Return)


def unpacked(
    values: RequestValues, call: ast.Call, parents: dict[ast.AST, ast.AST], scope: Scope
) -> list[str]:
    """The names that stand for the body after a call has given it beside something else."""
    outer = parents.get(call)
    target = outer.targets[0] if isinstance(outer, ast.Assign) and len(outer.targets) == 1 else None
    names = (
        [each for each in target.elts if isinstance(each, ast.Name)] if isinstance(target, ast.Tuple) else []
    )
    held = (ast.Name(each.id, ast.Load(), lineno=each.lineno + 1) for each in names)
    return [each.id for each in held if _is_body(values, each, scope)]
