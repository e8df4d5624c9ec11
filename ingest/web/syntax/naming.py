"""The names that expressions are written with."""

from __future__ import annotations

import ast


def last_name(node: ast.AST | None) -> str:
    """The last part of a name: `b` of `a.b` and of `b`; empty for what is no name."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def is_self(node: ast.AST) -> bool:
    """Whether this is the name by which methods know their object."""
    return isinstance(node, ast.Name) and node.id == "self"


def uncalled(node: ast.expr) -> ast.expr:
    """What is called, and anything else itself: `app.get` of `@app.get("/")`, `task` of `@task`."""
    return node.func if isinstance(node, ast.Call) else node


def name_at(name: str, place: ast.expr) -> ast.Name:
    """A name that the code does not write, as it would be read where an expression stands."""
    return ast.copy_location(ast.Name(name, ast.Load()), place)


def call_at(called: ast.expr, place: ast.expr, *given: ast.expr, **words: ast.expr) -> ast.Call:
    """A call that the code does not write, as it would be read where an expression stands."""
    return ast.copy_location(
        ast.Call(called, list(given), [ast.keyword(name, value) for name, value in words.items()]), place
    )
