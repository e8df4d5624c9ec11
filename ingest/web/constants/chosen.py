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
    node, outside = scope.node, scope.parent
    if not isinstance(node, Function) or outside is None or depth > _DEPTH or not _on_parameter(call, scope):
        return False
    calls = calls_of(program, FunctionTarget(node, outside))
    return bool(calls) and all(is_chosen(program, each, inner, depth + 1) for each, inner in calls)


def _on_parameter(call: ast.Call, scope: Scope) -> bool:
    """Whether a call uses what its function is given."""
    used = [call.func, *call.args]
    names = {part.id for each in used for part in ast.walk(each) if isinstance(part, ast.Name)}
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
