"""Values of which one is chosen on the way: by a condition, or by the branches that give a local name its value."""

from __future__ import annotations

import ast
import copy

from ingest.web.constants.constants import elements, status_of
from ingest.web.program.handler_nodes import parents_within
from ingest.web.program.program import Program
from ingest.web.program.reaching import is_settled, reaching
from ingest.web.syntax.bindings import Bound, Function
from ingest.web.syntax.scopes import Scope

_DEPTH = 6


def alternatives_of(program: Program, node: ast.expr, scope: Scope) -> list[ast.expr]:
    """The expressions of this scope of which one is what a name or a condition gives; none for anything else, and
    where the branches around have chosen already."""
    return _chosen(program, node, scope, node, 0)


def _chosen(program: Program, node: ast.expr, scope: Scope, use: ast.expr, depth: int) -> list[ast.expr]:
    function = scope.node
    found: list[ast.expr] = []
    if depth > _DEPTH:
        return found
    parents = parents_within(program, function)
    if isinstance(node, ast.IfExp):
        settled = isinstance(function, Function) and is_settled(function, use, node.test, parents)
        found = [] if settled else [node.body, node.orelse]
    elif isinstance(node, ast.Name) and isinstance(function, Function) and _is_chosen(node, scope):
        found = program.remember(("reaching", node), lambda: reaching(function, node, parents))
        if any(
            isinstance(each, ast.IfExp) and is_settled(function, use, each.test, parents) for each in found
        ):
            return []
    elif isinstance(node, ast.Name):
        found = _gone_through(program, node, scope)
    return [each for value in found for each in _chosen(program, value, scope, use, depth + 1) or [value]]


def apart_by_status(program: Program, call: ast.Call, scope: Scope) -> list[ast.Call]:
    """A call once for each status that it may be given: `fail(404)` and `fail(410)` for `fail(404 if lost else 410)`;
    none where it is given no such choice."""
    if not any(isinstance(each, ast.IfExp | ast.Name) for each in _given(call)):
        return []
    return program.remember(("apart by status", call, scope), lambda: _apart(program, call, scope))


def by_owner(call: ast.Call) -> list[ast.Call]:
    """The call of a method once for each object of which one is asked: `(connection or database).fetch()`."""
    method = call.func
    owner = method.value if isinstance(method, ast.Attribute) else None
    if not isinstance(method, ast.Attribute) or not isinstance(owner, ast.BoolOp | ast.IfExp):
        return [call]
    owners = owner.values if isinstance(owner, ast.BoolOp) else [owner.body, owner.orelse]
    asked = [ast.copy_location(ast.Attribute(each, method.attr, ast.Load()), method) for each in owners]
    return [ast.copy_location(ast.Call(each, call.args, call.keywords), call) for each in asked]


def statuses_among(program: Program, node: ast.expr, scope: Scope) -> list[int]:
    """The statuses of which one is what an expression stands for; none where one of them is not known."""
    found = [status_of(program, each, scope) for each in alternatives_of(program, node, scope)]
    known = [each for each in found if each is not None]
    return list(dict.fromkeys(known)) if len(known) == len(found) else []


def _gone_through(program: Program, node: ast.Name, scope: Scope) -> list[ast.expr]:
    """The constants that the variable of a loop of this scope stands for, one after the other."""
    bound = scope.find(node.id, node.lineno)
    if bound is None or bound[0] is not scope or bound[1].how is not Bound.LOOP:
        return []
    table = elements(program, bound[1].value, scope) or []
    return [each for each, _ in table] if all(isinstance(each, ast.Constant) for each, _ in table) else []


def _is_chosen(node: ast.Name, scope: Scope) -> bool:
    """Whether a name of this scope is given plain values, more than one of them or one by a condition."""
    bindings = scope.bindings.get(node.id, ())
    if node.id in scope.table.foreign or any(
        each.how is not Bound.VALUE or each.value is None for each in bindings
    ):
        return False
    return len(bindings) > 1 or any(isinstance(each.value, ast.IfExp) for each in bindings)


def _apart(program: Program, call: ast.Call, scope: Scope) -> list[ast.Call]:
    for number, given in enumerate(_given(call)):
        if statuses_among(program, given, scope):
            chosen = alternatives_of(program, given, scope)
            return [_with(call, number, value) for value in chosen]
    return []


def _given(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _with(call: ast.Call, number: int, value: ast.expr) -> ast.Call:
    """The call with another value for what it gives in this place."""
    made = copy.copy(call)
    if number < len(call.args):
        made.args = [*call.args[:number], value, *call.args[number + 1 :]]
        return made
    made.keywords = [copy.copy(keyword) for keyword in call.keywords]
    made.keywords[number - len(call.args)].value = value
    return made
