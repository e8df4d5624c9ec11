"""Functions of the project that register what they are told: `add("/books", view)`, `@api("/books", methods=[…])`."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from ingest.web.bindings import Function, parameters
from ingest.web.calls import argument, given_for, parameter_names
from ingest.web.constants import text_of
from ingest.web.decorated import Decorated, decorated_by
from ingest.web.instances import Instances
from ingest.web.modules import Module
from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.sites import Event, Sites
from ingest.web.star_arguments import written_out
from ingest.web.targets import ClassTarget, FunctionTarget, ParameterTarget, Target, ValueTarget

_DEPTH = 3


@dataclass(frozen=True, slots=True)
class _Use:
    """One call of such a function: its scope as that call makes it, what the call decorates, and where it stands."""

    scope: Scope
    decorated: Decorated | None
    path: str


class ToldRoutes:
    """The functions in some modules whose parameters say which route of a site they register."""

    def __init__(
        self, program: Program, instances: Instances, sites: Sites, modules: Iterable[Module]
    ) -> None:
        self.program = program
        self.instances = instances
        self.sites = sites
        self.modules = list(modules)

    def events(self, methods: Collection[str]) -> tuple[list[Event], set[ast.Call]]:
        """What all calls of these functions register, and the calls within the functions that do so."""
        found: list[Event] = []
        told: set[ast.Call] = set()
        for module in self.modules:
            for scope in module.scope.descend():
                for call in scope.calls if isinstance(scope.node, Function) else ():
                    if isinstance(call.func, ast.Attribute) and call.func.attr in methods:
                        made = list(self._registered(call, scope))
                        found += made
                        told |= {call} if made else set()
        return found, told

    def _registered(self, call: ast.Call, scope: Scope) -> Iterator[Event]:
        owner = self._teller(call, scope)
        if owner is None:
            return
        with self.program.aside():
            uses = self._uses(owner, 0)
        for use in uses:
            inner = use.scope
            if scope is not owner:
                # The decorator within: what it is given is what the call decorates.
                inner = Scope(scope.module, scope.path, scope.node, use.scope, scope.qualified)
                first = next(parameters(scope.node), None)  # type: ignore[arg-type]  # only functions have calls here
                if first is not None and use.decorated is not None:
                    inner = inner.round({first[0].arg: use.decorated})
            assert isinstance(call.func, ast.Attribute)
            for site in self.sites.of(call.func.value, inner):
                made, place = written_out(self.program, call, inner)
                function = use.decorated or self._called_with(call, scope, inner)
                yield Event(
                    site, call.func.attr, made, place, function, sources=frozenset({use.path, scope.path})
                )

    def _teller(self, call: ast.Call, scope: Scope) -> Scope | None:
        """The function around a call whose parameters say the rule; None where the rule is said otherwise."""
        rule = argument(call, 0, "rule")
        first = call.args[0] if call.args else None
        starred = first.value if isinstance(first, ast.Starred) else None
        named = [each for each in (rule, starred) if each is not None]
        named += [each.value for each in call.keywords if each.arg is None and rule is None]
        names = {part.id for each in named for part in ast.walk(each) if isinstance(part, ast.Name)}
        for around in (scope, scope.parent):
            node = around.node if around is not None else None
            if around is None or not isinstance(node, Function):
                continue
            own = {each.arg for each, _ in parameters(node)}
            own |= {each.arg for each in (node.args.vararg, node.args.kwarg) if each is not None}
            own -= {"self", "cls"}
            if names & own:
                return around if rule is None or text_of(self.program, rule, scope) is None else None
        return None

    def _called_with(self, call: ast.Call, scope: Scope, inner: Scope) -> Decorated | None:
        """The function of `app.route(rule)(function)`."""
        for outer in scope.calls:
            if outer.func is call and len(outer.args) == 1 and not outer.keywords:
                found = self.instances.callee(outer.args[0], inner)
                return found if isinstance(found, FunctionTarget | ClassTarget) else None
        return None

    def _uses(self, owner: Scope, depth: int) -> list[_Use]:
        """The calls of a function, wherever they stand; those within another such function as its calls make them."""
        if owner.parent is None or not isinstance(owner.node, Function) or depth > _DEPTH:
            return []
        function = FunctionTarget(owner.node, owner.parent)
        found: list[_Use] = []
        for scope, call, decorated in self._calls_of(function):
            for place in self._outer_uses(call, scope, depth) or [scope]:
                given = self._given(function, call, place)
                found.append(_Use(owner.round(given), decorated, place.path))
        return found

    def _outer_uses(self, call: ast.Call, scope: Scope, depth: int) -> list[Scope]:
        node = scope.node
        if not isinstance(node, Function):
            return []
        own = {each.arg for each, _ in parameters(node)} - {"self", "cls"}
        given = [*call.args, *(each.value for each in call.keywords)]
        handed = {each.id for each in given if isinstance(each, ast.Name)}
        return [use.scope for use in self._uses(scope, depth + 1)] if handed & own else []

    def _calls_of(self, function: FunctionTarget) -> Iterator[tuple[Scope, ast.Call, Decorated | None]]:
        name = getattr(function.node, "name", "")
        importing = self.program.importers_named((function.scope.module,))
        names = {module.name: None for module in self.modules} | dict.fromkeys(importing)
        for each in sorted(names):
            module = self.program.module(each) if name in self.program.text(each) else None
            for scope in module.scope.descend() if module is not None else ():
                called = [(call, _last_name(call.func)) for call in scope.calls]
                if not any(last == name for _, last in called):
                    continue
                decorated = decorated_by(self.instances, scope)
                for call, last in called:
                    target = self.instances.callee(call.func, scope) if last == name else None
                    if isinstance(target, FunctionTarget) and target.node is function.node:
                        yield scope, call, decorated.get(call)

    def _given(self, function: FunctionTarget, call: ast.Call, scope: Scope) -> dict[str, Target]:
        """What a call gives for the parameters of a function, the rest of its arguments as a table."""
        given: dict[str, Target] = {}
        for each, default in parameters(function.node):
            told = ParameterTarget(each.arg, function.body, each.annotation, default)
            value, place = given_for(told, function, call, scope)
            if value is not None:
                given[each.arg] = self.program.resolve(value, place) or ValueTarget(value, place)
        assert isinstance(function.node, Function)
        names, arguments = parameter_names(function), function.node.args
        if arguments.vararg is not None:
            rest = call.args[len(names) - len(arguments.kwonlyargs) :]
            given[arguments.vararg.arg] = ValueTarget(ast.Tuple(list(rest), ast.Load()), scope)
        if arguments.kwarg is not None:
            more = [each for each in call.keywords if each.arg not in names]
            keys: list[ast.expr | None] = [ast.Constant(each.arg) if each.arg else None for each in more]
            given[arguments.kwarg.arg] = ValueTarget(ast.Dict(keys, [each.value for each in more]), scope)
        return given


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
