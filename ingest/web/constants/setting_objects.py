"""Objects that hand out an application's own settings by methods of their class: `app_settings.NAME` where a property
of that name or `__getattr__` asks for it, and what `self.ask("NAME", default)` gives within them."""

from __future__ import annotations

import ast
from typing import TypeAlias

from ingest.web.program.calls import given_for, has_stars, last_result, parameter_names
from ingest.web.program.functions import is_property
from ingest.web.program.methods import owner_of_self
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget, ParameterTarget, Target, ValueTarget
from ingest.web.syntax.bindings import parameters
from ingest.web.syntax.scopes import Scope

_Placed: TypeAlias = tuple[ast.expr, Scope]


def handed_out(
    program: Program, call: ast.Call, name: str, scope: Scope
) -> tuple[_Placed, FunctionTarget] | None:
    """The expression that the object of this call gives under a name by a property or by `__getattr__`, and the method;
    None where it has the name otherwise, or gives one thing or another."""
    owner = program.resolve(call.func, scope)
    if not isinstance(owner, ClassTarget):
        return None
    made, asked = program.class_member(owner, name), False
    if made is None:
        made, asked = program.class_member(owner, "__getattr__"), True
    if not isinstance(made, FunctionTarget) or not (asked or is_property(made.node)):
        return None
    result = last_result(made)
    names = [each.arg for each, _ in parameters(made.node)]
    if result is None or len(names) != 1 + asked:
        return None
    given: dict[str, Target] = {names[0]: ValueTarget(call, scope)}
    if asked:
        given[names[1]] = ValueTarget(ast.copy_location(ast.Constant(name), call), scope)
    return (result, made.body.told(given)), made


def method_called(program: Program, call: ast.Call, scope: Scope) -> tuple[FunctionTarget, Target] | None:
    """The method that is called on an object whose making is in sight, or on `self`, and that object."""
    if not isinstance(call.func, ast.Attribute):
        return None
    held = program.resolve(call.func.value, scope)
    owner: Target | None = None
    if isinstance(held, ValueTarget) and isinstance(held.node, ast.Call):
        owner = program.resolve(held.node.func, held.scope)
    elif isinstance(held, ParameterTarget):
        owner = owner_of_self(held)
    made = program.class_member(owner, call.func.attr) if isinstance(owner, ClassTarget) else None
    return (made, held) if isinstance(made, FunctionTarget) and held is not None else None


def result_of(
    called: FunctionTarget, call: ast.Call, scope: Scope, held: Target | None = None
) -> _Placed | None:
    """What a function gives that decides nothing, as a call of it sees that; `held` is the object of a method."""
    result = last_result(called)
    if result is None or has_stars(call):
        return None
    given: dict[str, Target] = {}
    if held is not None and (first := next(parameters(called.node), None)) is not None:
        given[first[0].arg] = held
    for name in parameter_names(called):
        default = next((d for each, d in parameters(called.node) if each.arg == name), None)
        value, place = given_for(ParameterTarget(name, called.body, None, default), called, call, scope)
        if value is not None:
            given[name] = ValueTarget(value, place)
    return result, called.body.told(given) if given else called.body
