"""Applications and routers as the places that make them, and what is registered on each."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator

from ingest.web.constants.configured import default_of, is_field
from ingest.web.constants.constants import entry_of
from ingest.web.constants.possible import round_elements
from ingest.web.constants.star_arguments import written_out
from ingest.web.program.bound_methods import as_method
from ingest.web.program.either import attribute_behind, either, part_of_call, told_alike
from ingest.web.program.methods import is_or_inherits, owner_of_self
from ingest.web.program.program import Program
from ingest.web.program.shapes import ShapeKind
from ingest.web.program.targets import (
    ClassTarget,
    External,
    FunctionTarget,
    LoopTarget,
    ModuleTarget,
    ParameterTarget,
    Target,
    ValueTarget,
)
from ingest.web.routing.factories import Factories
from ingest.web.routing.registrars import Registrars
from ingest.web.routing.site_records import Event as Event
from ingest.web.routing.site_records import Site as Site
from ingest.web.routing.wrapped_sites import wrapped_again
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotations import shape_of
from ingest.web.values.callers import Callers
from ingest.web.values.decorated import decorated_by
from ingest.web.values.held_values import held_values, set_here, set_later
from ingest.web.values.imported_names import attribute_asked, imported
from ingest.web.values.instances import Instances, is_property, returned
from ingest.web.values.loaded import called_by_name
from ingest.web.values.own_attributes import put_on, with_names
from ingest.web.values.rounds import rounds

_DEPTH = 12
_COPIES = (External("copy.copy"), External("copy.deepcopy"))
_APPLICATIONS = frozenset({"Application", "Flask", "Quart", "FastAPI", "Starlette", "Litestar"})
KindOf = Callable[[Target | None], str]
"""Gives the constructor's name (`FastAPI`) for what makes an application or router, else an empty string."""


