"""What the decorators of a handler, beside those that register it, may add to its answers."""

from __future__ import annotations

import ast

from ingest.web.answers import Answers
from ingest.web.bindings import Function
from ingest.web.instances import returned
from ingest.web.program import Program
from ingest.web.sites import Sites
from ingest.web.targets import External, FunctionTarget

_HARMLESS = frozenset(
    {"wraps", "cache", "lru_cache", "staticmethod", "classmethod", "asynccontextmanager", "override", "final"}
)


def decorators_of(program: Program, sites: Sites, handler: FunctionTarget) -> list[ast.expr]:
    """The decorators of a handler that neither register it nor are known to do nothing."""
    if not isinstance(handler.node, Function):
        return []
    found = []
    for decorator in handler.node.decorator_list:
        call = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(call, ast.Attribute) and sites.of(call.value, handler.scope):
            continue
        target = program.resolve(call, handler.scope)
        if not (isinstance(target, External) and target.name in _HARMLESS):
            found.append(decorator)
    return found


def wrappers_of(
    program: Program, answers: Answers, decorator: ast.expr, handler: FunctionTarget
) -> list[FunctionTarget] | None:
    """The functions that a decorator of the project puts around the handler; None where that is not known."""
    call = decorator.func if isinstance(decorator, ast.Call) else decorator
    target = program.resolve(call, handler.scope)
    if not isinstance(target, FunctionTarget):
        return None
    found: list[FunctionTarget] = []
    for scope in target.body.descend():
        if isinstance(scope.node, Function) and scope.parent is not None and scope is not target.body:
            found.append(FunctionTarget(scope.node, scope.parent))
    given = [answer for inner in found for answer in answers.of_function(inner)]
    if any(answer.status is not None or not answer.known for answer in given):
        return None
    return found or ([] if returned(target) else None)
