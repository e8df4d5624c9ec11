"""Flask's classes of views: the class behind a route, and which of its methods answers what."""

from __future__ import annotations

import ast

from ingest.web.constants.constants import constant, entry_of
from ingest.web.program.heirs import of_heir
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget, ValueTarget
from ingest.web.syntax.scopes import Scope

_METHODS = ("get", "post", "put", "patch", "delete")
_ROOTS = frozenset({"flask", "apiflask", "flask_apispec", "flasgger"})
_BY_METHOD = frozenset({"MethodView", "MethodResource", "SwaggerView"})


def view_class(program: Program, node: ast.expr, scope: Scope) -> ClassTarget | None:
    """The class behind `View.as_view(…)`."""
    target = program.resolve(node, scope)
    call = target.node if isinstance(target, ValueTarget) else None
    if not (
        isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "as_view"
    ):
        return None
    assert isinstance(target, ValueTarget), "only values have calls"
    node, scope = call.func.value, target.scope
    if isinstance(node, ast.Subscript):
        node, scope = entry_of(program, node, scope) or (node, scope)
    found = program.resolve(node, scope)
    known = program.is_a(found, _ROOTS, _BY_METHOD | {"View"})
    return found if known and isinstance(found, ClassTarget) else None


def view_methods(
    program: Program, view: ClassTarget, methods: list[str] | None
) -> list[tuple[str, FunctionTarget]] | None:
    """Each method that a class of views answers, with the function that does; None where that cannot be known."""
    if program.is_a(view, _ROOTS, _BY_METHOD):
        return members(program, view, methods)
    member = program.class_member(view, "methods")
    if methods is None and isinstance(member, ValueTarget):
        own = constant(program, member.node, member.scope)
        if not isinstance(own, list):
            return None
        methods = [str(m).upper() for m in own]
    dispatch = program.class_member(view, "dispatch_request")
    if not isinstance(dispatch, FunctionTarget):
        return None
    dispatch = of_heir(program, dispatch, view)
    return [(method, dispatch) for method in methods or ["GET"]]


def members(
    program: Program, view: ClassTarget, methods: list[str] | None
) -> list[tuple[str, FunctionTarget]]:
    """The methods of a class that are called as HTTP's are, each as the class itself has it."""
    found = []
    for name in _METHODS:
        member = program.class_member(view, name)
        if isinstance(member, FunctionTarget) and (methods is None or name.upper() in methods):
            found.append((name.upper(), of_heir(program, member, view)))
    return found
