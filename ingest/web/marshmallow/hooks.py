"""Hooks of marshmallow's schemas, which change what is written or put all of it under a name."""

from __future__ import annotations

import ast

from ingest.web.program.functions import own_statements
from ingest.web.program.targets import ClassTarget
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.naming import last_name, uncalled

_HOOKS = frozenset({"pre_load", "post_dump"})


def wraps(owner: ClassTarget) -> bool:
    """Whether a hook makes another object of what is sent or written: `{"user": data}`, `data["user"]`."""
    return any(
        isinstance(statement, Function)
        and any(last_name(uncalled(each)) in _HOOKS for each in statement.decorator_list)
        and _changes_the_whole(statement)
        for statement in owner.node.body
    )


def reshapes(owner: ClassTarget, whole: bool = False) -> bool:
    """Whether a hook changes what is written; with `whole`, whether it does so to all objects at once."""
    for statement in owner.node.body:
        for decorator in statement.decorator_list if isinstance(statement, Function) else ():
            call = uncalled(decorator)
            name = last_name(call)
            if name != "post_dump":
                continue
            given = decorator.keywords if isinstance(decorator, ast.Call) else []
            if not whole or any(k.arg in ("pass_many", "pass_collection") for k in given):
                return True
    return False


def makes_objects(owner: ClassTarget) -> bool:
    """Whether a hook may make another value of what is loaded (`@post_load`)."""
    return any(
        last_name(uncalled(each)) == "post_load"
        for statement in owner.node.body
        if isinstance(statement, Function)
        for each in statement.decorator_list
    )


def _changes_the_whole(hook: Function) -> bool:
    names = [each.arg for each, _ in parameters(hook)]
    data = names[1] if len(names) > 1 else ""
    for statement in own_statements(hook.body):
        given = statement.value if isinstance(statement, ast.Return | ast.Assign) else None
        if isinstance(statement, ast.Assign):
            again = any(isinstance(each, ast.Name) and each.id == data for each in statement.targets)
            given = given if again else None
        match given:
            case ast.Dict(values=values) if any(_is_named(value, data) for value in values):
                return True
            case ast.Subscript(value=value) if _is_named(value, data):
                return True
            case ast.Call(func=ast.Attribute(value=value, attr="get" | "pop")) if _is_named(value, data):
                return True
    return False


def _is_named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
