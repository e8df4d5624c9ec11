"""The blocks of statements that a compound statement has."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable


def blocks(statement: ast.stmt) -> list[list[ast.stmt]]:
    """The lists of statements directly within a statement, as the tree has them; those of handlers and cases last."""
    found = [getattr(statement, name, []) for name in ("body", "orelse", "finalbody")]
    parts = (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ()))
    return [*found, *(part.body for part in parts)]


def with_blocks(statement: ast.stmt, change: Callable[[list[ast.stmt]], list[ast.stmt]]) -> ast.stmt:
    """A copy of a statement in which each block, those of handlers and cases too, is what `change` gives for it."""
    made = copy.copy(statement)
    for name in ("body", "orelse", "finalbody"):
        if block := getattr(statement, name, None):
            setattr(made, name, change(block))
    for name in ("handlers", "cases"):
        if parts := getattr(statement, name, None):
            setattr(made, name, [_with_body(part, change(part.body)) for part in parts])
    return made


def _with_body(part: ast.ExceptHandler | ast.match_case, body: list[ast.stmt]) -> ast.AST:
    made = copy.copy(part)
    made.body = body
    return made
