"""How Litestar's applications, routers and controllers hang together, and what each layer gives to those within."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from graph.facts import Unknown
from ingest.web.constants.possible import Element
from ingest.web.litestar.layers import Layer, Layers, Written
from ingest.web.litestar.names import (
    PACKAGE,
    decorator_of,
    handler_of,
)
from ingest.web.litestar.started import Added, Started
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ValueTarget, unsubscripted
from ingest.web.routing.made_lists import table_rows
from ingest.web.routing.sites import Event, Site, Sites
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

_DEPTH = 30
_ANSWERING = frozenset({"before_request", "after_request", "exception_handlers", "middleware"})


class Route(msgspec.Struct, frozen=True):
    """One handler under one path prefix: the decorator that makes it one, and the layers around it."""

    name: str
    decorator: ast.expr
    scope: Scope
    handler: FunctionTarget
    layer: Layer
    application: Site


def _elsewhere(site: Site) -> Layer:
    """The layer of a router that is registered where it cannot be seen."""
    return Layer(
        tags=None,
        security=None,
        in_schema=False,
        complete=False,
        transparent=False,
        guarded=True,
        sources=frozenset({site.scope.path}),
    )


class Tree:
    """All Litestar applications of a project with what is registered on them."""

    def __init__(self, program: Program, instances: Instances, sites: Sites) -> None:
        self.program = program
        self.instances = instances
        self.sites = sites
        self.layers = Layers(program, instances, sites)
        self.started = Started(program, instances)
        self.unknown: list[Unknown] = []
        self.partial = False
        self.reached: set[Site] = set()
        self.registered: dict[Site, list[Event]] = {}
        for event in sites.events({"register"}):
            self.registered.setdefault(event.site, []).append(event)

    def walk(self) -> Iterator[Route]:
        """Every handler of every application; of routers alone where there is no application."""
        known = self.sites.all()
        roots = [site for site in known if site.kind == "Litestar"]
        if not roots:
            yield from self._plugins()
        for root in roots or self._alone([site for site in known if not self._is_reached(site)]):
            with self.program.trail() as paths:
                layer = self.layers.within(Layer(sources=frozenset({root.scope.path})), root.call, root.scope)
            if layer is None or has_stars(root.call):
                self.reached.add(root)
                self._note(root.node, root.scope, "the options of the application are not constant")
                continue
            start = self._changed(replace(layer, sources=layer.sources | paths), root)
            yield from self._members(root, start, root, (root.node,))
        for site in self._alone([site for site in known if not self._is_reached(site)]):
            self._note(site.node, site.scope, "the router is registered nowhere that can be seen")
            if self.partial:
                # The application may have it: what a contract promises is served by it, and nothing else is told of it.
                yield from self._router(site, _elsewhere(site), site, ())

    def _changed(self, layer: Layer, application: Site) -> Layer:
        """The layer of an application whose plug-ins may change more than its handlers."""
        used = self.started.changed(application.call, application.scope)
        asked = bool(used & {"openapi_config", "security"})
        return replace(
            layer,
            security=None if asked else layer.security,
            guarded=layer.guarded or asked or bool(used & {"guards", "middleware"}),
            complete=layer.complete and not used & {"dependencies", "parameters"},
            transparent=layer.transparent and not used & _ANSWERING,
        )

    def _is_reached(self, site: Site) -> bool:
        """Whether a site was reached, be it in a copy of the function that makes it."""
        where = (site.scope.path, site.line, getattr(site.node, "col_offset", 0))
        reached = {(s.scope.path, s.line, getattr(s.node, "col_offset", 0)) for s in self.reached}
        return site in self.reached or where in reached

    def _plugins(self) -> Iterator[Route]:
        """What the plug-ins of a project add that has no application: whoever installs them has these routes."""
        for module in self.sites.modules:
            for scope in module.scope.descend():
                node, outside = scope.node, scope.parent
                if not isinstance(node, ast.ClassDef) or outside is None:
                    continue
                owner = ClassTarget(node, outside)
                if self.program.is_a(owner, PACKAGE, {"InitPlugin", "InitPluginProtocol"}):
                    site = Site(node, outside, "Litestar", None)
                    layer = Layer(sources=frozenset({scope.path}))
                    yield from self._added(self.started.of_class(owner), layer, site)

    def name(self, application: Site) -> str:
        """What tells a project's applications apart: the file, and which one in it; nothing where there is only one."""
        every = [site for site in self.sites.all() if site.kind == "Litestar"]
        if len(every) < 2:
            return ""
        here = [site for site in every if site.scope.path == application.scope.path]
        number = here.index(application) + 1 if application in here else 1
        return application.scope.path if number == 1 else f"{application.scope.path}~{number}"

    def _alone(self, known: list[Site]) -> list[Site]:
        within = {
            site
            for owner in known
            for node, scope in self._handlers(owner)
            for site in self.sites.of(node, scope)
        }
        return [site for site in known if site not in within]

    def _handlers(self, site: Site) -> list[Written]:
        position = 0 if site.kind == "Litestar" else None
        written = argument(site.call, position, "route_handlers")
        found = [(node, scope) for node, scope, _ in self._flat(written, site.scope)] if written else []
        for event in self.registered.get(site, []):
            node = argument(event.call, 0, "value")
            found += [(node, event.scope)] if node is not None else []
        return found

    def _flat(self, node: ast.expr, scope: Scope) -> list[Element]:
        """The elements of a list of handlers, following names, `+`, `*` and the project's functions."""
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return [
                found
                for element in node.elts
                for found in (
                    self._flat(element.value, scope)
                    if isinstance(element, ast.Starred)
                    else table_rows(self.program, self.instances, ast.List([element], ast.Load()), scope)
                    or []
                )
            ]
        whole = table_rows(self.program, self.instances, node, scope)
        if whole is None:
            self._note(node, scope, "the list of handlers cannot be known")
            self.partial = True
        return whole or []

    def _members(
        self, site: Site, layer: Layer, application: Site, above: tuple[ast.AST, ...]
    ) -> Iterator[Route]:
        self.reached.add(site)
        for node, scope in self._handlers(site):
            yield from self._member(node, scope, layer, application, above)
        if site.kind == "Litestar":
            yield from self._added(self.started.added(site.call, site.scope), layer, site)

    def _added(self, added: list[Added], layer: Layer, application: Site) -> Iterator[Route]:
        """The routes of what plug-ins and the like add; what they add on a condition, no contract need promise."""
        for each in added:
            for node, scope, sure in self._flat(each.node, each.scope):
                sources = layer.sources | {each.scope.path, scope.path}
                inner = replace(layer, in_schema=layer.in_schema and each.sure and sure, sources=sources)
                yield from self._member(node, scope, inner, application, ())

    def _member(
        self, node: ast.expr, scope: Scope, layer: Layer, application: Site, above: tuple[ast.AST, ...]
    ) -> Iterator[Route]:
        with self.program.trail() as paths:
            target = self.program.resolve(unsubscripted(node), scope)
            routers = self.sites.of(node, scope)
        layer = replace(layer, sources=layer.sources | paths)
        if routers:
            yield from self._router(routers[0], layer, application, above)
        elif isinstance(target, FunctionTarget):
            yield from self._function(target, node, scope, layer, application)
        elif isinstance(target, ClassTarget) and self.program.is_a(target, PACKAGE, {"Controller"}):
            yield from self._controller(target, layer, application)
        elif isinstance(target, ValueTarget) and isinstance(target.node, ast.Call):
            yield from self._called(target.node, target.scope, layer, application)
        else:
            self._note(node, scope, "what is registered here cannot be known")

    def _called(self, call: ast.Call, scope: Scope, layer: Layer, application: Site) -> Iterator[Route]:
        name = decorator_of(self.program, call.func, scope) if isinstance(call.func, ast.Call) else ""
        handler = self.instances.callee(call.args[0], scope) if name and call.args else None
        made = self.program.resolve(call.func, scope)
        if isinstance(handler, FunctionTarget):
            yield Route(name, call.func, scope, handler, layer, application)
        elif not (isinstance(made, External) and made.root in PACKAGE):
            # What Litestar makes by itself (static files, say) is in no contract.
            self._note(call, scope, "what is registered here cannot be known")

    def _router(
        self, site: Site, layer: Layer, application: Site, above: tuple[ast.AST, ...]
    ) -> Iterator[Route]:
        self.reached.add(site)
        if site.node in above or len(above) > _DEPTH:
            self._note(site.node, site.scope, "it is registered on itself")
            return
        with self.program.trail() as paths:
            inner = self.layers.within(layer, site.call, site.scope) if site.call is not None else None
        if inner is None or has_stars(site.call):
            self._note(site.node, site.scope, "its path is not constant")
            return
        inner = replace(inner, sources=inner.sources | paths | {site.scope.path})
        yield from self._members(site, inner, application, (*above, site.node))

    def _controller(self, owner: ClassTarget, layer: Layer, application: Site) -> Iterator[Route]:
        with self.program.trail() as paths:
            inner = self.layers.within(layer, owner, owner.body)
        if inner is None:
            self._note(owner.node, owner.scope, "its path is not constant")
            return
        seen: set[str] = set()
        for base in self.program.ancestry(owner):
            if base is None:
                self._note(owner.node, owner.scope, "a base of the controller is not known")
            if not isinstance(base, ClassTarget):
                continue
            inner = replace(inner, sources=inner.sources | paths | {base.scope.path})
            for statement in base.node.body:
                if isinstance(statement, Function) and statement.name not in seen:
                    seen.add(statement.name)
                    method = FunctionTarget(statement, base.body)
                    if (made := handler_of(self.program, method)) is not None:
                        yield Route(*made, base.body, method, inner, application)

    def _function(
        self, function: FunctionTarget, node: ast.expr, scope: Scope, layer: Layer, application: Site
    ) -> Iterator[Route]:
        made = handler_of(self.program, function)
        if made is None:
            self._note(node, scope, "what is registered here is no handler")
            return
        yield Route(*made, function.scope, function, layer, application)

    def of_handler(self, route: Route) -> Layer:
        """The innermost layer: that of the handler itself, without its path."""
        call = route.decorator if isinstance(route.decorator, ast.Call) else None
        return self.layers.within(route.layer, call, route.scope, with_path=False) or route.layer

    def _note(self, node: ast.AST, scope: Scope, reason: str) -> None:
        place = self.program.place(node, scope)
        self.unknown.append(Unknown(f"Litestar {place.path}", "routes", place.path, place.line, reason))
