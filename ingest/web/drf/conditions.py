"""What conditions of a view ask of the action and the method of a request."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable

from graph.facts import Json
from ingest.web.constants.constants import MISSING, Missing, constant
from ingest.web.drf.callers import SAFE
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget, Target, ValueTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope

Own = Callable[[str], Target | None]


def holds(
    program: Program,
    test: ast.expr,
    scope: Scope,
    action: str,
    method: str,
    own: Own | None = None,
) -> bool | None:
    """Whether a condition on the action or the method holds; None where it depends on more. `own` tells what the view
    has under a name (`self.action in self.public_actions`)."""
    match test:
        case ast.BoolOp(op=op, values=values):
            parts = [holds(program, value, scope, action, method, own) for value in values]
            wanted = isinstance(op, ast.Or)
            if wanted in parts:
                return wanted
            return None if None in parts else not wanted
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            held = holds(program, inner, scope, action, method, own)
            return None if held is None else not held
        case ast.Compare(
            left=ast.Call(func=ast.Attribute(attr="lower", value=ast.Attribute(attr="method"))),
            ops=[op],
            comparators=[right],
        ):
            cased = ast.Compare(
                left=ast.Attribute(value=ast.Name(id="request"), attr="method"), ops=[op], comparators=[right]
            )
            return holds(program, cased, scope, action, method.lower(), own)
        case ast.Compare(left=ast.Attribute(attr="action" | "method" as name), ops=[op], comparators=[right]):
            value = action if name == "action" else method
            target = program.resolve(right, scope)
            safe = isinstance(target, External) and target.name == "SAFE_METHODS"
            other = list(SAFE) if safe else _constant(program, right, scope, own)
            if isinstance(op, ast.Eq | ast.NotEq) and isinstance(other, str):
                return (value == other) == isinstance(op, ast.Eq)
            if isinstance(op, ast.In | ast.NotIn) and isinstance(other, list):
                return (value in other) == isinstance(op, ast.In)
    return None


def _constant(program: Program, node: ast.expr, scope: Scope, own: Own | None) -> Json | Missing:
    """A constant, be it one that the view itself has."""
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=name) if own is not None:
            found = own(name)
            if not isinstance(found, ValueTarget) or found.node is None:
                return MISSING
            return constant(program, found.node, found.scope)
    return constant(program, node, scope)


def as_reached(
    program: Program, called: FunctionTarget, action: str, method: str, own: Own | None
) -> FunctionTarget:
    """A method of a view without the branches that a request for this action never reaches."""
    if not isinstance(called.node, Function):
        return called
    kept = [
        way
        for statement in called.node.body
        for way in _kept(program, statement, called.body, (action, method), own)
    ]
    if kept == called.node.body:
        return called
    key = ("reached", called.node, tuple(map(id, kept)))
    node = program.remember(key, lambda: _with_body(called.node, kept))
    return FunctionTarget(node, called.scope)


def _kept(
    program: Program, statement: ast.stmt, scope: Scope, asked: tuple[str, str], own: Own | None
) -> list[ast.stmt]:
    """What is left of a statement where its condition asks for the action or the method alone."""
    if not isinstance(statement, ast.If) or not _is_of_request(statement.test):
        return [statement]
    held = holds(program, statement.test, scope, *asked, own)
    if held is None:
        return [statement]
    taken = statement.body if held else statement.orelse
    return [each for inner in taken for each in _kept(program, inner, scope, asked, own)]


def _is_of_request(test: ast.expr) -> bool:
    """Whether what a condition calls the action or the method is that of the request."""
    for part in ast.walk(test):
        if isinstance(part, ast.Attribute) and part.attr == "action" and last_name(part.value) != "self":
            return False
        if isinstance(part, ast.Attribute) and part.attr == "method" and last_name(part.value) != "request":
            return False
    return True


def _with_body(node: ast.AST, body: list[ast.stmt]) -> Function:
    made = copy.copy(node)
    assert isinstance(made, Function)
    made.body = body or [ast.copy_location(ast.Pass(), node)]
    return made
