"""The nodes of a handler's body: what is within what, and what merely asks about a value."""

from __future__ import annotations

import ast

from ingest.web.bindings import Function


def is_question(outer: ast.AST | None, node: ast.Name) -> bool:
    """`"title" in data`, `data is None` and `isinstance(data, dict)` take nothing from the body."""
    if isinstance(outer, ast.Call):
        return isinstance(outer.func, ast.Name) and outer.func.id in ("isinstance", "len", "type", "bool")
    return isinstance(outer, ast.Compare) and (
        outer.comparators == [node] or all(isinstance(c, ast.Constant) for c in outer.comparators)
    )


def parents_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[ast.AST, ast.AST]:
    """Each node of a function's body with the one that it is in, without those of nested functions and classes."""
    found: dict[ast.AST, ast.AST] = {}
    stack: list[ast.AST] = list(function.body)
    while stack:
        parent = stack.pop()
        for child in ast.iter_child_nodes(parent):
            found[child] = parent
            if not isinstance(child, Function | ast.ClassDef):
                stack.append(child)
    return found
