"""The objects that a project makes of its own classes, and what the names of their methods stand for in each."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cached_property, partial

import msgspec

from ingest.web.constants.configured import Configured, attribute_of
from ingest.web.constants.constants import constant
from ingest.web.program.calls import given_for, has_stars
from ingest.web.program.methods import calls_above, is_or_inherits, next_above, owner_of_self
from ingest.web.program.program import Program
from ingest.web.program.targets import (
    ClassTarget,
    FunctionTarget,
    LoopTarget,
    ParameterTarget,
    Target,
    ValueTarget,
)
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import assigned_by, returned

_DEPTH = 8
_AFTERWARDS = ("__post_init__", "__attrs_post_init__", "model_post_init")


class Made(msgspec.Struct, frozen=True):
    """One object: its class, the call that makes it, and what the names of its `__init__` and its own attributes
    stand for.

    Attributes are among the names as `self.name`.
    """

    owner: ClassTarget
    call: ast.Call
    names: dict[str, Target]


class MadeObjects:
    """Finds the calls that make objects in these modules, and what each call gives its object."""

    def __init__(self, program: Program, modules: Sequence[Module]) -> None:
        self.program = program
        self.modules = modules

    def made(self, call: ast.Call, scope: Scope) -> Made | None:
        """The object that a call makes."""
        owner = self.program.resolve(call.func, scope)
        if not isinstance(owner, ClassTarget):
            return None
        names: dict[str, Target] = {}
        made = self.program.class_member(owner, "__init__")
        at, inner, place = made, call, scope
        for _ in range(_DEPTH):
            if not isinstance(at, FunctionTarget) or not isinstance(at.node, Function):
                break
            given = self.names(at, inner, place)
            if given is None:
                return None
            names = {**given, **names}
            for name, _, value in assigned_by(at.node):
                known = self.program.resolve(value, at.body.told(given))
                if known is not None and not isinstance(known, ParameterTarget):
                    names.setdefault(f"self.{name}", known)
            above, following = calls_above(at.node), next_above(self.program, at)
            if len(above) != 1 or has_stars(above[0]) or not isinstance(following, ClassTarget):
                break
            inner, place = above[0], at.body.told(given)
            at = self.program.class_member(following, "__init__")
        for name in self._constants(owner):
            member = self.program.class_member(owner, name)
            if isinstance(member, ValueTarget) and not isinstance(made, FunctionTarget):
                member = self._field(Configured(owner, call, scope), name) or member
            if member is not None:
                names.setdefault(f"self.{name}", member)
        if not isinstance(made, FunctionTarget):
            names |= self._set_afterwards(owner, names)
        return Made(owner, call, names)

    def _set_afterwards(self, owner: ClassTarget, names: dict[str, Target]) -> dict[str, Target]:
        """What an object whose fields fill themselves assigns to its attributes once they are filled."""
        found: dict[str, Target] = {}
        for method in _AFTERWARDS:
            later = self.program.class_member(owner, method)
            if isinstance(later, FunctionTarget) and isinstance(later.node, Function):
                place = later.body.round(names)
                for name, _, value in assigned_by(later.node):
                    found[f"self.{name}"] = self.program.resolve(value, place) or ValueTarget(value, place)
        return found

    def _field(self, made: Configured, name: str) -> Target | None:
        """What an object whose class has no `__init__` of its own is given for a field, or has by default."""
        held = attribute_of(self.program, made, name, partial(constant, self.program))
        return (self.program.resolve(*held) or ValueTarget(*held)) if held is not None else None

    def _constants(self, owner: ClassTarget) -> Iterator[str]:
        """The names of the values that a class and its bases have."""
        for base in self.program.ancestry(owner):
            if isinstance(base, ClassTarget):
                for statement in base.node.body:
                    named = statement.targets if isinstance(statement, ast.Assign) else []
                    if isinstance(statement, ast.AnnAssign):
                        named = [statement.target]
                    yield from (part.id for part in named if isinstance(part, ast.Name))

    def names(self, made: FunctionTarget, call: ast.Call, scope: Scope) -> dict[str, Target] | None:
        """What the parameters of a function stand for in a call; None where that cannot be known."""
        if any(isinstance(a, ast.Starred) for a in call.args):
            return None
        found: dict[str, Target] = {}
        for node, default in list(parameters(made.node))[1:]:
            target = ParameterTarget(node.arg, made.body, node.annotation, default)
            value, place = given_for(target, made, call, scope)
            known = self.program.resolve(value, place) if value is not None else None
            if known is not None and not isinstance(known, ParameterTarget):
                found[node.arg] = known
        return found

    def calls(
        self, node: ast.expr, scope: Scope, holder: ClassTarget | None = None, depth: int = 0
    ) -> list[tuple[ast.Call, Scope]]:
        """The calls that make the objects which an expression stands for; empty where they are not known.

        The `self` of the methods of `holder` stands for all its objects.
        """
        target = self.program.resolve(node, scope)
        if depth > _DEPTH:
            return []
        match target:
            case ValueTarget(node=ast.Call() as call, scope=inner):
                made = self.program.resolve(call.func, inner)
                if isinstance(made, ClassTarget):
                    return [(call, inner)]
                if isinstance(made, FunctionTarget) and len(results := returned(made)) == 1:
                    return self.calls(*results[0], holder, depth + 1)
            case LoopTarget(iterable=ast.List() | ast.Tuple() as listed, scope=inner):
                each = [self.calls(part, inner, holder, depth + 1) for part in listed.elts]
                return [call for calls in each for call in calls] if all(each) else []
            case ParameterTarget() if holder is not None and _is_self(target, holder):
                return [
                    (call, inner)
                    for call, inner, made in self._all
                    if is_or_inherits(self.program, made, holder)
                ]
        return []

    @cached_property
    def _all(self) -> list[tuple[ast.Call, Scope, ClassTarget]]:
        """Every call in the modules that makes an object of a class of the project."""
        found = []
        with self.program.aside():
            for module in self.modules:
                for scope in module.scope.descend():
                    for call in scope.calls:
                        made = self.program.resolve(call.func, scope)
                        if isinstance(made, ClassTarget):
                            found.append((call, scope, made))
        return found


def _is_self(target: ParameterTarget, holder: ClassTarget) -> bool:
    owner = owner_of_self(target)
    return owner is not None and owner.node is holder.node
