"""Steps of the framework around handlers that a view has of its own, and that change no status."""

from __future__ import annotations

import ast
from typing import Final

from ingest.web.program.calls import argument
from ingest.web.program.functions import returned
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ValueTarget
from ingest.web.raising.exception_statuses import status_of_raise
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import uncalled
from ingest.web.syntax.scopes import Scope

EXCEPTIONS: Final = "handle_exception"
_METHOD: Final = External("django.utils.decorators.method_decorator")
_QUIET: Final = frozenset(
    {"csrf_exempt", "ensure_csrf_cookie", "never_cache", "cache_page", "cache_control", "vary_on_cookie"}
    | {"vary_on_headers", "sensitive_post_parameters", "sensitive_variables", "atomic", "non_atomic_requests"}
)
"""Django's decorators that let each request through."""


def keeps_statuses(program: Program, step: FunctionTarget, name: str) -> bool:
    """Whether a step gives each answer the status that the framework's own step of this name gives it:
    `return super().dispatch(request)`, whatever else it does before."""
    if not isinstance(step.node, Function) or isinstance(step.node, ast.AsyncFunctionDef):
        return False
    if not all(_is_quiet(program, each, step.scope, 0) for each in step.node.decorator_list):
        return False
    given = [each.arg for each in step.node.args.args][1:]
    passed: set[str] = set()
    others: set[str] = set()
    for part in ast.walk(step.node):
        match part:
            case ast.Assign(targets=[ast.Name(id=bound)], value=value) if _passes_on(value, name):
                passed.add(bound)
            case ast.Assign(targets=targets):
                others |= {each.id for each in targets if isinstance(each, ast.Name)}
            case ast.Attribute(attr="status_code", ctx=ast.Store()):
                return False
    exchanged = set(given[:1]) if name == EXCEPTIONS and given_instead(program, step) is not None else set()
    if others & (passed | set(given)) - exchanged:
        # Another answer may stand under the name of the one that is passed on.
        return False
    values = [value for value, _ in returned(step)]
    return bool(values) and all(
        _passes_on(value, name) or (isinstance(value, ast.Name) and value.id in passed) for value in values
    )


def given_instead(program: Program, step: FunctionTarget) -> set[str] | None:
    """The statuses of the exceptions that a step of its own for exceptions hands on in place of those that it is given:
    `exc = NotFound()`; None where one of them is not known."""
    given = [each.arg for each in step.node.args.args][1:2] if isinstance(step.node, Function) else []
    found: set[str] = set()
    for part in ast.walk(step.node):
        match part:
            case ast.Assign(targets=[ast.Name(id=bound)], value=value) if bound in given:
                made = program.resolve(value.func, step.body) if isinstance(value, ast.Call) else None
                status = (
                    status_of_raise(program, made, value, step.body)
                    if isinstance(value, ast.Call) and isinstance(made, ClassTarget | External)
                    else None
                )
                if status is None:
                    return None
                found.add(str(status))
    return found


def _passes_on(node: ast.expr, name: str) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr=called, value=ast.Call(func=ast.Name(id="super")))):
            return called == name
    return False


def _is_quiet(program: Program, node: ast.expr | None, scope: Scope, depth: int) -> bool:
    """Whether a decorator lets each request through, by itself or as `method_decorator` makes it one of methods."""
    if node is None:
        return False
    target = program.resolve(uncalled(node), scope)
    if isinstance(target, ValueTarget) and depth < 4:
        return _is_quiet(program, target.node, target.scope, depth + 1)
    if target == _METHOD and isinstance(node, ast.Call):
        inner = argument(node, 0, "decorator")
        several = inner.elts if isinstance(inner, ast.List | ast.Tuple) else [inner]
        return all(_is_quiet(program, each, scope, depth + 1) for each in several)
    return isinstance(target, External) and target.root == "django" and target.name in _QUIET
