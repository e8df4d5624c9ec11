"""Which exceptions are answered with a status of their own: HTTP exceptions, and those that a handler is for."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ingest.web.constants.constants import entries, status_of
from ingest.web.program.program import Program
from ingest.web.program.targets import (
    ClassTarget,
    External,
    FunctionTarget,
    ParameterTarget,
    Target,
    ValueTarget,
)
from ingest.web.raising.exception_statuses import is_http
from ingest.web.raising.exceptions import lineage
from ingest.web.syntax.modules import Module
from ingest.web.syntax.naming import uncalled
from ingest.web.syntax.scopes import Scope

_HANDLING = frozenset({"exception_handler", "add_exception_handler"})
_TABLE = "exception_handlers"
HANDLING = _TABLE[:-1]
"""What stands in the source of every module that registers a handler of exceptions."""
_KNOWN = frozenset({"builtins", "fastapi", "starlette"})


class Telling:
    """Tells whether raising something can show in the status of an answer, for FastAPI and Starlette.

    What has neither a status nor a handler is an error of the server, or is caught by code that can be read. Errors
    that only middlewares catch are no matter: such middlewares leave the statuses open anyway.
    """

    def __init__(self, program: Program, modules: Iterable[Module]) -> None:
        self._program = program
        self._handled: set[str] = set()
        self._open = False
        self._known: dict[ast.AST, bool] = {}
        for module in modules:
            if HANDLING in program.text(module.name):
                for scope in module.scope.descend():
                    for call in scope.calls:
                        self._register(call, scope)
        self._outside = any(self._is_outside(name) for name in self._handled)

    def tells(self, raised: ast.Raise, scope: Scope) -> bool:
        """Whether what is raised here can show; what is raised again was raised elsewhere."""
        node, scope = raised.exc, scope_around(raised, scope)
        if node is None or (isinstance(node, ast.Name) and is_caught(node.id, scope)):
            return False
        target = self._class(node, scope)
        if isinstance(target, ParameterTarget):
            # Modules of the standard library pass themselves their builtins: `def scan(text, ValueError=ValueError)`.
            target = self._program.resolve(target.default, target.scope.parent or target.scope)
        if not isinstance(target, ClassTarget | External):
            # An exception that is kept and raised later was made, and mostly raised, where that can be seen.
            return isinstance(node, ast.Call)
        key = target.node if isinstance(target, ClassTarget) else None
        if key is None or key not in self._known:
            answer = self._shows(target)
            if key is None:
                return answer
            self._known[key] = answer
        return self._known[key]

    def _class(self, node: ast.expr, scope: Scope) -> Target | None:
        """The class of an exception that is made here, also by a method of the class itself."""
        made = uncalled(node)
        target = self._program.resolve(made, scope)
        if isinstance(target, ValueTarget) and isinstance(target.node, ast.Call):
            target = self._program.resolve(target.node.func, target.scope)
        if isinstance(target, FunctionTarget) and isinstance(made, ast.Attribute):
            return self._program.resolve(made.value, scope)
        return target

    def _shows(self, target: ClassTarget | External) -> bool:
        if self._open or is_http(self._program, target):
            return True
        names, whole = lineage(self._program, target)
        return any(name in self._handled for name in names) or (not whole and self._outside)

    def _is_outside(self, name: str) -> bool:
        """Whether a handled class is of a library of which nothing is known."""
        known = name.partition(".")[0] in _KNOWN
        return not known and self._program.module(name.rpartition(".")[0]) is None

    def _register(self, call: ast.Call, scope: Scope) -> None:
        keys: list[tuple[ast.expr, Scope]] = []
        if isinstance(call.func, ast.Attribute) and call.func.attr in _HANDLING:
            first = call.args[0] if call.args else next((k.value for k in call.keywords), None)
            keys = [(first, scope)] if first is not None else []
        for keyword in call.keywords:
            if keyword.arg == _TABLE:
                table = entries(self._program, keyword.value, scope)
                self._open = self._open or table is None
                keys += [(key, inner) for key, _, inner in table or []]
        for node, inner in keys:
            target = self._program.resolve(node, inner)
            if status_of(self._program, node, inner) is not None or _is_any(target):
                continue
            if isinstance(target, ClassTarget | External):
                self._handled.add(lineage(self._program, target)[0][0])
            else:
                self._open = True


def _is_any(target: Target | None) -> bool:
    """Whether this is `Exception`: its handler answers for errors of the server, whatever they are."""
    return isinstance(target, External) and target.dotted in ("builtins.Exception", "builtins.BaseException")


def is_caught(name: str, scope: Scope) -> bool:
    """Whether a name of a function is bound by `except … as name` and by nothing else."""
    bindings = scope.bindings.get(name, [])
    return bool(bindings) and all(isinstance(binding.node, ast.ExceptHandler) for binding in bindings)


def scope_around(node: ast.AST, scope: Scope) -> Scope:
    """The scope of the innermost function, at any depth below the given one, in which a node stands."""
    line = getattr(node, "lineno", 0)
    for inner in scope.descend():
        own = inner.node
        if inner is not scope and getattr(own, "lineno", 0) <= line <= (getattr(own, "end_lineno", 0) or 0):
            scope = inner
    return scope