class Sites:
    """Finds the sites that expressions stand for, and all that happens to them, in the given modules.

    Functions that make sites of the `repeated` kinds are followed call by call.
    """

    def __init__(
        self,
        program: Program,
        instances: Instances,
        modules: Iterable[Module],
        kind_of: KindOf,
        repeated: Collection[str] = (),
    ) -> None:
        self.program = program
        self.instances = instances
        self.modules = list(modules)
        self.kind_of = kind_of
        self.factories = Factories(program, self.modules, kind_of, repeated)
        self.registrars = Registrars(program, self.modules if repeated else [], kind_of, self.factories)
        self._all: list[Site] | None = None
        self._open: set[Hashable] = set()
        self._callers = Callers(program, instances, self.modules)

    def of(self, node: ast.expr, scope: Scope, depth: int = 0) -> list[Site]:
        """The sites that an expression can stand for; usually one, none where it is something else."""
        if depth > _DEPTH:
            return []
        node = attribute_asked(self.program, node, scope)
        target = self.program.resolve(node, scope)
        if target is None and isinstance(node, ast.Attribute):
            return self._attribute(node, scope, depth)
        if target is None and (part := part_of_call(self.program, node, scope)) is not None:
            return self._part(*part, depth)
        if target is None and (kept := attribute_behind(node, scope)) is not None:
            return self.of(*kept, depth + 1)
        if target is None and (values := either(self.program, node, scope)):
            return self._once((self, "either", *values[0]), lambda: self._either(values, depth))
        return self._of_target(target, depth)

    def _part(self, call: ast.Call, number: int, scope: Scope, depth: int) -> list[Site]:
        """The sites of a part of what a function gives: `app, services = create()`."""
        called = self.instances.callee(call.func, scope)
        results = returned(called) if isinstance(called, FunctionTarget) else []
        tuples = [(value, inner) for value, inner in results if isinstance(value, ast.Tuple)]
        if not tuples or len(tuples) < len(results) or any(number >= len(value.elts) for value, _ in tuples):
            return []
        found = [self.of(value.elts[number], inner, depth + 1) for value, inner in tuples]
        return found[0] if all(sites == found[0] for sites in found) else []

    def _either(self, values: list[tuple[ast.expr, Scope]], depth: int) -> list[Site]:
        """The first of several sites of one kind that are made alike: whichever a run takes, the rest holds for it.

        Whatever else one of them is ends the search: each of many values of a name may lead to that name again.
        """
        single: list[Site] = []
        for value, scope in values:
            sites = self.of(value, scope, depth + 1)
            if len(sites) != 1 or (single and sites[0].kind != single[0].kind):
                return []
            single += sites
        return single[:1] if told_alike([site.call for site in single]) else []

    def all(self) -> list[Site]:
        """Every site that is made in the modules, in source order."""
        if self._all is not None:
            return list(self._all)
        found: list[Site] = []
        for module in self.modules:
            for scope in module.scope.descend():
                repeated = self.factories.routers(scope)
                for call in scope.calls:
                    kind = self.kind_of(self.program.resolve(call.func, scope))
                    if not kind:
                        continue
                    places = [each.made for each in self.factories.rounds(scope)] if call in repeated else []
                    found += [Site(call, place, kind, call) for place in places or [scope]]
        self._all = found
        return list(found)

    def events(self, methods: Collection[str]) -> Iterator[Event]:
        """The calls of these methods on any site, in source order."""
        for module in self.modules:
            for scope in module.scope.descend():
                decorated = decorated_by(self.instances, scope)
                told = self.registrars.rounds(scope)
                repeated = [*(each.used for each in self.factories.rounds(scope)), *told]
                for call in scope.calls:
                    told_as = as_method(self.program, call, scope, methods)
                    if told_as is None or not isinstance(told_as.func, ast.Attribute):
                        continue
                    starts = [*repeated, *([] if told or self.factories.whole(scope) else [scope])]
                    for inner in [inner for start in starts for inner in rounds(self.program, call, start)]:
                        with self.program.aside():
                            sites = self.of(told_as.func.value, inner)
                        function = decorated.get(call)
                        if repeated and isinstance(function, FunctionTarget) and function.scope is scope:
                            function = FunctionTarget(function.node, inner)
                        worded = with_names(told_as, inner.binds) if told else told_as
                        doubtful = worded is not told_as and inner.chooses(told_as)
                        around = inner.round({}, doubtful=True) if doubtful else inner
                        for site in sites:
                            made, place = written_out(self.program, worded, around)
                            yield Event(site, told_as.func.attr, made, place, function)

    def bare(self, methods: Collection[str]) -> Iterator[tuple[FunctionTarget, Site]]:
        """The functions that a method of a site decorates without a call (`@app.before_request`)."""
        for module in self.modules:
            for inner in module.scope.descend():
                if not isinstance(inner.node, Function) or inner.parent is None:
                    continue
                for node in inner.node.decorator_list:
                    if isinstance(node, ast.Attribute) and node.attr in methods:
                        for site in self.of(node.value, inner.parent):
                            yield FunctionTarget(inner.node, inner.parent), site

    def _of_target(self, target: Target | None, depth: int) -> list[Site]:
        """As `of`, for what an expression stands for; each target is followed once, however many lead to it."""
        match target:
            case ValueTarget(node=node, scope=scope):
                key: Hashable = (self, node, scope)
            case ParameterTarget():
                key = (self, target.scope.node, target.name)
            case _:
                return self._followed(target, depth)
        return self._once(key, lambda: self._followed(target, depth))

    def _once(self, key: Hashable, follow: Callable[[], list[Site]]) -> list[Site]:
        """What following gives, once for each key; nothing where it leads to itself."""
        if key in self._open:
            return []
        self._open.add(key)
        try:
            return self.program.remember(key, follow)
        finally:
            self._open.discard(key)

    def _followed(self, target: Target | None, depth: int) -> list[Site]:
        match target:
            case ValueTarget(node=ast.Call() as call, scope=scope):
                before = wrapped_again(self.program, call, scope)
                return self.of(before, scope, depth + 1) if before else self._made(call, scope, depth)
            case ValueTarget(node=ast.Subscript() as taken, scope=scope):
                held = entry_of(self.program, taken, scope)
                return self.of(*held, depth + 1) if held is not None else []
            case ValueTarget(node=ast.IfExp() as chosen, scope=scope):
                return self._either(either(self.program, chosen, scope), depth)
            case ValueTarget(node=ast.NamedExpr(value=inner) | (ast.Attribute() as inner), scope=scope):
                return self.of(inner, scope, depth + 1)
            case ParameterTarget():
                return self._given(target, depth)
            case External(dotted="flask.current_app" | "flask.globals.current_app"):
                applications = [site for site in self.all() if site.kind == "Flask"]
                return applications if len(applications) == 1 else []
            case LoopTarget():
                return self._of_each(target, depth)
        return []

    def _of_each(self, loop: LoopTarget, depth: int, name: str = "") -> list[Site]:
        """The sites of the elements of a list, or of their attributes; what a condition puts there may be another."""
        found: list[Site] = []
        for node, scope, certain in round_elements(self.program, loop):
            if not certain:
                continue
            held = ast.copy_location(ast.Attribute(node, name, ast.Load()), node) if name else node
            found += self.of(held, scope, depth + 1)
        return found

    def _made(self, call: ast.Call, scope: Scope, depth: int) -> list[Site]:
        asked = attribute_asked(self.program, call, scope)
        if asked is not call:
            return self.of(asked, scope, depth + 1)
        made = self.program.resolve(call.func, scope)
        kind = self.kind_of(made)
        if kind:
            return [Site(call, scope, kind, call)]
        called = made if made is not None else self.instances.callee(call.func, scope)
        if called in _COPIES and call.args:
            return self.of(call.args[0], scope, depth + 1)
        if isinstance(called, External) and is_field(called):
            made_by = default_of(self.program, ValueTarget(call, scope))
            return self.of(*made_by, depth + 1) if made_by is not None else []
        named = called_by_name(self.program, call, scope) if isinstance(call.func, ast.Attribute) else None
        called = named or called
        if isinstance(called, External | None) and isinstance(call.func, ast.Attribute):
            # Some make others: `api.namespace("books")`.
            kind = self.kind_of(called) if called is not None and called.name == call.func.attr else ""
            kind = kind or self._kind_made_by(call.func, scope, depth)
            return [Site(call, scope, kind, call)] if kind else []
        if not isinstance(called, FunctionTarget):
            return []
        each = self.factories.of(called, call, scope)
        results = [(value, each.used if each is not None else inner) for value, inner in returned(called)]
        found = [self.of(value, inner, depth + 1) for value, inner in results]
        first = found[0] if found else []
        return first if all(sites == first for sites in found) else []

    def _kind_made_by(self, method: ast.Attribute, scope: Scope, depth: int) -> str:
        """The kind of site that a method of another site makes, if it makes one: `server.api.namespace("books")`."""
        for maker in self.of(method.value, scope, depth + 1):
            made = self.program.resolve(maker.call.func, maker.scope) if maker.call is not None else None
            return (
                self.kind_of(External(f"{made.dotted}.{method.attr}")) if isinstance(made, External) else ""
            )
        return ""

    def _attribute(self, node: ast.Attribute, scope: Scope, depth: int) -> list[Site]:
        found = self._of_owner(node, scope, depth)
        if not found and (made := set_here(node, scope)) is not None:
            return self.of(*made, depth + 1)
        return found

    def _of_owner(self, node: ast.Attribute, scope: Scope, depth: int) -> list[Site]:
        owner = self.program.resolve(attribute_asked(self.program, node.value, scope), scope)
        module = owner if isinstance(owner, ModuleTarget) else imported(self.program, owner)
        if module is not None and (member := self.program.attribute(module, node.attr)) is not None:
            return self._of_target(member, depth + 1)
        if isinstance(owner, LoopTarget):
            return self._of_each(owner, depth, node.attr)
        if node.attr == "middlewares":
            return [site for site in self.of(node.value, scope, depth + 1) if site.kind == "Application"]
        if node.attr == "router" and (own := self.of(node.value, scope, depth + 1)):
            return own
        if node.attr == "webhooks":
            return [site.webhooks for site in self.of(node.value, scope, depth + 1) if site.kind == "FastAPI"]
        made = self.instances.of(node.value, scope)
        if isinstance(made, ClassTarget):
            member = self.instances.attribute(made, node.attr)
            if isinstance(member, FunctionTarget) and is_property(member.node):
                results = [self.of(value, inner, depth + 1) for value, inner in returned(member)]
                return results[0] if len(results) == 1 else []
            held = held_values(self.program, node, scope, made)
            given = [site for placed in held for site in self.of(*placed, depth + 1)]
            if not given and member is None and (later := set_later(self.program, made, node.attr)):
                return self.of(*later, depth + 1)
            return list(dict.fromkeys(given)) or self._of_target(member, depth + 1)
        kept = put_on(self.program, node, scope)
        return list(dict.fromkeys(site for placed in kept for site in self.of(*placed, depth + 1)))

    def _given(self, target: ParameterTarget, depth: int) -> list[Site]:
        found: list[Site] = self._own(target)
        for node, scope in self._callers.given(target.scope.node, target.name):
            found.extend(site for site in self.of(node, scope, depth + 1) if site not in found)
        if found or target.annotation is None:
            return found
        shape = shape_of(self.program, target.annotation, target.scope.parent or target.scope)
        kind = self.kind_of(shape.target) if shape.kind in (ShapeKind.CLASS, ShapeKind.EXTERNAL) else ""
        return [Site(target.annotation, target.scope, kind, None)] if kind else []

    def _own(self, target: ParameterTarget) -> list[Site]:
        """The sites of which this is the `self`: those that a class of the project makes which is a router itself."""
        owner = owner_of_self(target)
        kind = self.kind_of(owner) if owner is not None else ""
        if owner is None or not kind:
            return []
        made = [site for site in self.all() if site.call is not None and self._inherits(site, owner)]
        if not made and kind in _APPLICATIONS:
            # Whoever installs the project makes it.
            return [Site(owner.node, owner.scope, kind, None)]
        return made

    def _inherits(self, site: Site, owner: ClassTarget) -> bool:
        made = self.program.resolve(site.call.func, site.scope) if site.call is not None else None
        return isinstance(made, ClassTarget) and is_or_inherits(self.program, made, owner)
