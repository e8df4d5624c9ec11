"""What a program keeps in lists and dictionaries of its own: what is put in, and which expressions take it out."""

from __future__ import annotations

import ast
from collections.abc import Hashable

from ingest.web.answers.store_writes import StoreWrites
from ingest.web.constants.constants import MISSING, Constant, Missing, constant
from ingest.web.program.calls import given_for, has_stars
from ingest.web.program.methods import owner_of_self
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget, ParameterTarget, ValueTarget
from ingest.web.syntax.bindings import Bound, Function, parameters
from ingest.web.syntax.scopes import Scope
from ingest.web.values.application_values import kept_name
from ingest.web.values.instances import Instances, returned
from ingest.web.values.kept_places import (
    Placed,
    Written,
    is_container,
    is_listing,
)

_DEPTH = 12
_LISTED = frozenset({"list", "sorted", "tuple", "reversed"})


class Stores:
    """Finds the stores of one program.

    `rounds` are the variables of the comprehensions, `calls` the calls of functions that are being read.
    """

    def __init__(self, program: Program, instances: Instances) -> None:
        self.program = program
        self.instances = instances
        self.rounds: list[tuple[str, ast.expr, Scope]] = []
        self.calls: list[tuple[FunctionTarget, ast.Call, Scope]] = []
        self.homes: dict[ast.expr, Scope] = {}
        self.writes = StoreWrites(self)

    def argument(self, name: str, scope: Scope) -> Placed | None:
        """What the call that is being read gives for a parameter of this function, with its scope."""
        for called, call, around in reversed(self.calls):
            if called.node is scope.node:
                parameter = ParameterTarget(name, scope, None, None)
                value, place = given_for(parameter, called, call, around)
                return (value, place) if value is not None and place is around else None
        return None

    def left_out(self, parameter: ParameterTarget) -> Placed | None:
        """The default that stands for a parameter which the call that is being read gives nothing; not for None."""
        for called, call, around in reversed(self.calls):
            if called.node is parameter.scope.node:
                value, _ = given_for(parameter, called, call, around)
                stands = value is not None and value is parameter.default and not is_none(value)
                return (value, called.scope) if value is not None and stands and not has_stars(call) else None
        return None

    def owner(self, parameter: ParameterTarget) -> Placed | None:
        """The object whose method is being read, where the parameter stands for it."""
        for called, call, around in reversed(self.calls):
            if called.node is parameter.scope.node:
                own = owner_of_self(parameter) is not None and isinstance(call.func, ast.Attribute)
                return (call.func.value, around) if own and isinstance(call.func, ast.Attribute) else None
        return None

    def told(self, name: str, scope: Scope) -> Constant:
        """What the call that is being read gives for a parameter, or its default, where that is constant."""
        for called, call, around in reversed(self.calls):
            bindings = scope.bindings.get(name, [])
            if called.node is scope.node and [each.how for each in bindings] == [Bound.PARAMETER]:
                defaults = {each.arg: default for each, default in parameters(called.node)}
                parameter = ParameterTarget(name, scope, None, defaults.get(name))
                value, place = given_for(parameter, called, call, around)
                known = constant(self.program, value, place)
                handed = isinstance(known, Missing) and isinstance(value, ast.Name) and place is not scope
                return self.told(value.id, place) if handed and isinstance(value, ast.Name) else known
        return MISSING

    def further(self, node: ast.expr, scope: Scope) -> tuple[list[ast.keyword], Scope] | None:
        """What the call that is being read gives for `**options`, where this names them; with its scope."""
        for called, call, around in reversed(self.calls):
            if called.node is not scope.node or not isinstance(node, ast.Name):
                continue
            rest = called.node.args.kwarg
            if rest is None or rest.arg != node.id or len(scope.bindings.get(node.id, [])) != 1:
                return None
            names = {each.arg for each, _ in parameters(called.node)}
            return [each for each in call.keywords if each.arg not in names], around
        return None

    def key(self, node: ast.expr, scope: Scope, depth: int = 0) -> Hashable | None:
        """What identifies the store that an expression stands for."""
        if depth > _DEPTH:
            return None
        match node:
            case ast.Name():
                target = self.program.resolve(node, scope)
                return self._of_value(target, depth) if isinstance(target, ValueTarget) else None
            case ast.Attribute(value=ast.Attribute(attr="state"), attr=name):
                return ("state", name)
            case ast.Attribute():
                return self._of_attribute(node, scope, depth)
            case ast.Subscript():
                kept = kept_name(self.program, node, scope)
                return kept if kept != ("app", None) else None
            case ast.Call():
                called = self.instances.callee(node.func, scope)
                if isinstance(called, FunctionTarget):
                    found = {self.key(value, inner, depth + 1) for value, inner in returned(called)}
                    return found.pop() if len(found) == 1 else None
        return None

    def element(self, node: ast.expr | None, scope: Scope, depth: int = 0) -> Hashable | None:
        """The store that an expression takes one value from."""
        if node is None or depth > _DEPTH:
            return None
        match node:
            case ast.Await(value=inner) | ast.NamedExpr(value=inner):
                return self.element(inner, scope, depth + 1)
            case ast.Name():
                return self._named(node, scope, depth)
            case ast.Subscript(slice=index) if not isinstance(index, ast.Slice):
                return self.key(node.value, scope, depth + 1) or self.elements(node.value, scope, depth + 1)
            case ast.Call():
                return self._taken(node, scope, depth)
        return None

    def elements(self, node: ast.expr | None, scope: Scope, depth: int = 0) -> Hashable | None:
        """The store that an expression lists values of."""
        if node is None or depth > _DEPTH:
            return None
        match node:
            case ast.Name() | ast.Attribute():
                key = self.key(node, scope, depth + 1)
                if key is not None:
                    return key if self._is_list(key) else None
                bindings = scope.bindings.get(node.id, []) if isinstance(node, ast.Name) else []
                if len(bindings) == 1 and bindings[0].how is Bound.VALUE:
                    return self.elements(bindings[0].value, scope, depth + 1)
            case ast.Subscript(slice=ast.Slice()):
                return self.elements(node.value, scope, depth + 1)
            case ast.Subscript():
                key = self.key(node, scope, depth + 1)
                return key if key is not None and self._is_list(key) else None
            case (
                ast.ListComp(elt=ast.Name(id=name), generators=[only])
                | ast.GeneratorExp(elt=ast.Name(id=name), generators=[only])
            ):
                if isinstance(only.target, ast.Name) and only.target.id == name:
                    return self.elements(only.iter, scope, depth + 1)
            case ast.Call(func=ast.Attribute(value=owner, attr="values")):
                return self.key(owner, scope, depth + 1)
            case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _LISTED:
                return self.elements(first, scope, depth + 1)
            case ast.Call():
                return self._from_function(node, scope, depth, many=True)
        return None

    def written(self, key: Hashable) -> Written:
        """All that the program puts into a store."""
        return self.program.remember(("stored", key), lambda: self.writes.of(key))

    def _of_value(self, target: ValueTarget, depth: int) -> Hashable | None:
        node = target.node
        if node is None:
            return None
        if is_container(node):
            return self._home(node, target.scope) if not _is_local(target.scope) else None
        return self.key(node, target.scope, depth + 1) if not isinstance(node, ast.Name) else None

    def _home(self, node: ast.expr, scope: Scope) -> ast.expr:
        self.homes[node] = scope
        return node

    def _of_attribute(self, node: ast.Attribute, scope: Scope, depth: int) -> Hashable | None:
        target = self.program.resolve(node, scope)
        if target is None:
            owner = self.instances.of(node.value, scope)
            target = self.instances.attribute(owner, node.attr) if isinstance(owner, ClassTarget) else None
            if isinstance(target, ValueTarget) and target.node is not None and is_container(target.node):
                return self._home(target.node, target.scope)
        return self._of_value(target, depth) if isinstance(target, ValueTarget) else None

    def _named(self, node: ast.Name, scope: Scope, depth: int) -> Hashable | None:
        for name, iterable, around in reversed(self.rounds):
            if name == node.id and around is scope:
                return self.elements(iterable, scope, depth + 1) or self._of_items(iterable, scope, depth)
        found: set[Hashable] = set()
        bindings = scope.bindings.get(node.id, [])
        if len(bindings) == 1 and bindings[0].how is Bound.PARAMETER:
            given = self.argument(node.id, scope)
            return self.element(*given, depth + 1) if given is not None else None
        for binding in bindings:
            if is_none(binding.value):
                continue
            how = self.elements if binding.how is Bound.LOOP else self.element
            known = binding.how in (Bound.LOOP, Bound.VALUE)
            found.add(how(binding.value, scope, depth + 1) if known else None)
        return found.pop() if len(found) == 1 else None

    def _of_items(self, node: ast.expr, scope: Scope, depth: int) -> Hashable | None:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "items":
            return self.key(node.func.value, scope, depth + 1)
        return None

    def _taken(self, node: ast.Call, scope: Scope, depth: int) -> Hashable | None:
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr in ("get", "pop", "setdefault"):
            key = self.key(function.value, scope, depth + 1)
            if key is not None:
                return key
        if isinstance(function, ast.Name) and function.id == "next" and node.args:
            return self.elements(node.args[0], scope, depth + 1)
        return self._from_function(node, scope, depth, many=False)

    def _from_function(self, node: ast.Call, scope: Scope, depth: int, *, many: bool) -> Hashable | None:
        called = self.instances.callee(node.func, scope)
        if not isinstance(called, FunctionTarget):
            return None
        how = self.elements if many else self.element
        found = {how(value, inner, depth + 1) for value, inner in returned(called) if not is_none(value)}
        return found.pop() if len(found) == 1 else None

    def _is_list(self, key: Hashable) -> bool:
        if isinstance(key, ast.expr):
            return is_listing(key)
        return any(is_listing(value) for value, _ in self.writes.initial(key))


def _is_local(scope: Scope) -> bool:
    return isinstance(scope.node, Function | ast.Lambda)
