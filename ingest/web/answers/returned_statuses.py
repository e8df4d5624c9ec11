"""Functions that give several responses a status before they return them: each as a tuple with its status."""

from __future__ import annotations

import ast
import copy

from ingest.web.program.functions import own_statements
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.blocks import with_blocks


def told_by_return(program: Program, function: FunctionTarget) -> FunctionTarget:
    """The function with `response = make(); response.status_code = 202; return response` as `return make(), 202`.

    Only where that is done more than once or there are other returns, so that no one status is that of the function.
    """
    node = function.node
    if not isinstance(node, Function):
        return function
    return program.remember(("told by return", node), lambda: _rewritten(function, node))


def _rewritten(function: FunctionTarget, node: Function) -> FunctionTarget:
    statements = list(own_statements(node.body))
    assigned = sum(_assigned(each) is not None for each in statements)
    if not assigned or (assigned == 1 and sum(isinstance(each, ast.Return) for each in statements) < 2):
        return function
    made = copy.copy(node)
    made.body = _block(node.body)
    return FunctionTarget(made, function.scope)


def _block(body: list[ast.stmt]) -> list[ast.stmt]:
    """Statements whose last one returns a response that they make and give its status, as one that returns both."""
    kept = [_within(statement) for statement in body]
    last = kept[-1] if kept else None
    name = last.value.id if isinstance(last, ast.Return) and isinstance(last.value, ast.Name) else None
    if name is None or not isinstance(last, ast.Return):
        return kept
    given = [each for each in kept if (told := _assigned(each)) is not None and told[0] == name]
    values = [each.value for each in kept if _makes(each, name) and isinstance(each, ast.Assign)]
    if len(given) != 1 or len(values) != 1:
        return kept
    told = _assigned(given[0])
    assert told is not None, "it was found by this"
    whole = ast.copy_location(ast.Tuple([values[0], told[1]], ast.Load()), last)
    returned = ast.copy_location(ast.Return(whole), last)
    return [*(each for each in kept[:-1] if each is not given[0]), returned]


def _within(statement: ast.stmt) -> ast.stmt:
    """A statement with the blocks within it as `_block` gives them."""
    return statement if isinstance(statement, Function | ast.ClassDef) else with_blocks(statement, _block)


def _assigned(statement: ast.stmt) -> tuple[str, ast.expr] | None:
    """The name whose status a statement sets, and to what."""
    match statement:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name), attr="status_code")], value=value):
            return name, value
        case ast.Assign(
            targets=[ast.Attribute(value=ast.Name(id=name), attr="status")],
            value=ast.Constant(value=int()) as value,
        ):
            return name, value
    return None


def _makes(statement: ast.stmt, name: str) -> bool:
    """Whether a statement gives a name what a call makes."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=named)], value=ast.Call()):
            return named == name
    return False
