"""Views that a function of the project makes: what a call of it gives, its parameters as the call gives them."""

from __future__ import annotations

import ast

from ingest.web.bindings import Function, parameters
from ingest.web.calls import given_for, has_stars
from ingest.web.functions import returned
from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.specialised import with_given
from ingest.web.targets import FunctionTarget, ParameterTarget, Target, ValueTarget


def made_view(
    program: Program, made: FunctionTarget, call: ast.Call, scope: Scope
) -> tuple[ast.expr, Scope] | None:
    """The call that makes the view which a function gives back (`Made.as_view()`), with where it stands; None where it
    gives something else, such as a function of its own around the view."""
    if not isinstance(made.node, Function) or made.node.decorator_list or has_stars(call):
        return None
    results = returned(as_called(program, made, call, scope))
    if len(results) != 1:
        return None
    target = program.resolve(*results[0])
    if not isinstance(target, ValueTarget) or not isinstance(target.node, ast.Call):
        return None
    return target.node, target.scope


def as_called(program: Program, made: FunctionTarget, call: ast.Call, scope: Scope) -> FunctionTarget:
    """A function as this call makes it: its parameters stand for what is given."""
    return program.remember(("as made", made.node, call), lambda: _called(program, made, call, scope))


def _called(program: Program, made: FunctionTarget, call: ast.Call, scope: Scope) -> FunctionTarget:
    given: dict[str, Target] = {}
    for node, default in parameters(made.node):
        value, place = given_for(
            ParameterTarget(node.arg, made.body, node.annotation, default), made, call, scope
        )
        target = program.resolve(value, place) if value is not None else None
        if target is not None and len(made.body.bindings.get(node.arg, ())) == 1:
            given[node.arg] = target
    return with_given(made, given)
