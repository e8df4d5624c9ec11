"""The list of classes that a function of the project gives, where its settings decide which (`permission_classes =
api_permissions()`)."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ingest.web.constants.constants import Missing, constant
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope


def list_given(program: Program, node: ast.expr | None, scope: Scope) -> tuple[ast.expr, Scope] | None:
    """What a call without arguments gives, as an expression in the function; None where that cannot be known."""
    if not isinstance(node, ast.Call) or node.args or node.keywords:
        return None
    called = program.resolve(node.func, scope)
    if not isinstance(called, FunctionTarget) or not isinstance(called.node, Function):
        return None
    found = _through(program, called.node.body, called.body)
    return (found, called.body) if found is not None else None


def _through(program: Program, body: Sequence[ast.stmt], scope: Scope) -> ast.expr | None:
    """What statements return of which only conditions that are constant decide."""
    for place, statement in enumerate(body):
        match statement:
            case ast.Expr(value=ast.Constant()) | ast.Import() | ast.ImportFrom():
                continue
            case ast.Assign(targets=[ast.Name()]):
                continue
            case ast.Return(value=ast.expr() as value):
                return value
            case ast.If(test=test, body=then, orelse=other):
                held = constant(program, test, scope)
                if isinstance(held, Missing):
                    return None
                return _through(program, [*(then if held else other), *body[place + 1 :]], scope)
            case _:
                return None
    return None
