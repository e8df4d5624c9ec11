"""Several values assigned at once, `a, b = 1, 2`, written as one assignment each, as everything else reads them."""

from __future__ import annotations

import ast

from ingest.web.syntax.blocks import blocks

_PLACES = (ast.Name, ast.Attribute)


def split(statements: list[ast.stmt]) -> None:
    """Splits assignments of as many values as targets, at any depth, where their order does not matter."""
    index = 0
    while index < len(statements):
        parts = _parts(statements[index])
        statements[index : index + 1] = parts
        for part in parts:
            for block in blocks(part):
                split(block)
        index += len(parts)


def _parts(statement: ast.stmt) -> list[ast.stmt]:
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return [statement]
    target, value = statement.targets[0], statement.value
    if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple):
        return [statement]
    if len(target.elts) != len(value.elts) or not _independent(target.elts, value.elts):
        return [statement]
    made: list[ast.stmt] = []
    for name, each in zip(target.elts, value.elts, strict=True):
        made.append(ast.copy_location(ast.Assign(targets=[name], value=each), statement))
    return made


def _independent(targets: list[ast.expr], values: list[ast.expr]) -> bool:
    """Whether no value reads what is assigned before it."""
    if any(isinstance(each, ast.Starred) for each in (*targets, *values)):
        return False
    assigned: set[str] = set()
    for target, value in zip(targets, values, strict=True):
        if any(ast.unparse(part) in assigned for part in ast.walk(value) if isinstance(part, _PLACES)):
            return False
        if not isinstance(target, _PLACES):
            return False
        assigned.add(ast.unparse(target))
    return True
