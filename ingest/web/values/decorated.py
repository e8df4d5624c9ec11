"""What calls decorate: functions and classes, by `@` or by being called themselves."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeAlias

from ingest.web.program.targets import ClassTarget, FunctionTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

Decorated: TypeAlias = FunctionTarget | ClassTarget


def decorated_by(instances: Instances, scope: Scope) -> dict[ast.Call, Decorated]:
    """What each call of the scope decorates, with `@` or by being called itself (`app.get("/")(handler)`)."""
    found: dict[ast.Call, Decorated] = {}
    for call in scope.calls:
        if isinstance(call.func, ast.Call) and len(call.args) == 1 and not call.keywords:
            target = instances.callee(call.args[0], scope)
            if isinstance(target, FunctionTarget | ClassTarget):
                found[call.func] = target
    for inner in scope.descend():
        if inner.parent is not scope:
            continue
        node = inner.node
        if isinstance(node, Function):
            found.update({d: FunctionTarget(node, scope) for d in _calls(node.decorator_list)})
        elif isinstance(node, ast.ClassDef):
            found.update({d: ClassTarget(node, scope) for d in _calls(node.decorator_list)})
    return found


def _calls(nodes: list[ast.expr]) -> Iterator[ast.Call]:
    return (node for node in nodes if isinstance(node, ast.Call))
