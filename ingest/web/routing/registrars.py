"""Functions that are given a router or application and register on it: what each of several calls registers."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from ingest.web.program.calls import given_for, has_stars, is_static
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget, ParameterTarget, Target
from ingest.web.routing.factories import Factories
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.modules import Module
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope
from ingest.web.values.made_objects import Made, MadeObjects
from ingest.web.values.own_attributes import OF_SELF
from ingest.web.values.rounds import rounds

_DEPTH = 5
_MOST = 200
_REGISTERING = frozenset({"add_api_route", "add_route", "include_router", "api_route"})


class Registrars:
    """Finds in some modules the functions that register on a parameter, and how each call of them sees its names."""

    def __init__(
        self,
        program: Program,
        modules: Sequence[Module],
        makes_sites: Callable[[Target | None], str],
        factories: Factories,
    ) -> None:
        self.program = program
        self.factories = factories
        self.modules = modules
        self.makes_sites = makes_sites
        self.objects = MadeObjects(program, modules)
        self._calls: dict[ast.AST, list[tuple[ast.Call, Scope]]] | None = None
        self._rounds: dict[ast.AST, list[Scope] | None] = {}

    def rounds(self, scope: Scope) -> list[Scope]:
        """A function's scope as each of its calls sees it; none where that is not known."""
        if self._calls is None:
            with self.program.aside():
                self._calls = self._found()
        if scope.node not in self._calls:
            return []
        if scope.node not in self._rounds:
            self._rounds[scope.node] = None
            with self.program.aside():
                self._rounds[scope.node] = self._of(scope, self._calls[scope.node])
        return self._rounds[scope.node] or []

    def _found(self) -> dict[ast.AST, list[tuple[ast.Call, Scope]]]:
        """The calls of every function that registers on a parameter, where its calls may tell different things."""
        scopes = [scope for module in self.modules for scope in module.scope.descend()]
        found: dict[ast.AST, list[tuple[ast.Call, Scope]]] = {}
        new = {scope.node for scope in scopes if self._registers(scope)}
        for _ in range(_DEPTH):
            found.update({node: [] for node in new})
            names = {getattr(node, "name", "") for node in new}
            handing = set()
            for scope in scopes if new else ():
                for call in scope.calls:
                    called = self._called(call, scope) if last_name(call.func) in names else None
                    if isinstance(called, FunctionTarget) and called.node in new:
                        found[called.node].append((call, scope))
                        handing |= (
                            {scope.node} if _hands_on(call, scope) and not self._makes(scope) else set()
                        )
            new = handing - found.keys()
        return {
            node: calls
            for node, calls in found.items()
            if len(calls) > 1
            or _of_class(node)
            or any(s.node in found or s.loops(c) or self.factories.rounds(s) for c, s in calls)
        }

    def _called(self, call: ast.Call, scope: Scope) -> Target | None:
        """The function that a call names, be it a method of an object of the project's, one in each round of a loop."""
        called = self.program.resolve(call.func, scope)
        if called is not None or not isinstance(call.func, ast.Attribute):
            return called
        made = self._object(call.func.value, rounds(self.program, call, scope)[0])
        return self.program.class_member(made.owner, call.func.attr) if made is not None else None

    def _object(self, node: ast.expr, scope: Scope) -> Made | None:
        """The one object that an expression certainly is."""
        calls = self.objects.calls(node, scope)
        return self.objects.made(*calls[0]) if len(calls) == 1 else None

    def _registers(self, scope: Scope) -> bool:
        """Whether this is a function that registers on a parameter of its own and makes no router itself."""
        node = scope.node
        if not isinstance(node, Function):
            return False
        names = {argument.arg for argument, _ in parameters(node)}
        decorating = {
            decorator
            for inner in scope.table.inner
            if isinstance(inner, Function)
            for decorator in inner.decorator_list
        }
        registering = any(
            isinstance(call.func, ast.Attribute)
            and isinstance(call.func.value, ast.Name)
            and call.func.value.id in names
            and (call in decorating or call.func.attr in _REGISTERING)
            for call in scope.calls
        )
        return registering and not self._makes(scope)

    def _makes(self, scope: Scope) -> bool:
        """Whether a function makes routers of its own, which are followed as those of a factory."""
        return any(self.makes_sites(self.program.resolve(call.func, scope)) for call in scope.calls)

    def _of(self, scope: Scope, calls: list[tuple[ast.Call, Scope]]) -> list[Scope] | None:
        assert isinstance(scope.node, Function) and scope.parent is not None, "only functions are called"
        function = FunctionTarget(scope.node, scope.parent)
        made: list[Scope] = []
        for call, outside in calls:
            if has_stars(call):
                return None
            made_in = [each.used for each in self.factories.rounds(outside)]
            for start in made_in or self.rounds(outside) or [outside]:
                for inner in rounds(self.program, call, start):
                    given = self._given(function, call, inner)
                    if given is None or len(made) >= _MOST:
                        return None
                    made.append(scope.told(given))
        return made

    def _given(self, function: FunctionTarget, call: ast.Call, scope: Scope) -> dict[str, Target] | None:
        """What the parameters of a function stand for in a call, and the attributes of the object that it is called on;
        None where that is not known."""
        found: dict[str, Target] = {}
        own = list(parameters(function.node))
        if function.scope.is_class and not is_static(function):
            on = call.func.value if isinstance(call.func, ast.Attribute) else None
            owner = self.program.resolve(on, scope) if on is not None else None
            if on is None or not own:
                return None
            first = own.pop(0)[0].arg
            if isinstance(owner, ClassTarget) and _of_class(function.node):
                found[first] = owner
            elif (made := self._object(on, scope)) is not None:
                found |= {name: each for name, each in made.names.items() if name.startswith(OF_SELF)}
            else:
                return None
        for argument, default in own:
            target = ParameterTarget(argument.arg, function.body, argument.annotation, default)
            value, place = given_for(target, function, call, scope)
            known = self.program.resolve(value, place) if value is not None else None
            if known is not None and not isinstance(known, ParameterTarget):
                found[argument.arg] = known
        return found


def _hands_on(call: ast.Call, scope: Scope) -> bool:
    """Whether a call in a function gives what that is given itself."""
    own = (
        {argument.arg for argument, _ in parameters(scope.node)}
        if isinstance(scope.node, Function)
        else set()
    )
    return any(isinstance(each, ast.Name) and each.id in own for each in call.args) or any(
        isinstance(each.value, ast.Name) and each.value.id in own for each in call.keywords
    )


def _of_class(node: ast.AST) -> bool:
    """Whether a function is a class method."""
    return isinstance(node, Function) and any(
        isinstance(each, ast.Name) and each.id == "classmethod" for each in node.decorator_list
    )
