"""The converters of paths that a project adds to those of Django."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Final

from graph.schema_algebra import Schema
from ingest.web.constants.constants import text_of
from ingest.web.django.patterns import matching
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, ValueTarget
from ingest.web.syntax.modules import Module
from ingest.web.syntax.naming import last_name

_REGISTERS: Final = "register_converter"


class Converters:
    """Finds what the modules of one program register by `register_converter`."""

    def __init__(self, program: Program, modules: Iterable[Module]) -> None:
        self.program = program
        self.modules = modules
        self._known: dict[str, Schema] | None = None

    def of(self, name: str) -> Schema | None:
        """What the converter of this name lets through; None where that cannot be known."""
        if self._known is None:
            self._known = {}
            for module in self.modules:
                for call in module.scope.calls:
                    if last_name(call.func) == _REGISTERS:
                        self._add(call, module)
        return self._known.get(name)

    def _add(self, call: ast.Call, module: Module) -> None:
        assert self._known is not None
        made = self.program.resolve(call.func, module.scope)
        name = text_of(self.program, argument(call, 1, "type_name"), module.scope)
        owner = self.program.resolve(argument(call, 0, "converter"), module.scope)
        if not isinstance(made, External) or made.name != _REGISTERS or not isinstance(owner, ClassTarget):
            return
        found = self.program.class_member(owner, "regex")
        regex = text_of(self.program, found.node, found.scope) if isinstance(found, ValueTarget) else None
        if name is not None and regex is not None:
            self._known[name] = matching(regex)
