"""The blocks of statements that a compound statement has."""

from __future__ import annotations

import ast


def blocks(statement: ast.stmt) -> list[list[ast.stmt]]:
    """The lists of statements directly within a statement, as the tree has them; those of handlers and cases last."""
    found = [getattr(statement, name, []) for name in ("body", "orelse", "finalbody")]
    parts = (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ()))
    return [*found, *(part.body for part in parts)]
