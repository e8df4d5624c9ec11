"""Functions that make a router, called several times: what each call registers on the router that it gets."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable
from typing import TypeAlias

import msgspec

from ingest.web.constants.configured import followed
from ingest.web.program.calls import given_for, has_stars
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget, ParameterTarget, Target, ValueTarget
from ingest.web.syntax.bindings import Bound, Function, parameters
from ingest.web.syntax.modules import Module
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import own_statements, returned
from ingest.web.values.rounds import rounds

_DEPTH = 8


_Key: TypeAlias = tuple[ast.Call, frozenset[tuple[str, Target]]]


class Round(msgspec.Struct, frozen=True):
    """One call of a factory, in one round of the loops around it: the scope in which its routers are made, and that in
    which they are used."""

    made: Scope
    used: Scope


class _Factory(msgspec.Struct, eq=False):
    function: FunctionTarget
    routers: dict[str, ast.Call]
    rounds: dict[_Key, Round] = msgspec.field(default_factory=dict)
    whole: bool = True


class Factories:
    """The functions in some modules that take parameters, make a router of certain kinds, and give it back."""

    def __init__(
        self,
        program: Program,
        modules: Iterable[Module],
        kind_of: Callable[[Target | None], str],
        kinds: Collection[str],
    ) -> None:
        self.program = program
        self.kind_of = kind_of
        self.kinds = kinds
        self._modules = list(modules) if kinds else []
        self._found: dict[ast.AST, _Factory] | None = None

    def rounds(self, scope: Scope) -> list[Round]:
        """The calls of the factory whose scope this is; none where it is none."""
        factory = self._factories.get(scope.node)
        return list(factory.rounds.values()) if factory is not None else []

    def whole(self, scope: Scope) -> bool:
        """Whether each call of the factory whose scope this is could be followed."""
        factory = self._factories.get(scope.node)
        return factory is not None and factory.whole and bool(factory.rounds)

    def routers(self, scope: Scope) -> Collection[ast.Call]:
        """The calls in a factory's scope that make the routers it gives back."""
        factory = self._factories.get(scope.node)
        return list(factory.routers.values()) if factory is not None else []

    def of(self, called: FunctionTarget, call: ast.Call, scope: Scope) -> Round | None:
        """What a call makes a factory do, or None where it calls none."""
        factory = self._factories.get(called.node)
        if factory is None:
            return None
        return factory.rounds.get((call, frozenset(self._given(factory, call, scope).items())))

    @property
    def _factories(self) -> dict[ast.AST, _Factory]:
        if self._found is None:
            self._found = {}
            with self.program.aside():
                scopes = [scope for module in self._modules for scope in module.scope.descend()]
                for scope in scopes:
                    if (factory := self._factory(scope)) is not None:
                        self._found[scope.node] = factory
                names = {getattr(node, "name", "") for node in self._found}
                for scope in scopes if self._found else ():
                    for call in scope.calls:
                        if last_name(call.func) in names:
                            for inner in rounds(self.program, call, scope):
                                self._call(call, inner)
        return self._found

    def _factory(self, scope: Scope) -> _Factory | None:
        node = scope.node
        if not isinstance(node, Function) or scope.parent is None or scope.parent.is_class:
            return None
        if not any(parameters(node)):
            return None
        routers: dict[str, ast.Call] = {}
        for statement in own_statements(node.body):
            if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
                continue
            named = statement.targets[0]
            if isinstance(named, ast.Name):
                kind = self.kind_of(self.program.resolve(statement.value.func, scope))
                if kind in self.kinds and len(scope.bindings.get(named.id, [])) == 1:
                    routers[named.id] = statement.value
        function = FunctionTarget(node, scope.parent)
        given = [value.id for value, _ in returned(function) if isinstance(value, ast.Name)]
        return _Factory(function, routers) if routers and set(given) & routers.keys() else None

    def _call(self, call: ast.Call, scope: Scope) -> None:
        called = self.program.resolve(call.func, scope)
        factory = self._found.get(called.node) if isinstance(called, FunctionTarget) and self._found else None
        if factory is None:
            return
        if has_stars(call):
            factory.whole = False
            return
        given = self._given(factory, call, scope)
        body = factory.function.body
        made = body.round(given)
        # What is defined within sees what this call gives, be it a dependency of another that is.
        made.bindings.update(
            {name: each for name, each in body.bindings.items() if all(b.how is Bound.FUNCTION for b in each)}
        )
        local = {name: ValueTarget(node, made) for name, node in factory.routers.items()}
        factory.rounds[call, frozenset(given.items())] = Round(made, made.round(local))

    def _given(self, factory: _Factory, call: ast.Call, scope: Scope) -> dict[str, Target]:
        """What a call gives for the parameters of a factory, as far as it is known."""
        body = factory.function.body
        given: dict[str, Target] = {}
        for argument, default in parameters(factory.function.node):
            target = ParameterTarget(argument.arg, body, argument.annotation, default)
            value, place = given_for(target, factory.function, call, scope)
            known = self.program.resolve(value, place) if value is not None else None
            if isinstance(known, ParameterTarget):
                known = self._handed_on(known)
            if known is not None:
                given[argument.arg] = known
        return given

    def _handed_on(self, target: ParameterTarget) -> Target:
        """The text that a parameter of the function around a call certainly is; else the parameter itself."""
        known: Target | None = target
        for _ in range(_DEPTH):
            if not isinstance(known, ParameterTarget):
                break
            placed = followed(self.program, known)
            known = self.program.resolve(*placed) if placed is not None else None
        is_text = isinstance(known, ValueTarget) and isinstance(known.node, ast.Constant)
        return known if known is not None and is_text else target
