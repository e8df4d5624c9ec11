"""Functions that are given some of their arguments before: `partial(on_error, status=404)`."""

from __future__ import annotations

import ast

from ingest.web.program.targets import External, FunctionTarget, Target, ValueTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope
from ingest.web.values.as_told import as_told
from ingest.web.values.instances import Class, Instances

_PARTIAL = External("functools.partial")


def called_with_rest(instances: Instances, node: ast.expr, scope: Scope) -> FunctionTarget | Class | None:
    """What is called when this expression is; a function with what `partial` gives it by name."""
    if not isinstance(node, ast.Call) or len(node.args) != 1 or any(k.arg is None for k in node.keywords):
        return instances.callee(node, scope)
    program = instances.program
    if program.resolve(node.func, scope) != _PARTIAL:
        return instances.callee(node, scope)
    function = instances.callee(node.args[0], scope)
    if not isinstance(function, FunctionTarget) or not node.keywords:
        return function
    given: dict[str, Target] = {str(k.arg): ValueTarget(k.value, scope) for k in node.keywords}
    return program.remember(("with rest", node), lambda: _told(instances, function, given))


def _told(instances: Instances, function: FunctionTarget, given: dict[str, Target]) -> FunctionTarget:
    node = as_told(instances.program, function, given).node
    return FunctionTarget(node, function.scope) if isinstance(node, Function) else function
