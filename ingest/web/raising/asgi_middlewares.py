"""Middlewares written as plain ASGI applications: whether they only pass on what comes from inside."""

from __future__ import annotations

import ast

from ingest.web.program.calls import argument
from ingest.web.program.functions import assigned_by
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target
from ingest.web.syntax.bindings import Function, parameters

_ANSWERING = frozenset({"status", "body"})
HARMLESS = frozenset(
    {
        "CORSMiddleware",
        "GZipMiddleware",
        "SessionMiddleware",
        "TrustedHostMiddleware",
        "HTTPSRedirectMiddleware",
        "ProxyHeadersMiddleware",
        "CorrelationIdMiddleware",
        "BrotliMiddleware",
        "SentryAsgiMiddleware",
        "OpenTelemetryMiddleware",
        "PrometheusMiddleware",
    }
)
"""Middlewares that answer nothing which contracts speak of."""


def called_of(program: Program, owner: ClassTarget) -> FunctionTarget | None:
    """The `__call__` of a class that takes a scope, `receive` and `send`; None where it has no such one."""
    called = program.class_member(owner, "__call__")
    if not isinstance(called, FunctionTarget) or not isinstance(called.node, Function):
        return None
    return called if len(list(parameters(called.node))) == 4 else None


def passes_on(program: Program, owner: ClassTarget, called: FunctionTarget) -> bool:
    """Whether every request goes to the application within, and nothing but its own answer comes back."""
    node, kept = called.node, kept_by(program, owner)
    if kept is None or not isinstance(node, Function):
        return False
    _, _, receive, send = (each.arg for each, _ in parameters(node))
    inner = [part for part in own_parts(node) if isinstance(part, ast.Call)]
    passed = [call for call in inner if is_held(call.func, kept)]
    by_itself = [
        call
        for call in inner
        if call not in passed and (_names(call.func) & {send} or (_given(call) >= {receive, send}))
    ]
    methods = [part for statement in owner.node.body for part in ast.walk(statement)]
    return bool(passed) and not by_itself and not any(map(_answers, methods)) and not _swallows(node)


def inherits_harmless(program: Program, owner: ClassTarget) -> bool:
    """Whether a class inherits from one of these middlewares what it does not do by itself."""
    return any(isinstance(base, External) and base.name in HARMLESS for base in program.ancestry(owner))


def kept_by(program: Program, owner: ClassTarget) -> set[str] | None:
    """The attributes in which objects of a class keep the application within, be it behind a middleware that answers
    nothing by itself; None where nobody sees them made."""
    made = program.class_member(owner, "__init__")
    if not isinstance(made, FunctionTarget) or not isinstance(made.node, Function):
        return None
    outer = {each.arg for each, _ in list(parameters(made.node))[1:2]}
    found: set[str] = set()
    for name, _, value in assigned_by(made.node):
        if isinstance(value, ast.Call) and _is_harmless(program, program.resolve(value.func, made.body)):
            value = argument(value, 0, "app")
        if isinstance(value, ast.Name) and value.id in outer:
            found.add(name)
    return found


def _is_harmless(program: Program, made: Target | None) -> bool:
    if isinstance(made, ClassTarget):
        return inherits_harmless(program, made) and program.class_member(made, "__call__") is None
    return isinstance(made, External) and made.name in HARMLESS


def own_parts(node: Function) -> list[ast.AST]:
    """What a function itself does, without the functions within it."""
    found: list[ast.AST] = []
    waiting: list[ast.AST] = [*node.body]
    while waiting:
        part = waiting.pop()
        found.append(part)
        if not isinstance(part, Function | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(part)
    return found


def is_held(node: ast.expr, names: set[str]) -> bool:
    """Whether this is `self.app`."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in names


def _names(node: ast.expr) -> set[str]:
    return {node.id} if isinstance(node, ast.Name) else set()


def _given(call: ast.Call) -> set[str]:
    return {each.id for each in call.args if isinstance(each, ast.Name)}


def _answers(part: ast.AST) -> bool:
    """Whether this sets a status or body, or raises something of its own."""
    if isinstance(part, ast.Raise):
        return part.exc is not None
    if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store):
        return isinstance(part.slice, ast.Constant) and part.slice.value in _ANSWERING
    return isinstance(part, ast.Dict) and any(
        isinstance(key, ast.Constant) and key.value in _ANSWERING for key in part.keys
    )


def _swallows(node: Function) -> bool:
    """Whether an exception from inside may end here."""
    return any(
        isinstance(part, ast.ExceptHandler)
        and not any(isinstance(each, ast.Raise) and each.exc is None for each in part.body)
        for part in own_parts(node)
    )
