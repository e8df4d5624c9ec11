"""Handlers that serve several methods and ask `request.method` which: what each method runs."""

from __future__ import annotations

import ast
import copy

from ingest.web.constants.constants import constant
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.copies import copy_of
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.walks import nodes_of

_AROUND = (ast.Try, ast.With)


def as_named(program: Program, handler: FunctionTarget) -> FunctionTarget:
    """The handler with the methods written out that it knows by names: `request.method == Methods.GET`."""
    if not isinstance(handler.node, Function):
        return handler
    named = [part for part in nodes_of(handler.node) if _is_named(part)]
    return (
        program.remember(("methods named", handler.node), lambda: _written_out(program, handler))
        if named
        else handler
    )


def _is_named(node: ast.AST) -> bool:
    """Whether a comparison is with a name for a method."""
    return (
        isinstance(node, ast.Compare)
        and len(node.ops) == 1
        and _is_method(node.left)
        and isinstance(node.comparators[0], ast.Name | ast.Attribute)
    )


def _written_out(program: Program, handler: FunctionTarget) -> FunctionTarget:
    node = copy_of(handler.node)
    made = FunctionTarget(node, handler.scope)
    for part in nodes_of(node):
        if isinstance(part, ast.Compare) and _is_named(part):
            old = part.comparators[0]
            value = constant(program, old, handler.body)
            if isinstance(value, str):
                part.comparators[0] = ast.copy_location(ast.Constant(value), old)
            elif isinstance(value, list) and all(isinstance(each, str) for each in value):
                names = [ast.copy_location(ast.Constant(each), old) for each in value]
                part.comparators[0] = ast.copy_location(ast.Tuple(list(names), ast.Load()), old)
    return made


def is_split(handler: FunctionTarget) -> bool:
    """Whether the handler tells its methods apart by `request.method`: in an `if` or anywhere else."""
    return isinstance(handler.node, Function) and _asks(handler.node)


def _splits(body: list[ast.stmt]) -> bool:
    return any(
        _splits(statement.body)
        if isinstance(statement, _AROUND)
        else isinstance(statement, ast.If) and _asked(statement.test) is not None
        for statement in body
    )


def for_method(handler: FunctionTarget, method: str) -> FunctionTarget:
    """The handler as it runs for one method."""
    assert isinstance(handler.node, Function)
    node = copy.copy(handler.node)
    node.body = _pruned(handler.node.body, method)
    return FunctionTarget(_Settled(method).visit(copy_of(node)) if _asks(node) else node, handler.scope)


def _asks(node: ast.AST) -> bool:
    return any(isinstance(part, ast.Compare) and _asked(part) is not None for part in nodes_of(node))


class _Settled(ast.NodeTransformer):
    """Puts what a comparison with `request.method` gives for one method in its place, as in a helper's `partial=…`."""

    def __init__(self, method: str) -> None:
        self.method = method

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """See `ast.NodeVisitor`."""
        asked = _asked(node)
        if asked is None:
            self.generic_visit(node)
            return node
        methods, positive = asked
        return ast.copy_location(ast.Constant((self.method in methods) == positive), node)


def _pruned(body: list[ast.stmt], method: str) -> list[ast.stmt]:
    kept: list[ast.stmt] = []
    for statement in body:
        if isinstance(statement, _AROUND) and _splits(statement.body):
            inner = copy.copy(statement)
            inner.body = _pruned(statement.body, method) or [ast.copy_location(ast.Pass(), statement)]
            kept.append(inner)
            continue
        asked = _asked(statement.test) if isinstance(statement, ast.If) else None
        if asked is None or not isinstance(statement, ast.If):
            kept.append(statement)
            continue
        methods, positive = asked
        branch = statement.body if (method in methods) == positive else statement.orelse
        kept.extend(_pruned(branch, method))
        if branch and isinstance(branch[-1], ast.Return | ast.Raise):
            break
    return kept


def _asked(test: ast.expr) -> tuple[set[str], bool] | None:
    """The methods that a test compares `request.method` with, and whether it holds for these or for all others."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not _is_method(test.left):
        return None
    right = test.comparators[0]
    nodes = right.elts if isinstance(right, ast.Tuple | ast.List | ast.Set) else [right]
    values = {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    if len(values) != len(nodes):
        return None
    if isinstance(test.ops[0], ast.Eq | ast.In):
        return values, True
    return (values, False) if isinstance(test.ops[0], ast.NotEq | ast.NotIn) else None


def _is_method(node: ast.expr) -> bool:
    if not (isinstance(node, ast.Attribute) and node.attr == "method"):
        return False
    owner = node.value
    return last_name(owner) == "request"
