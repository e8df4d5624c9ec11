"""Whether a variable holds a response where it is used, as a test before tells: `if isinstance(x, Response)`."""

from __future__ import annotations

import ast

from ingest.web.program.calls import named_arguments
from ingest.web.program.targets import FunctionTarget
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances, returned
from ingest.web.values.narrowing import Tested

_DEPTH = 3


def is_response_here(instances: Instances, node: ast.Name, scope: Scope) -> bool | None:
    """Whether it surely is one, or surely is none; None where no test tells."""
    for test, holds in Tested(node, scope.node).tests:
        while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, holds = test.operand, not holds
        demanded, enough = _of(instances, test, node.id, scope, 0)
        if holds and demanded:
            return True
        if not holds and enough:
            return False
    return None


def _of(instances: Instances, test: ast.expr, name: str, scope: Scope, depth: int) -> tuple[bool, bool]:
    """Whether a test holds for responses only, and whether it holds for each of them."""
    match test:
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=asked), kind]) if asked == name:
            found = last_name(kind).endswith("Response")
            return found, found
        case ast.BoolOp(op=ast.And(), values=values):
            return any(_of(instances, each, name, scope, depth)[0] for each in values), False
        case ast.Call() if depth < _DEPTH:
            called = instances.callee(test.func, scope)
            if not isinstance(called, FunctionTarget):
                return False, False
            pairs = named_arguments(test, called)
            held = [each for each, value in pairs if isinstance(value, ast.Name) and value.id == name]
            given = list(returned(called))
            if len(held) == 1 and held[0] and len(given) == 1:
                return _of(instances, given[0][0], held[0], given[0][1], depth + 1)
    return False, False
