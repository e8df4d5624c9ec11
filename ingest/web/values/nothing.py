"""Whether a function gives nothing: what it says it returns, else what its statements do."""

from __future__ import annotations

import ast

from ingest.displays import DISPLAYS
from ingest.web.program.nulls import is_none
from ingest.web.program.shapes import ShapeKind
from ingest.web.program.targets import ClassTarget, FunctionTarget, ValueTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotations import shape_of
from ingest.web.values.instances import Instances, returned

_DEPTH = 5
_SOME = (*DISPLAYS, ast.BinOp, ast.Subscript)


def gives_nothing(instances: Instances, function: FunctionTarget, depth: int = 0) -> bool | None:
    """True where a function always gives None, False where it never does; None where neither is known."""
    node = function.node
    if not isinstance(node, Function) or depth > _DEPTH:
        return None
    if node.returns is not None:
        if is_none(node.returns):
            return True
        members = shape_of(instances.program, node.returns, function.scope).members
        kinds = {member.kind for member in members}
        if not kinds & {ShapeKind.UNKNOWN, ShapeKind.ANY}:
            return False if ShapeKind.NONE not in kinds else None
    results = returned(function)
    if not results:
        returns = any(isinstance(each, ast.Raise) for each in node.body[-1:])
        return None if returns else True
    if not _ends(node.body):
        return None
    if all(is_none(value) for value, _ in results):
        return True
    return False if all(_is_something(instances, *each, depth) for each in results) else None


def _is_something(instances: Instances, node: ast.expr, scope: Scope, depth: int) -> bool:
    """Whether an expression is surely not None."""
    while isinstance(node, ast.Await):
        node = node.value
    if is_none(node):
        return False
    if isinstance(node, _SOME):
        return True
    if isinstance(node, ast.Name):
        target = instances.program.resolve(node, scope)
        if not isinstance(target, ValueTarget) or target.node in (None, node) or depth > _DEPTH:
            return False
        return target.node is not None and _is_something(instances, target.node, target.scope, depth + 1)
    if not isinstance(node, ast.Call):
        return False
    called = instances.callee(node.func, scope)
    if isinstance(called, ClassTarget):
        return True
    return isinstance(called, FunctionTarget) and gives_nothing(instances, called, depth + 1) is False


def _ends(body: list[ast.stmt]) -> bool:
    """Whether a body never ends but by returning or raising, as far as its last statement tells."""
    match body[-1] if body else None:
        case ast.Return() | ast.Raise():
            return True
        case ast.If(body=inner, orelse=other):
            return bool(other) and _ends(inner) and _ends(other)
        case ast.Try(body=inner, handlers=handlers, orelse=other):
            return _ends(other or inner) and all(_ends(each.body) for each in handlers)
        case ast.With(body=inner) | ast.AsyncWith(body=inner):
            return _ends(inner)
    return False
