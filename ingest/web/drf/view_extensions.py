"""Views that drf-spectacular is told to describe as others: `OpenApiViewExtension` with a class in their place."""

from __future__ import annotations

import ast
from typing import Final

from ingest.web.constants.constants import text_of
from ingest.web.program.functions import returned
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget, ValueTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.modules import Module

_BASE: Final = "OpenApiViewExtension"
_OWN: Final = frozenset({"target_class", "target"})


class ViewExtensions:
    """The classes that extensions put in place of the views of one program; `names` are modules that may have any."""

    def __init__(self, program: Program, names: tuple[str, ...]) -> None:
        self.program = program
        self.names = names
        self._found: list[tuple[ClassTarget, ClassTarget | None]] | None = None

    def of(self, view: ClassTarget) -> ClassTarget | None:
        """The class in whose form a view is described, where it only says more of the view's methods; else None."""
        for target, replacement in self._all():
            if target.node is view.node:
                return replacement
        return None

    def _all(self) -> list[tuple[ClassTarget, ClassTarget | None]]:
        if self._found is None:
            self._found = []
            for name in self.names:
                # An extension holds from when its module is imported, so that one which nobody imports may not hold.
                told = _BASE in self.program.text(name) and bool(self.program.importers_named((name,)))
                module = self.program.module(name) if told else None
                self._found += self._within(module) if module is not None else []
        return self._found

    def _within(self, module: Module) -> list[tuple[ClassTarget, ClassTarget | None]]:
        found = []
        for name in module.scope.bindings:
            extension = self.program.member(module, name)
            if not isinstance(extension, ClassTarget):
                continue
            if self.program.is_a(extension, {"drf_spectacular"}, {_BASE}):
                target = self._target(extension)
                found += [(target, self._replacement(extension))] if target is not None else []
        return found

    def _target(self, extension: ClassTarget) -> ClassTarget | None:
        said = self.program.class_member(extension, "target_class")
        dotted = text_of(self.program, said.node, said.scope) if isinstance(said, ValueTarget) else None
        place, _, name = (dotted or "").rpartition(".")
        module = self.program.module(place) if place else None
        target = self.program.member(module, name) if module is not None else said
        return target if isinstance(target, ClassTarget) else None

    def _replacement(self, extension: ClassTarget) -> ClassTarget | None:
        made = self.program.class_member(extension, "view_replacement")
        results = returned(made) if isinstance(made, FunctionTarget) else []
        found = self.program.resolve(*results[0]) if len(results) == 1 else None
        return found if isinstance(found, ClassTarget) and _only_says_more(found) else None


def _only_says_more(replacement: ClassTarget) -> bool:
    """Whether a class inherits from the view alone, and has nothing but methods."""
    match replacement.node.bases:
        case [ast.Attribute(value=ast.Name(id="self"), attr=base)] if base in _OWN:
            return all(
                isinstance(each, Function | ast.Pass)
                or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
                for each in replacement.node.body
            )
    return False
