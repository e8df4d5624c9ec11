"""What decorators of the project leave visible of the handlers of Django Ninja that they stand before."""

from __future__ import annotations

import ast
from typing import Final

import msgspec

from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget, Target, ValueTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import uncalled

_HARMLESS: Final = frozenset(
    {
        "django.db.transaction.atomic",
        "django.views.decorators.csrf.csrf_exempt",
        "django.views.decorators.csrf.csrf_protect",
    }
)
_ADDING: Final = frozenset(
    {"contribute_operation_args", "contribute_args", "__signature__", "_ninja_contribute_args"}
)

_FORMING: Final = frozenset({"paginate", "contribute_operation_callback", "_ninja_contribute_to_operation"})
"""What changes the answers that an operation declares."""


class Standing(msgspec.Struct):
    """What is known of a handler behind its decorators.

    `hidden` tells that its parameters are not seen at all, `shown` that they are seen and no others are added,
    `plain` that nobody else answers, `formed` that the form of its answers may be changed.
    """

    hidden: bool = False
    shown: bool = True
    plain: bool = True
    formed: bool = False


def add_decorator(standing: Standing, program: Program, node: ast.expr, handler: FunctionTarget) -> None:
    """Notes what one decorator does to what is known."""
    called = isinstance(node, ast.Call)
    target = program.resolve(uncalled(node), handler.scope)
    if isinstance(target, External) and target.dotted in _HARMLESS:
        return
    if isinstance(target, External) and target.root == "django":
        # Django's own show what they wrap.
        standing.plain = False
        return
    words = _words(target)
    standing.formed = standing.formed or bool(words & _FORMING)
    wrapped = _wrapper(target, called) if isinstance(target, FunctionTarget) else None
    if not isinstance(target, FunctionTarget) or wrapped is None:
        standing.shown = standing.plain = False
        return
    wrapper, name = wrapped
    program.saw(target.scope.path)
    if not wrapper.decorator_list:
        standing.hidden = True
    standing.shown = standing.shown and _wraps(program, wrapper, target) and not words & _ADDING
    standing.plain = standing.plain and _passes_on(wrapper, name)


def _words(target: Target | None) -> set[str]:
    """All names in a function of the project's own, or in the expression that a decorator is bound to."""
    node = target.node if isinstance(target, FunctionTarget | ValueTarget) else None
    parts = list(ast.walk(node)) if node is not None else []
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    return names | {part.attr for part in parts if isinstance(part, ast.Attribute)}


def _wrapper(
    target: FunctionTarget, called: bool
) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef, str] | None:
    """The function that a decorator puts in a handler's place, and its name for the handler."""
    decorator = target.node
    if called:
        inner = _given(decorator)
        # `@timed()` may also be a decorator with a default for the function.
        decorator = inner if inner is not None else decorator
    found = _given(decorator)
    names = decorator.args.args if isinstance(decorator, Function) else []
    return (found, names[0].arg) if found is not None and names else None


def _given(node: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The one function of those made in another's body that it gives back."""
    body = node.body if isinstance(node, Function) else []
    names = {s.value.id for s in body if isinstance(s, ast.Return) and isinstance(s.value, ast.Name)}
    made = [s for s in body if isinstance(s, Function) and s.name in names]
    return made[0] if len(made) == 1 else None


def _wraps(program: Program, wrapper: ast.FunctionDef | ast.AsyncFunctionDef, target: FunctionTarget) -> bool:
    for node in wrapper.decorator_list:
        call = uncalled(node)
        if program.resolve(call, target.scope) == External("functools.wraps"):
            return True
    return False


def _passes_on(wrapper: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> bool:
    """Whether a function gives what the wrapped one gives, and nothing else."""
    for part in ast.walk(wrapper):
        if isinstance(part, ast.Raise):
            return False
        if isinstance(part, ast.Return):
            value = part.value.value if isinstance(part.value, ast.Await) else part.value
            if not (
                isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == name
            ):
                return False
    return True
