"""Whether a condition decides if something is registered at all, so that it may not be served."""

from __future__ import annotations

import ast

from ingest.web.program.calls import given_for, parameter_names
from ingest.web.program.program import Program
from ingest.web.program.project_calls import calls_of
from ingest.web.program.targets import FunctionTarget, ParameterTarget
from ingest.web.syntax.bindings import Bound, Function
from ingest.web.syntax.scopes import Scope

_DEPTH = 4


def is_chosen(program: Program, call: ast.Call, scope: Scope) -> bool:
    """Whether a call that registers something is made under a condition only: where it stands, or, in a function that
    is given what it registers on, wherever that function is called."""
    return _is_chosen(program, call, scope, [call.func, *call.args], 0)


def _is_chosen(program: Program, call: ast.Call, scope: Scope, used: list[ast.expr], depth: int) -> bool:
    if scope.chooses(call) or _may_leave_before(call, scope):
        return True
    whole = _whole(scope)
    if whole.parent is not None and whole.parent.is_class:
        scope = whole
    node, outside, names = scope.node, scope.parent, _parameters_in(used, scope)
    if not isinstance(node, Function) or outside is None or depth > _DEPTH or not names:
        return False
    function = FunctionTarget(node, outside)
    calls = _calls_on_self(node.name, outside) if outside.is_class else calls_of(program, function)
    return bool(calls) and all(
        _is_chosen(program, each, inner, _given(each, inner, function, names), depth + 1)
        for each, inner in calls
    )


def _given(call: ast.Call, scope: Scope, function: FunctionTarget, names: set[str]) -> list[ast.expr]:
    """What a call gives for some parameters of a function; the object that a method is called on among them."""
    own = parameter_names(function)
    found = [
        given_for(ParameterTarget(each, function.body, None, None), function, call, scope)[0]
        for each in names
    ]
    if function.scope.is_class and any(each not in own for each in names):
        found.append(call.func)
    return [each for each in found if each is not None]


def _whole(scope: Scope) -> Scope:
    """A scope as it stands in the source, of which this one may be a round."""
    while scope.parent is not None and scope.parent.node is scope.node:
        scope = scope.parent
    return scope


def _calls_on_self(name: str, around: Scope) -> list[tuple[ast.Call, Scope]]:
    """The calls of a method on the own object (`self.register_maps()`), in the classes of its module."""
    inside = around
    while inside.parent is not None:
        inside = inside.parent
    return [
        (call, scope)
        for scope in inside.descend()
        if scope.parent is not None and scope.parent.is_class
        for call in scope.calls
        if isinstance(call.func, ast.Attribute)
        and call.func.attr == name
        and isinstance(call.func.value, ast.Name)
        and any(b.how is Bound.PARAMETER for b in scope.bindings.get(call.func.value.id, []))
    ]


def _parameters_in(used: list[ast.expr], scope: Scope) -> set[str]:
    """The parameters of a function that expressions in it use."""
    # What an object holds may stand there by one name: `self.router`.
    names = {
        part.id.partition(".")[0] for each in used for part in ast.walk(each) if isinstance(part, ast.Name)
    }
    return {name for name in names if any(b.how is Bound.PARAMETER for b in scope.bindings.get(name, []))}


def _may_leave_before(call: ast.Call, scope: Scope) -> bool:
    """Whether the function of a call may return before it comes to it (`if not enabled: return`)."""
    body = scope.node.body if isinstance(scope.node, Function) else []
    return any(
        isinstance(each, ast.If)
        and isinstance(each.body[-1], ast.Return)
        and not each.orelse
        and (each.end_lineno or call.lineno) < call.lineno
        for each in body
    )
