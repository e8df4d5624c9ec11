"""What the functions of a project are called with, as far as it is a name, an attribute or a call."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property

from ingest.web.constants.possible import round_elements
from ingest.web.program.calls import named_arguments
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget, LoopTarget, Target
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

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
        return [
            (called.node, name, value)
            for called in self._called(call, scope)
            for name, value in named_arguments(call, called)
            if name and isinstance(value, _PASSED)
        ]

    def _called(self, call: ast.Call, scope: Scope) -> list[FunctionTarget]:
        """What a call calls; in a loop over modules (`module.initialize(app)`) the function of each of them."""
        called: Target | None = self._instances.callee(call.func, scope)
        held = self._program.resolve(call.func.value, scope) if isinstance(call.func, ast.Attribute) else None
        if isinstance(held, LoopTarget) and isinstance(call.func, ast.Attribute):
            rows = round_elements(self._program, held)
            owners = [self._program.resolve(node, place) for node, place, _ in rows]
            members = [
                self._program.attribute(owner, call.func.attr) for owner in owners if owner is not None
            ]
            return [each for each in members if isinstance(each, FunctionTarget)]
        if isinstance(called, ClassTarget):
            called = self._program.class_member(called, "__init__")
        return [called] if isinstance(called, FunctionTarget) else []
