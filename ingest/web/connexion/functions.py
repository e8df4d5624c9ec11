"""The functions that a contract names by dotted names."""

from __future__ import annotations

from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ValueTarget
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances


class NamedFunctions:
    """Finds such functions in one program."""

    def __init__(self, program: Program, instances: Instances) -> None:
        self.program = program
        self.instances = instances

    def of(self, dotted: str, scope: Scope) -> FunctionTarget | External | None:
        """What a dotted name stands for, seen from the module that serves; None where the project lacks it.

        External stands for what lies outside of the project or cannot be followed.
        """
        package = scope.module.split(".")[:-1]
        known = False
        for size in (0, *range(len(package), 0, -1)):
            parts = [*package[:size], *dotted.split(".")]
            for end in range(len(parts) - 1, 0, -1):
                module = self.program.module(".".join(parts[:end]))
                if module is None:
                    continue
                known = True
                found = self._member(module, parts[end:])
                if found is not None:
                    return found
        return None if known or "." not in dotted else External(dotted)

    def _member(self, module: Module, names: list[str]) -> FunctionTarget | External | None:
        self.program.saw(module.path)
        target = self.program.member(module, names[0])
        if target is None:
            hidden = (
                names[0] in module.scope.bindings
                or module.scope.stars
                or "__getattr__" in module.scope.bindings
            )
            return External(names[0]) if hidden else None
        for name in names[1:]:
            if isinstance(target, ValueTarget):
                made = self.instances.of(target.node, target.scope)
                target = (
                    self.instances.attribute(made, name) if isinstance(made, ClassTarget) else External(name)
                )
            else:
                target = self.program.attribute(target, name) if target is not None else None
        if target is None:
            return None
        return target if isinstance(target, FunctionTarget) else External(".".join(names))
