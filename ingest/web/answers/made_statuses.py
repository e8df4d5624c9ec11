"""Statuses that objects carry which a helper gives for a mistake: `problem = find(key)`, then `problem.status`."""

from __future__ import annotations

import ast

from ingest.web.constants.constants import status_of
from ingest.web.program.calls import argument, parameter_names
from ingest.web.program.functions import own_statements, returned
from ingest.web.program.targets import ClassTarget, FunctionTarget, ValueTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances


def carried_status(instances: Instances, node: ast.expr, scope: Scope) -> int | None:
    """The one status that an attribute of what a helper gives can hold; None where there are several, or it is open."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return None
    target = instances.program.resolve(node.value, scope)
    if not isinstance(target, ValueTarget) or not isinstance(target.node, ast.Call):
        return None
    called = instances.callee(target.node.func, target.scope)
    if not isinstance(called, FunctionTarget):
        return None
    found: set[int | None] = set()
    for value, inner in returned(called):
        made = instances.callee(value.func, inner) if isinstance(value, ast.Call) else None
        if not isinstance(value, ast.Call) or not isinstance(made, ClassTarget):
            continue
        position = _position(instances, made, node.attr)
        if position is not None:
            found.add(status_of(instances.program, argument(value, position, node.attr), inner))
    return found.pop() if len(found) == 1 else None


def _position(instances: Instances, owner: ClassTarget, name: str) -> int | None:
    """At which position a class is given what it keeps under a name."""
    init = instances.program.class_member(owner, "__init__")
    if isinstance(init, FunctionTarget) and isinstance(init.node, Function):
        kept = any(
            isinstance(each, ast.Assign)
            and isinstance(each.targets[0], ast.Attribute)
            and each.targets[0].attr == name
            and isinstance(each.value, ast.Name)
            and each.value.id == name
            for each in own_statements(init.node.body)
        )
        names = parameter_names(init)
    else:
        names = [
            each.target.id
            for each in owner.node.body
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
        ]
        kept = True
    return names.index(name) if kept and name in names else None
