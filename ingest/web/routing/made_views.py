"""Views that a function of the project makes: what a call of it gives, its parameters as the call gives them."""

from __future__ import annotations

import ast

from ingest.web.constants.constants import constant
from ingest.web.program.calls import given_for, has_stars
from ingest.web.program.functions import returned
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget, ParameterTarget, Target, ValueTarget
from ingest.web.syntax.bindings import Binding, Bound, Function, parameters
from ingest.web.syntax.scopes import Scope
from ingest.web.values.imported_names import attribute_asked
from ingest.web.values.specialised import with_given


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
    target = _asked(program, *results[0])
    if not isinstance(target, ValueTarget) or not isinstance(target.node, ast.Call):
        return None
    return target.node, target.scope


def _asked(program: Program, node: ast.expr, scope: Scope) -> Target | None:
    """What a result stands for, which may be asked for by name: `getattr(own, name, getattr(views, name))`."""
    target = program.resolve(attribute_asked(program, node, scope), scope)
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[_, _, otherwise]) if target is None:
            return _asked(program, otherwise, scope)
    return target


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
        bound = made.body.bindings.get(node.arg, [])
        if (otherwise := _otherwise(made, node.arg, bound)) is not None:
            with program.following():
                nothing = constant(program, value, place) is None
            target = program.resolve(otherwise, made.body) if nothing else None
        if target is not None and (len(bound) == 1 or otherwise is not None):
            given[node.arg] = target
    return with_given(made, given)


def _otherwise(made: FunctionTarget, name: str, bound: list[Binding]) -> ast.expr | None:
    """What a parameter is set to where nothing is given: `if not views: views = own_views`."""
    if len(bound) != 2 or bound[1].how is not Bound.VALUE or not isinstance(made.node, Function):
        return None
    for statement in made.node.body:
        match statement:
            case ast.If(
                test=ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=tested))
                | ast.Compare(
                    left=ast.Name(id=tested), ops=[ast.Is()], comparators=[ast.Constant(value=None)]
                ),
                body=[ast.Assign(value=value)],
                orelse=[],
            ) if tested == name and value is bound[1].value:
                return value
    return None
