"""Handlers that a function makes and gives back: `router.add_api_route("/", self.reader())`."""

from __future__ import annotations

import ast

from ingest.web.program.calls import given_for, has_stars
from ingest.web.program.targets import FunctionTarget, ParameterTarget, Target
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.copies import copy_of
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances, returned
from ingest.web.values.own_attributes import told_attributes


def handler_of(instances: Instances, node: ast.expr, scope: Scope) -> FunctionTarget | None:
    """The function that an expression is, be it one that the function makes which is called there."""
    target = instances.callee(node, scope)
    if not isinstance(target, FunctionTarget) and isinstance(node, ast.Call):
        target = _made(instances, node, scope)
    return target if isinstance(target, FunctionTarget) else None


def _made(instances: Instances, call: ast.Call, scope: Scope) -> FunctionTarget | None:
    """The function within the called one that this gives back, with the names that it sees there."""
    called = instances.callee(call.func, scope)
    if not isinstance(called, FunctionTarget) or not isinstance(called.node, ast.FunctionDef):
        return None
    if called.node.decorator_list or has_stars(call):
        return None
    results = {value.id if isinstance(value, ast.Name) else "" for value, _ in returned(called)}
    if len(results) != 1:
        return None
    made = instances.program.resolve(
        returned(called)[0][0], called.body.told(_given(instances, called, call, scope))
    )
    within = isinstance(made, FunctionTarget) and made.scope.node is called.node
    if not isinstance(made, FunctionTarget) or not within or not isinstance(made.node, Function):
        return None
    # What is known of a piece of code is kept with it: each call makes a function of its own.
    return FunctionTarget(copy_of(made.node), made.scope)


def _given(instances: Instances, called: FunctionTarget, call: ast.Call, scope: Scope) -> dict[str, Target]:
    """What the call gives for the function's parameters, and what is known of the object on which it is called."""
    on = call.func.value if isinstance(call.func, ast.Attribute) else None
    found: dict[str, Target] = told_attributes(scope) if isinstance(on, ast.Name) and on.id == "self" else {}
    for argument, default in parameters(called.node):
        target = ParameterTarget(argument.arg, called.body, argument.annotation, default)
        value, place = given_for(target, called, call, scope)
        known = instances.program.resolve(value, place) if value is not None else None
        if known is not None and not isinstance(known, ParameterTarget):
            found[argument.arg] = known
    return found
