"""Routers of installed distributions that a project includes: the modules that say what is registered on them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from typing import Final

from ingest.web.constants.possible import round_elements
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.shapes import ShapeKind
from ingest.web.program.targets import (
    ClassTarget,
    External,
    FunctionTarget,
    LoopTarget,
    ParameterTarget,
    Target,
    ValueTarget,
)
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotations import shape_of
from ingest.web.values.instances import returned

_ROUTING = re.compile(
    r"\bAPIRouter\b|\binclude_router\b|\badd_api_route\b|\bFastAPI\s*\("
    r"|^\s*@[\w.]+\.(?:get|post|put|patch|delete|api_route)\(",
    re.MULTILINE,
)
_JOINS: Final = {"include_router": (0, "router"), "mount": (1, "app")}
_MODULES: Final = 100
_DEPTH: Final = 8


class InstalledRouters:
    """Follows what a project includes or hands its applications to into the distributions of its environment."""

    def __init__(self, program: Program, kind_of: Callable[[Target | None], str]) -> None:
        self.program = program
        self.kind_of = kind_of
        self._found: dict[str, Module] = {}
        self._waiting: list[Module] = []

    def modules(self, modules: Iterable[Module]) -> list[Module]:
        """The installed modules that have to do with the routers of these modules."""
        if not self.program.outside.is_equipped:
            return []
        with self.program.aside():
            self._waiting = list(modules)
            while self._waiting:
                self._scan(self._waiting.pop(0))
        return list(self._found.values())

    def _scan(self, module: Module) -> None:
        for scope in module.scope.descend():
            for call in scope.calls:
                joins = _JOINS.get(call.func.attr) if isinstance(call.func, ast.Attribute) else None
                if joins is not None:
                    included = argument(call, *joins)
                    if included is not None:
                        self._follow(included, scope)
                elif module.name not in self._found and self._is_handed_over(call, scope):
                    self._follow(call.func, scope)

    def _is_handed_over(self, call: ast.Call, scope: Scope) -> bool:
        """Whether a function of an installed distribution is called with an application or router."""
        given = [
            each for each in (*call.args, *(k.value for k in call.keywords)) if isinstance(each, ast.Name)
        ]
        if not given or not isinstance(self.program.resolve(call.func, scope), External):
            return False
        return any(self._is_site(self.program.resolve(each, scope)) for each in given)

    def _is_site(self, target: Target | None) -> bool:
        if isinstance(target, ValueTarget) and isinstance(target.node, ast.Call):
            return bool(self.kind_of(self.program.resolve(target.node.func, target.scope)))
        if isinstance(target, ParameterTarget) and target.annotation is not None:
            shape = shape_of(self.program, target.annotation, target.scope.parent or target.scope)
            return shape.kind in (ShapeKind.CLASS, ShapeKind.EXTERNAL) and bool(self.kind_of(shape.target))
        return False

    def _follow(self, node: ast.expr, scope: Scope, depth: int = 0) -> None:
        """Looks for what makes the router that an expression stands for."""
        if depth > _DEPTH:
            return
        target = self.program.resolve(node, scope)
        if isinstance(target, External):
            target = self._led(target, node, scope)
        match target:
            case ValueTarget(node=ast.Call() as call, scope=inner):
                self._follow(call.func, inner, depth + 1)
            case ValueTarget(node=ast.Attribute() as held, scope=inner) if held is not node:
                self._follow(held, inner, depth + 1)
            case FunctionTarget():
                self._adopt_of(target.scope)
                for value, inner in returned(target):
                    self._follow(value, inner, depth + 1)
            case ClassTarget():
                self._adopt_of(target.scope)
                for base in target.node.bases:
                    self._follow(base, target.scope, depth + 1)
            case LoopTarget():
                for each, inner, _ in round_elements(self.program, target):
                    self._follow(each, inner, depth + 1)
            case None if isinstance(node, ast.Attribute):
                self._follow(node.value, scope, depth + 1)
        if isinstance(target, ValueTarget):
            self._adopt_of(target.scope)

    def _led(self, found: External, node: ast.expr, scope: Scope) -> Target | None:
        """What makes a router or registers on one in an installed distribution; None where it does nothing of it."""
        place = self.program.imported_at(node, scope)
        target = self.program.outside.opened(self.program, found, place)
        if not isinstance(target, ClassTarget | FunctionTarget | ValueTarget):
            return None
        if not _ROUTING.search(self.program.outside.text(target.scope.module)):
            return None
        named = self.program.outside_module(found.dotted.rpartition(".")[0], target.scope)
        if named is not None:
            self._adopt(named)
        return self.program.outside.lead(self.program, found, place)

    def _adopt_of(self, scope: Scope) -> None:
        module = self.program.outside_module(scope.module, scope)
        if module is not None:
            self._adopt(module)

    def _adopt(self, module: Module) -> None:
        """Takes a module in, and those of its distribution that it imports and that have to do with routers."""
        if module.name in self._found or len(self._found) >= _MODULES:
            return
        self._found[module.name] = module
        self._waiting.append(module)
        root = module.name.partition(".")[0]
        for name in module.imports():
            if name.partition(".")[0] == root and _ROUTING.search(self.program.outside.text(name)):
                inner = self.program.outside_module(name, module.scope)
                if inner is not None:
                    self._adopt(inner)
