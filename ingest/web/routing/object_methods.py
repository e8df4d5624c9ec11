"""Which methods of an object run: those that its other methods call, and those that none of them calls."""

from __future__ import annotations

import ast

import msgspec

from ingest.web.program.methods import calls_above
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.walks import nodes_of


class _Method(msgspec.Struct, frozen=True, eq=False):
    function: FunctionTarget
    called: frozenset[str]
    """The methods that it calls on its own object."""
    hands_on: bool
    """Whether it gives its own object to something of which it cannot be seen what it does."""


class ObjectMethods:
    """Reads what the methods of the project's classes do with their own object."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def runs(self, owner: ClassTarget, name: str) -> bool:
        """Whether a method of an object of this class is called by a method that runs, or only from elsewhere."""
        return self._runs(owner, name, ())

    def hands_on(self, owner: ClassTarget) -> bool:
        """Whether an object of this class gives itself to something of which it cannot be seen what it does."""
        return any(each.hands_on for each in self._methods(owner) if self._is_in_force(owner, each.function))

    def _runs(self, owner: ClassTarget, name: str, seen: tuple[str, ...]) -> bool:
        callers = [each for each in self._methods(owner) if name in each.called]
        names = (
            str(getattr(each.function.node, "name", ""))
            for each in callers
            if self._is_in_force(owner, each.function)
        )
        return not callers or any(n not in seen and self._runs(owner, n, (*seen, name)) for n in names)

    def _is_in_force(self, owner: ClassTarget, function: FunctionTarget) -> bool:
        """Whether a method is what its name means for an object of this class, or is called by what overrides it."""
        member = self.program.class_member(owner, str(getattr(function.node, "name", "")))
        if not isinstance(member, FunctionTarget) or member.node is function.node:
            return True
        return isinstance(member.node, Function) and bool(calls_above(member.node))

    def _methods(self, owner: ClassTarget) -> list[_Method]:
        return self.program.remember((self, owner.node), lambda: self._read(owner))

    def _read(self, owner: ClassTarget) -> list[_Method]:
        found = []
        for base in self.program.ancestry(owner):
            for node in base.node.body if isinstance(base, ClassTarget) else ():
                if isinstance(node, Function) and isinstance(base, ClassTarget):
                    first = next(parameters(node), None)
                    if first is not None:
                        found.append(self._method(FunctionTarget(node, base.body), first[0].arg))
        return found

    def _method(self, function: FunctionTarget, own: str) -> _Method:
        called: set[str] = set()
        hands_on = False
        for call in (part for part in nodes_of(function.node) if isinstance(part, ast.Call)):
            match call.func:
                case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == own:
                    called.add(attribute)
            given = (*call.args, *(keyword.value for keyword in call.keywords))
            if any(isinstance(each, ast.Name) and each.id == own for each in given):
                hands_on = hands_on or self._is_unseen(call, function)
        return _Method(function, frozenset(called), hands_on)

    def _is_unseen(self, call: ast.Call, function: FunctionTarget) -> bool:
        made = self.program.resolve(call.func, function.body)
        return not isinstance(made, FunctionTarget | ClassTarget | External)
