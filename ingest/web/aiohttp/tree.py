"""How aiohttp's applications and tables of routes hang together: what is registered where, under which prefix."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator

import msgspec
from msgspec.structs import replace

from graph.facts import Unknown
from ingest.web.constants.constants import elements, setting_of
from ingest.web.constants.possible import possible_elements
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget
from ingest.web.routing.sites import Event, Site, Sites
from ingest.web.routing.told_routes import ToldRoutes
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances, returned

METHODS = ("get", "post", "put", "patch", "delete", "head", "options")
_ADDED = frozenset({*(f"add_{method}" for method in METHODS), "add_route", "add_view"})
_TABLE = frozenset({*METHODS, "route", "view"})
_DEPTH = 30
_HARMLESS = frozenset({"normalize_path_middleware", "session_middleware", "cors_middleware"})


class Around(msgspec.Struct, frozen=True):
    """What is in force for the routes of one application; `guards` are its own middlewares that may answer."""

    application: Site
    prefix: str = ""
    transparent: bool = True
    guards: tuple[FunctionTarget, ...] = ()
    sources: frozenset[str] = frozenset()


class Route(msgspec.Struct, frozen=True):
    """One registered route: the call that does it, by the name of its method, and what it calls."""

    method: str
    call: ast.Call
    scope: Scope
    function: FunctionTarget | ClassTarget | None
    around: Around
    path: str | None = None

    @property
    def is_decorator(self) -> bool:
        """Whether the route decorates what it calls."""
        return self.function is not None


class Tree:
    """All applications of a project with what is registered on them."""

    def __init__(
        self,
        program: Program,
        instances: Instances,
        sites: Sites,
        harmless: Callable[[FunctionTarget], bool],
    ) -> None:
        self.program = program
        self.instances = instances
        self.sites = sites
        self.harmless = harmless
        self.unknown: list[Unknown] = []
        self.events: dict[Site, list[Event]] = {}
        self.reached: set[Site] = set()
        registered, told = ToldRoutes(
            program, instances, sites, sites.modules, frozenset({"add_route", "route"})
        ).events(_ADDED | _TABLE)
        every = sites.events(_ADDED | _TABLE | {"add_routes", "add_subapp", "add_domain", "append"})
        for event in (*(each for each in every if each.call not in told), *registered):
            table = event.site.kind == "RouteTableDef"
            if (event.method in _TABLE) == table:
                self.events.setdefault(event.site, []).append(event)
        self.resources = dict(self._resources())

    def walk(self) -> Iterator[Route]:
        """Every route of every application that is no part of another one; of tables alone where there is none."""
        known = self.sites.all()
        known += [site for site in self.events if site not in known]
        parts = {child for site in known for child in self._children(site)}
        applications = [site for site in known if site.kind == "Application"]
        roots = [site for site in applications if site not in parts] or applications or known
        for root in roots:
            around = Around(root, sources=frozenset({root.scope.path}))
            yield from self._site(root, around, (root,))
        for site in known:
            if site not in self.reached and site in self.events:
                self._note(site.node, site.scope, "the routes are registered nowhere that can be seen")

    def _children(self, site: Site) -> list[Site]:
        found = []
        for event in self.events.get(site, []):
            if event.method in ("add_subapp", "add_domain"):
                node = argument(event.call, 1, "subapp")
                found += self.sites.of(node, event.scope) if node is not None else []
        return found

    def _site(self, site: Site, around: Around, above: tuple[Site, ...]) -> Iterator[Route]:
        self.reached.add(site)
        if site.kind == "Application":
            transparent, guards = self._middlewares(site)
            transparent = transparent and around.transparent
            around = replace(around, transparent=transparent, guards=(*around.guards, *guards))
        for event in self.events.get(site, []):
            around = replace(around, sources=around.sources | {event.scope.path})
            if event.method in ("add_subapp", "add_domain"):
                yield from self._joined(event, around, above)
            elif event.method == "add_routes":
                node = argument(event.call, 0, "routes")
                if node is not None:
                    yield from self._listed(node, event.scope, around, above, 0)
            elif event.method != "append":
                yield Route(event.method, event.call, event.scope, event.function, around)
        for call, scope, path in self.resources.get(site, []):
            yield Route("resource", call, scope, None, around, path)

    def _joined(self, event: Event, around: Around, above: tuple[Site, ...]) -> Iterator[Route]:
        node = argument(event.call, 1, "subapp")
        children = self.sites.of(node, event.scope) if node is not None else []
        prefix = ""
        if event.method == "add_subapp":
            written = setting_of(self.program, argument(event.call, 0, "prefix"), event.scope)
            if written is None:
                self._note(event.call, event.scope, "the prefix of the application is not constant")
                self.reached.update(children)
                return
            prefix = written.rstrip("/")
        if not children:
            self._note(event.call, event.scope, "which application is added here cannot be known")
        for child in children:
            if child in above or len(above) > _DEPTH:
                self._note(event.call, event.scope, "it is added to itself")
                continue
            inner = replace(
                around, prefix=around.prefix + prefix, sources=around.sources | {child.scope.path}
            )
            yield from self._site(child, inner, (*above, child))

    def _listed(
        self, node: ast.expr, scope: Scope, around: Around, above: tuple[Site, ...], depth: int
    ) -> Iterator[Route]:
        """The routes in what is given to `add_routes`."""
        tables = [site for site in self.sites.of(node, scope) if site.kind == "RouteTableDef"]
        for table in tables:
            if table not in above:
                yield from self._site(table, around, (*above, table))
        if tables:
            return
        held = possible_elements(self.program, node, scope)
        whole = None
        if held is not None:
            whole = [
                (value, place if sure else place.round({}, doubtful=True)) for value, place, sure in held
            ]
        target = self.program.resolve(node, scope)
        if whole is None and isinstance(target, ValueTarget) and isinstance(target.node, ast.Call):
            made = self.instances.callee(target.node.func, target.scope)
            results = returned(made) if isinstance(made, FunctionTarget) else []
            if len(results) == 1 and depth < _DEPTH:
                yield from self._listed(*results[0], around, above, depth + 1)
                return
        if whole is None and isinstance(node, ast.List | ast.Tuple):
            whole = [(e.value if isinstance(e, ast.Starred) else e, scope) for e in node.elts]
        if whole is None:
            self._note(node, scope, "the list of routes cannot be known")
        for element, inner in whole or []:
            yield from self._element(element, inner, around, above, depth)

    def _element(
        self, node: ast.expr, scope: Scope, around: Around, above: tuple[Site, ...], depth: int
    ) -> Iterator[Route]:
        target = self.program.resolve(node, scope)
        call = target.node if isinstance(target, ValueTarget) else None
        if isinstance(target, ValueTarget) and isinstance(call, ast.Call):
            made = self.program.resolve(call.func, target.scope)
            if isinstance(made, External) and made.root == "aiohttp":
                if made.name in _TABLE:
                    yield Route(made.name, call, target.scope, None, around)
                return
        if depth < _DEPTH:
            yield from self._listed(node, scope, around, above, depth + 1)

    def _resources(self) -> Iterator[tuple[Site, list[tuple[ast.Call, Scope, str | None]]]]:
        """The routes that are added to what `add_resource` gives, by application."""
        found: dict[Site, list[tuple[ast.Call, Scope, str | None]]] = {}
        for module in self.sites.modules:
            for scope in module.scope.descend():
                for call in scope.calls:
                    if not (isinstance(call.func, ast.Attribute) and call.func.attr == "add_route"):
                        continue
                    made = self.program.resolve(call.func.value, scope)
                    inner = made.node if isinstance(made, ValueTarget) else None
                    if not isinstance(made, ValueTarget) or not isinstance(inner, ast.Call):
                        continue
                    if isinstance(inner.func, ast.Attribute) and inner.func.attr == "add_resource":
                        path = setting_of(self.program, argument(inner, 0, "path"), made.scope)
                        for site in self.sites.of(inner.func.value, made.scope):
                            found.setdefault(site, []).append((call, scope, path))
        yield from found.items()

    def _middlewares(self, site: Site) -> tuple[bool, list[FunctionTarget]]:
        """Whether all middlewares of an application are known, and those of the project that may answer."""
        written = argument(site.call, None, "middlewares")
        listed = elements(self.program, written, site.scope) if written is not None else []
        if listed is None:
            return False, []
        for event in self.events.get(site, []):
            if event.method == "append":
                node = argument(event.call, 0)
                listed = [*listed, *([(node, event.scope)] if node is not None else [])]
        guards, known = [], True
        for node, scope in listed:
            # It may be a method of the object that makes the application.
            target = self._middleware(self.program.resolve(node, scope) or self.instances.callee(node, scope))
            if not isinstance(target, FunctionTarget):
                known = known and self._passes(target)
            elif not self.harmless(target):
                guards.append(target)
        return known, guards

    def _middleware(self, target: Target | None) -> Target | None:
        """A middleware as it is given, or the one function that a call of the project's own makes (`keys(secret)`)."""
        if isinstance(target, FunctionTarget):
            return self._of_factory(target) or target
        if not isinstance(target, ValueTarget) or not isinstance(target.node, ast.Call):
            return target
        made = self.instances.callee(target.node.func, target.scope)
        results = returned(made) if isinstance(made, FunctionTarget) else []
        inner = self.program.resolve(*results[0]) if len(results) == 1 else None
        return inner if isinstance(inner, FunctionTarget) else target

    def _of_factory(self, factory: FunctionTarget) -> FunctionTarget | None:
        """The middleware that one of the older kind makes of the application and a handler, with both as its own."""
        names = [argument.arg for argument, _ in parameters(factory.node)]
        node = factory.node
        if len(names) != 2 or not isinstance(node, Function) or node.decorator_list:
            return None
        results = returned(factory)
        inner = self.program.resolve(*results[0]) if len(results) == 1 else None
        made = inner.node if isinstance(inner, FunctionTarget) else None
        if inner is None or not isinstance(inner, FunctionTarget) or inner.scope is not factory.body:
            return None
        if not isinstance(made, Function):
            return None
        whole = copy.copy(made)
        whole.args = copy.copy(made.args)
        whole.args.args = [*made.args.args, ast.copy_location(ast.arg(names[1]), made)]
        return FunctionTarget(whole, inner.scope)

    def _passes(self, target: Target | None) -> bool:
        if isinstance(target, ValueTarget) and isinstance(target.node, ast.Call):
            target = self.instances.callee(target.node.func, target.scope)
        return isinstance(target, External) and target.name in _HARMLESS

    def _note(self, node: ast.AST, scope: Scope, reason: str) -> None:
        place = self.program.place(node, scope)
        self.unknown.append(Unknown(f"aiohttp {place.path}", "routes", place.path, place.line, reason))
