"""Decorators that wrap nothing by themselves, but hand the function that they are given on to other decorators."""

from __future__ import annotations

import ast

from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget, ParameterTarget
from ingest.web.syntax.bindings import Bound, Function, parameters
from ingest.web.syntax.naming import name_at
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import returned

_DEPTH = 10
_PARTIAL = frozenset({"functools.partial"})


def handed_on(program: Program, decorator: FunctionTarget) -> list[tuple[ast.expr, Scope]] | None:
    """The decorators to which one hands the function that it is given; None where it may give back anything else.

    Functions within it, and the function as it is given, may be given back too.
    """
    names = [argument.arg for argument, _ in parameters(decorator.node)]
    if not names or not isinstance(decorator.node, Function):
        return []
    found: list[tuple[ast.expr, Scope]] = []
    for value, scope in returned(decorator):
        if scope is not decorator.body or not _collect(program, value, scope, names[0], found, 0):
            return None
    return found


def gives_away(program: Program, wrapper: FunctionTarget, node: ast.expr, scope: Scope) -> bool:
    """Whether what a wrapper gives back is made by code outside of the project that is handed the wrapped function."""
    outer = wrapper.scope.node
    names = [argument.arg for argument, _ in parameters(outer)][:1] if isinstance(outer, Function) else []
    for call in ast.walk(node):
        if not isinstance(call, ast.Call):
            continue
        for each in (*call.args, *(keyword.value for keyword in call.keywords)):
            target = program.resolve(each, scope) if isinstance(each, ast.Name) and each.id in names else None
            if isinstance(target, ParameterTarget) and target.scope.node is outer:
                return not isinstance(program.resolve(call.func, scope), FunctionTarget)
    return False


def _collect(
    program: Program,
    node: ast.expr,
    scope: Scope,
    given: str,
    found: list[tuple[ast.expr, Scope]],
    depth: int,
) -> bool:
    """Notes the decorators that an expression hands the function to; whether it is nothing else than they give."""
    if depth > _DEPTH or is_none(node):
        return is_none(node)
    if isinstance(node, ast.Name):
        bindings = scope.bindings.get(node.id, [])
        return bool(bindings) and all(
            b.how in (Bound.FUNCTION, Bound.CLASS, Bound.PARAMETER)
            or (b.value is not None and _collect(program, b.value, scope, given, found, depth + 1))
            for b in bindings
        )
    if isinstance(node, ast.IfExp):
        return all(
            _collect(program, each, scope, given, found, depth + 1) for each in (node.body, node.orelse)
        )
    if isinstance(node, ast.Lambda):
        return True
    if not isinstance(node, ast.Call):
        return False
    target = program.resolve(node.func, scope)
    if isinstance(target, External) and target.dotted in _PARTIAL:
        # Told more, it is a decorator once again.
        return True
    handed = any(isinstance(each, ast.Name) and each.id == given for each in node.args)
    if handed and (node.func, scope) not in found:
        found.append((node.func, scope))
        # It may have been handed to others before: `view = checked(view)`.
        return _collect(program, name_at(given, node), scope, given, found, depth + 1)
    return handed
