"""Whether a condition decides if something is registered at all, so that it may not be served."""

from __future__ import annotations

import ast

from ingest.web.program.program import Program
from ingest.web.program.project_calls import calls_of
from ingest.web.program.targets import FunctionTarget
from ingest.web.syntax.bindings import Bound, Function
from ingest.web.syntax.scopes import Scope

_DEPTH = 4


def is_chosen(program: Program, call: ast.Call, scope: Scope, depth: int = 0) -> bool:
    """Whether a call that registers something is made under a condition only: where it stands, or, in a function that
    is given what it registers on, wherever that function is called."""
    if scope.chooses(call) or _may_leave_before(call, scope):
        return True
    whole = _whole(scope)
    if whole.parent is not None and whole.parent.is_class:
        scope = whole
    node, outside = scope.node, scope.parent
    if not isinstance(node, Function) or outside is None or depth > _DEPTH or not _on_parameter(call, scope):
        return False
    if outside.is_class:
        calls = _calls_on_self(node.name, outside)
    else:
        calls = calls_of(program, FunctionTarget(node, outside))
    return bool(calls) and all(is_chosen(program, each, inner, depth + 1) for each, inner in calls)


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


def _on_parameter(call: ast.Call, scope: Scope) -> bool:
    """Whether a call uses what its function is given."""
    used = [call.func, *call.args]
    # What an object holds may stand there by one name: `self.router`.
    names = {
        part.id.partition(".")[0] for each in used for part in ast.walk(each) if isinstance(part, ast.Name)
    }
    return any(b.how is Bound.PARAMETER for name in names for b in scope.bindings.get(name, []))


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
