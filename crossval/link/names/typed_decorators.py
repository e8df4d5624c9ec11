"""Decorators whose annotations say that they give back a function of the same signature: `def f(of: F) -> F`."""

from __future__ import annotations

import ast
from collections.abc import Callable

from crossval.compare.annotations import parse_expression
from graph.facts import Fact

_CALLABLE = "Callable"


def keeps_signature(decorator: Fact, is_variable: Callable[[str], bool]) -> bool:
    """Whether a function takes and gives one type variable, or gives what does; `is_variable` knows the names of those.

    `Callable[P, X]` for `Callable[P, Y]` keeps the parameters as well.
    """
    given = _read(decorator.aspects.get("returns"))
    rows = decorator.aspects.get("parameters", [])
    taken = next((_read(row[2]) for row in rows if row[0] not in ("self", "cls")), None)
    if given is None:
        return False
    if taken is not None and _is_same(taken, given, is_variable):
        return True
    made = _callable(given)
    if made is None or not isinstance(made[0], ast.List) or len(made[0].elts) != 1:
        return False
    return _is_same(made[0].elts[0], made[1], is_variable)


def _is_same(taken: ast.expr, given: ast.expr, is_variable: Callable[[str], bool]) -> bool:
    """Whether two types are one variable, or callables of one variable for parameters."""
    if isinstance(taken, ast.Name) and isinstance(given, ast.Name):
        return taken.id == given.id and is_variable(taken.id)
    ours, theirs = _callable(taken), _callable(given)
    return ours is not None and theirs is not None and _is_same(ours[0], theirs[0], is_variable)


def _callable(node: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """What a `Callable` takes and gives."""
    match node:
        case ast.Subscript(value=head, slice=ast.Tuple(elts=[taken, given])):
            named = ast.unparse(head).rpartition(".")[2] == _CALLABLE
            return (taken, given) if named else None
        case _:
            return None


def _read(text: object) -> ast.expr | None:
    tree = parse_expression(text) if isinstance(text, str) else None
    if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
        return parse_expression(tree.value)
    return tree
