"""Content and status that a function gives at once and a handler answers: `found, status = look_for(key)`."""

from __future__ import annotations

import ast

from ingest.web.program.either import part_of_call
from ingest.web.program.program import Program
from ingest.web.program.targets import External, ValueTarget
from ingest.web.syntax.scopes import Scope
from ingest.web.values.alternatives import alternatives_of

_DEPTH = 4


def answered_at_once(program: Program, node: ast.Tuple, scope: Scope) -> ast.Call | None:
    """The call whose first result is answered as content and whose second as status, where a tuple is made of them."""
    if len(node.elts) != 2:
        return None
    content, status = (_result(program, part, scope) for part in node.elts)
    if content is None or status is None or content[0] is not status[0]:
        return None
    return content[0] if (content[1], status[1]) == (0, 1) else None


def by_condition(program: Program, node: ast.Tuple, scope: Scope) -> ast.IfExp | None:
    """A tuple whose status is one of several, as the tuples of which one is answered: `(made, 201 if new else 200)`."""
    chosen = alternatives_of(program, node.elts[1], scope) if len(node.elts) > 1 else []
    if not chosen:
        return None
    made: list[ast.expr] = [
        ast.copy_location(ast.Tuple([node.elts[0], each, *node.elts[2:]], node.ctx), node) for each in chosen
    ]
    test = ast.copy_location(ast.Constant(True), node)
    while len(made) > 1:
        made[-2:] = [ast.copy_location(ast.IfExp(test, made[-2], made[-1]), node)]
    return made[0] if isinstance(made[0], ast.IfExp) else None


def _result(program: Program, node: ast.expr, scope: Scope, depth: int = 0) -> tuple[ast.Call, int] | None:
    """The call of this function of which an expression is a part, as it is or as JSON, and which part."""
    if depth > _DEPTH:
        return None
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        target = program.resolve(node.func, scope)
        jsonified = isinstance(target, External) and target.root == "flask" and target.name == "jsonify"
        return _result(program, node.args[0], scope, depth + 1) if jsonified else None
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        whole = program.resolve(node.value, scope) if isinstance(node.value, ast.Name) else None
        if isinstance(whole, ValueTarget) and isinstance(whole.node, ast.Call) and whole.scope is scope:
            return (whole.node, node.slice.value) if isinstance(node.slice.value, int) else None
        return None
    if not isinstance(node, ast.Name):
        return None
    if (part := part_of_call(program, node, scope)) is not None:
        return part[:2] if part[2] is scope else None
    named = program.resolve(node, scope)
    if isinstance(named, ValueTarget) and isinstance(named.node, ast.Call) and named.scope is scope:
        return _result(program, named.node, scope, depth + 1)
    return None
