"""What the statements of a function's body themselves say: what it returns, and what a method assigns."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ingest.web.program.targets import ClassTarget, FunctionTarget
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.blocks import blocks
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope


def returned(function: FunctionTarget) -> list[tuple[ast.expr, Scope]]:
    """The expressions that a function itself returns, each with the scope it stands in."""
    node, body = function.node, function.body
    if isinstance(node, ast.Lambda):
        return [(node.body, body)]
    if body.returned is None:
        returns = [each for each in own_statements(node.body) if isinstance(each, ast.Return)]
        body.returned = [each.value for each in returns if each.value is not None]
    return [(value, body) for value in body.returned]


def yielded(function: FunctionTarget) -> list[tuple[ast.expr, Scope]]:
    """The expressions that a function yields as statements of its own, each with the scope it stands in."""
    found = own_statements(function.node.body) if isinstance(function.node, Function) else ()
    return [
        (node.value.value, function.body)
        for node in found
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield) and node.value.value is not None
    ]


def own_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements of a body at any depth, in source order, without those of nested functions and classes."""
    stack = list(reversed(body))
    while stack:
        statement = stack.pop()
        yield statement
        if isinstance(statement, Function | ast.ClassDef):
            continue
        within = [each for block in blocks(statement) for each in block]
        stack.extend(reversed(within))


def is_property(node: ast.AST) -> bool:
    """Whether a function is the getter of a property."""
    written = node.decorator_list if isinstance(node, Function) else []
    names = {last_name(d) for d in written}
    return bool(names & {"property", "cached_property"})


def assigned_by(method: Function) -> Iterator[tuple[str, ast.expr | None, ast.expr | None]]:
    """What a method assigns to attributes of its first parameter: their names, annotations and values."""
    first = next(parameters(method), None)
    for statement in own_statements(method.body):
        if not isinstance(statement, ast.Assign | ast.AnnAssign):
            continue
        annotation = statement.annotation if isinstance(statement, ast.AnnAssign) else None
        for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
            if not isinstance(target, ast.Attribute) or not isinstance(target.value, ast.Name):
                continue
            if first is not None and target.value.id == first[0].arg:
                yield target.attr, annotation, statement.value


def assigned_in(owner: ClassTarget) -> dict[str, list[tuple[ast.expr | None, ast.expr | None, Scope]]]:
    """What the methods of a class assign to attributes of their first parameter."""
    found: dict[str, list[tuple[ast.expr | None, ast.expr | None, Scope]]] = {}
    for method in owner.node.body:
        if isinstance(method, Function):
            for name, annotation, value in assigned_by(method):
                found.setdefault(name, []).append((annotation, value, owner.body.child(method)))
    return found


def is_only_declared(node: ast.expr | None) -> bool:
    """Whether a class only declares an attribute: `a: int`, `a: int = field(init=False)`."""
    if not isinstance(node, ast.Call):
        return node is None
    options = {keyword.arg: keyword.value for keyword in node.keywords}
    unset = options.get("init")
    return (
        isinstance(unset, ast.Constant)
        and unset.value is False
        and not options.keys() & {"default", "default_factory"}
    )
