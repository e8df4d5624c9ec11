"""The names of functions that may raise something: what an unresolved call may turn out to be."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ingest.web.bindings import Bound, Function
from ingest.web.modules import Module
from ingest.web.program import Program

_MODULES = 3_000


class Risks:
    """Tells by name whether some function of the project, called by that name, may raise or answer by itself.

    The functions are those of the given modules and of all that these import.
    """

    def __init__(self, program: Program, modules: Iterable[Module]) -> None:
        self._program = program
        self._roots = list(modules)
        self._names: frozenset[str] | None = None

    def has(self, name: str) -> bool:
        """Whether a call by this name may raise."""
        if self._names is None:
            with self._program.aside():
                self._names = self._risky()
        return name in self._names

    def _risky(self) -> frozenset[str]:
        calls: dict[str, set[str]] = {}
        risky: set[str] = set()
        for module in self._reachable():
            for node in ast.walk(module.tree):
                if isinstance(node, Function):
                    called, raising = _body(node)
                    calls.setdefault(node.name, set()).update(called)
                    if raising:
                        risky.add(node.name)
        callers: dict[str, set[str]] = {}
        for name, called in calls.items():
            for other in called:
                callers.setdefault(other, set()).add(name)
        waiting = list(risky)
        while waiting:
            for caller in callers.get(waiting.pop(), ()):
                if caller not in risky:
                    risky.add(caller)
                    waiting.append(caller)
        return frozenset(risky)

    def _reachable(self) -> list[Module]:
        found = {module.name: module for module in self._roots}
        waiting = list(found.values())
        while waiting and len(found) < _MODULES:
            module = waiting.pop()
            for name in _imports(module):
                inner = self._program.module(name) if name not in found else None
                if inner is not None:
                    found[name] = inner
                    waiting.append(inner)
        return list(found.values())


def _body(node: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[set[str], bool]:
    called: set[str] = set()
    raising = False
    for part in ast.walk(node):
        if isinstance(part, ast.Raise):
            raising = True
        elif isinstance(part, ast.Call):
            name = part.func.attr if isinstance(part.func, ast.Attribute) else getattr(part.func, "id", "")
            called.add(name)
            raising = raising or name == "abort"
    return called, raising


def _imports(module: Module) -> list[str]:
    names: list[str] = []
    for scope in module.scope.descend():
        names.extend(module.absolute(target, level) for target, level in scope.stars)
        for bindings in scope.bindings.values():
            for binding in bindings:
                if binding.how is Bound.MODULE:
                    names.append(binding.module or "")
                elif binding.how is Bound.MEMBER:
                    dotted = module.absolute(binding.module, binding.level)
                    names.extend((dotted, f"{dotted}.{binding.member}"))
    return names
