"""Functions of the project that register what they are told: `add("/books", view)`, `@api("/books", methods=[…])`."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator

import msgspec

from ingest.web.constants.constants import text_of
from ingest.web.constants.star_arguments import written_out
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget
from ingest.web.routing.sites import Event, Sites
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.modules import Module
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope
from ingest.web.values.as_told import as_told, told_by
from ingest.web.values.decorated import Decorated, decorated_by
from ingest.web.values.instances import Instances
from ingest.web.values.rounds import rounds

_DEPTH = 3


class _Use(msgspec.Struct, frozen=True):
    """One call of such a function: its scope as that call makes it, what the call decorates, and where it stands."""

    scope: Scope
    decorated: Decorated | None
    path: str


class ToldRoutes:
    """The functions in some modules whose parameters say which route of a site they register.

    The methods of a site take the rule of the route first, but for those that take it `second`.
    """

    def __init__(
        self,
        program: Program,
        instances: Instances,
        sites: Sites,
        modules: Iterable[Module],
        second: Collection[str] = (),
    ) -> None:
        self.program = program
        self.instances = instances
        self.sites = sites
        self.modules = list(modules)
        self.second = second

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
            for inner, own in _copies(use.scope, call):
                if scope is not owner and use.decorated is not None:
                    # The decorator within: what it is given is what the call decorates.
                    first = next(parameters(scope.node), None)  # type: ignore[arg-type]  # only functions have calls here
                    inner = inner.round({first[0].arg: use.decorated}) if first is not None else inner
                assert isinstance(own.func, ast.Attribute)
                for place in rounds(self.program, own, inner):
                    function = use.decorated or self._called_with(own, place)
                    sources = frozenset({use.path, scope.path})
                    for site in self.sites.of(own.func.value, place):
                        made, within = written_out(self.program, own, place)
                        yield Event(site, own.func.attr, made, within, function, sources)

    def _teller(self, call: ast.Call, scope: Scope) -> Scope | None:
        """The function around a call whose parameters say the rule; None where the rule is said otherwise."""
        later = isinstance(call.func, ast.Attribute) and call.func.attr in self.second
        rule = argument(call, 1 if later else 0, "rule", "path")
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

    def _called_with(self, call: ast.Call, scope: Scope) -> Decorated | None:
        """The function of `app.route(rule)(function)`."""
        around = scope
        while around._is_round and around.parent is not None:
            around = around.parent
        for outer in around.calls:
            if outer.func is call and len(outer.args) == 1 and not outer.keywords:
                found = self.instances.callee(outer.args[0], scope)
                return found if isinstance(found, FunctionTarget | ClassTarget) else None
        return None

    def _uses(self, owner: Scope, depth: int) -> list[_Use]:
        """The calls of a function, wherever they stand; those within another such function as its calls make them."""
        if owner.parent is None or not isinstance(owner.node, Function) or depth > _DEPTH:
            return []
        function = FunctionTarget(owner.node, owner.parent)
        found: list[_Use] = []
        for scope, call, decorated in self._calls_of(function):
            for outer in self._outer_uses(call, scope, depth) or [scope]:
                for around, same in _copies(outer, call) if outer is not scope else [(scope, call)]:
                    for place in rounds(self.program, same, around):
                        made = as_told(self.program, function, told_by(self.program, function, same, place))
                        found.append(_Use(made, decorated, place.path))
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
                called = [(call, last_name(call.func)) for call in scope.calls]
                if not any(last == name for _, last in called):
                    continue
                decorated = decorated_by(self.instances, scope)
                for call, last in called:
                    target = self.instances.callee(call.func, scope) if last == name else None
                    if isinstance(target, FunctionTarget) and target.node is function.node:
                        yield scope, call, decorated.get(call)


def _copies(scope: Scope, call: ast.Call) -> list[tuple[Scope, ast.Call]]:
    """The copy of a call in the copy of a function that it stands in, with its scope; none where no branch has it."""
    return [
        (inner, each) for inner in scope.descend() for each in inner.calls if _place(each) == _place(call)
    ]


def _place(node: ast.expr) -> tuple[int, int, int | None, int | None]:
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset
