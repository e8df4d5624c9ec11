"""What the functions of a project are called with, as far as it is a name, an attribute or a call."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property

from ingest.web.calls import named_arguments
from ingest.web.instances import Instances
from ingest.web.modules import Module
from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.targets import ClassTarget, FunctionTarget

_PASSED = (ast.Name, ast.Attribute, ast.Call)


class Callers:
    """Looks through the calls of the given modules, once and only when asked."""

    def __init__(self, program: Program, instances: Instances, modules: Iterable[Module]) -> None:
        self._program = program
        self._instances = instances
        self._modules = list(modules)

    def given(self, function: ast.AST, name: str) -> list[tuple[ast.expr, Scope]]:
        """What a parameter of a function is given, wherever that is called."""
        return self._table.get((function, name), [])

    @cached_property
    def _table(self) -> dict[tuple[ast.AST, str], list[tuple[ast.expr, Scope]]]:
        table: dict[tuple[ast.AST, str], list[tuple[ast.expr, Scope]]] = {}
        with self._program.aside():
            for module in self._modules:
                for scope in module.scope.descend():
                    for call in scope.calls:
                        for function, name, value in self._passed(call, scope):
                            table.setdefault((function, name), []).append((value, scope))
        return table

    def _passed(self, call: ast.Call, scope: Scope) -> list[tuple[ast.AST, str, ast.expr]]:
        if not any(isinstance(each, _PASSED) for each in (*call.args, *(k.value for k in call.keywords))):
            return []
        called = self._instances.callee(call.func, scope)
        if isinstance(called, ClassTarget):
            made = self._program.class_member(called, "__init__")
            called = made if isinstance(made, FunctionTarget) else None
        if not isinstance(called, FunctionTarget):
            return []
        pairs = named_arguments(call, called)
        return [(called.node, name, value) for name, value in pairs if name and isinstance(value, _PASSED)]
