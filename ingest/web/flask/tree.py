"""How Flask's applications and blueprints hang together: what is registered where, and under which prefix."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

import msgspec
from msgspec.structs import replace

from graph.facts import ROUTES_BELOW, Unknown
from ingest.web.constants.chosen import is_chosen
from ingest.web.constants.constants import status_of, text_of
from ingest.web.flask.prefixes import Prefixes, registered
from ingest.web.flask.responses import Handlers
from ingest.web.flask.wrappers import guarding
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget
from ingest.web.raising.exceptions import lineage
from ingest.web.routing.sites import Event, Site, Sites
from ingest.web.routing.told_routes import ToldRoutes
from ingest.web.routing.unplaced import unplaced
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances
from ingest.web.values.partials import called_with_rest

METHODS = ("get", "post", "put", "patch", "delete")
HANDLING = frozenset({"handles", "add_handler"})
"""The methods by which a registry of flask-rebar is given a route."""
_ROUTES = frozenset({*METHODS, *HANDLING, "route", "add_url_rule"})
_GUARDS = frozenset(
    {
        "errorhandler",
        "app_errorhandler",
        "register_error_handler",
        "before_request",
        "before_app_request",
    }
)
_JOINING = frozenset({"register_blueprint", "register_api", "register_api_view"})
_ELSEWHERE = frozenset(
    {"flask_swagger_ui", "flask_redoc", "flask_swagger_generator", "flask_swagger", "connexion"}
)
"""Packages whose blueprints show the contract, and serve nothing of it, or of which another resolver reads it."""
_DEPTH = 30


class Around(msgspec.Struct, eq=False):
    """What is in force for the routes of one site: prefix, error handlers, and who may answer before them.

    `hooks` are the functions that run before each request; None where one cannot be known. It is not
    `promised` where only a condition registers it. Where the beginning of the path cannot be known, `under` stands for
    it, and `doubts` are the places at which that is said.
    """

    application: Site
    prefix: str = ""
    handlers: Handlers = msgspec.field(default_factory=Handlers)
    transparent: bool = True
    sources: frozenset[str] = frozenset()
    hooks: tuple[FunctionTarget, ...] | None = ()
    names: tuple[str, ...] = ()
    promised: bool = True
    under: str = ""
    doubts: tuple[str, ...] = ()


class Route(msgspec.Struct, frozen=True):
    """One registered rule, with all that surrounds it."""

    event: Event
    around: Around


class Tree:
    """All sites of a project with what is registered on them."""

    def __init__(
        self, program: Program, instances: Instances, sites: Sites, harmless: Callable[[FunctionTarget], bool]
    ) -> None:
        self.program = program
        self.instances = instances
        self.sites = sites
        self.harmless = harmless
        self.unknown: list[Unknown] = []
        self.prefixes = Prefixes(program)
        self.bare = list(sites.bare({"before_request", "before_app_request"}))
        self.routes: dict[Site, list[Event]] = {}
        self.joins: dict[Site, list[Event]] = {}
        self.guards: dict[Site, list[Event]] = {}
        self.reached: dict[Site, list[Around]] = {}
        started: dict[Site, list[Event]] = {}
        registered, told = ToldRoutes(program, instances, sites, sites.modules).events(_ROUTES)
        every = sites.events(
            _ROUTES | _GUARDS | {"register_blueprint", "register_api", "register_api_view", "init_app"}
        )
        for event in (*(each for each in every if each.call not in told), *registered):
            table = self.guards if event.method in _GUARDS else self.joins
            table = started if event.method == "init_app" else table
            (self.routes if event.method in _ROUTES else table).setdefault(event.site, []).append(event)
        for api in [site for site in self.joins if site.kind == "Api"]:
            applications = self._applications(api, started.get(api, []))
            for application in applications:
                self.joins.setdefault(application, []).extend(self.joins[api])
            if applications:
                del self.joins[api]

    def walk(self) -> Iterator[Route]:
        """Every route of every application; of blueprints alone where there is no application."""
        known = self.sites.all()
        known = list(dict.fromkeys([*known, *self.routes, *self.joins]))
        known = [site for site in known if site.kind != "Api" or site in self.joins]
        joined = {child for events in self.joins.values() for e in events for child in self._children(e)}
        roots = [site for site in known if site.kind in ("Flask", "Api")]
        yield from self._registries(known, roots)
        if not roots:
            roots = [site for site in known if site not in joined and site.kind != "Registry"]
        reached: set[Site] = set()
        whole = self._shared()
        for root in roots:
            around = self._guarded(root, Around(root, "", whole, True, frozenset({root.scope.path})))
            if root.kind == "Blueprint":
                around = replace(self.below(around, self.prefixes.own(root)), names=self._named(root))
                if around.under:
                    around = self.doubted(around, root, "its prefix is not constant")
            yield from self._site(root, around, (root,), reached)
        yield from self._unseen(
            [s for s in known if s not in reached and s in self.routes and s.kind != "Registry"], roots
        )

    def _registries(self, known: list[Site], roots: list[Site]) -> Iterator[Route]:
        """The routes of flask-rebar's registries, each of which is on every application that its extension is for."""
        only = roots[0] if len(roots) == 1 and roots[0].kind == "Flask" else None
        for site in [site for site in known if site.kind == "Registry"]:
            around = Around(only or site, "", self._shared(), only is not None, frozenset({site.scope.path}))
            if only is not None:
                around = self._guarded(only, around)
            for event in self.routes.get(site, []):
                yield Route(event, self.below(around, self.prefixes.own(site)))

    def _unseen(self, sites: list[Site], roots: list[Site]) -> Iterator[Route]:
        """The routes of blueprints that nobody registers where it can be seen, under a prefix that nobody knows."""
        only = roots[0] if len(roots) == 1 and roots[0].kind == "Flask" else None
        for site in sites:
            around = Around(only or site, handlers=self._shared(), transparent=False, hooks=None)
            if only is not None:
                around = self._guarded(only, replace(around, transparent=True, hooks=()))
            around = self.doubted(around, site, "the blueprint is registered nowhere that can be seen")
            below = self.below(replace(around, under=unplaced(around.doubts[0])), self.prefixes.own(site))
            inner = replace(below, sources=frozenset({site.scope.path}), names=self._named(site))
            yield from self._site(site, self._guarded(site, inner), (site,), set())

    def _site(
        self, site: Site, around: Around, above: tuple[Site, ...], reached: set[Site]
    ) -> Iterator[Route]:
        reached.add(site)
        self.reached.setdefault(site, []).append(around)
        for event in self.routes.get(site, []):
            yield Route(event, around)
        for event in self.joins.get(site, []):
            children = self._children(event)
            if not children:
                self._foreign(site, event, around.prefix)
            for child in children:
                if child in above or len(above) > _DEPTH:
                    self._note(child, "it is registered on itself", event)
                    continue
                reached.add(child)
                with self.program.trail() as paths:
                    prefix = self.prefixes.of(event, child)
                if prefix is None:
                    self._note(child, "the prefix it is registered under is not constant", event)
                    continue
                below = self.below(around, prefix)
                if below.under != around.under:
                    below = self.doubted(
                        below, child, "the prefix it is registered under is not constant", event
                    )
                sources = around.sources | paths | {event.scope.path, child.scope.path}
                names = (*around.names, *self._named(child))
                sure = around.promised and not is_chosen(self.program, event.call, event.scope)
                inner = replace(below, sources=sources, names=names, promised=sure)
                yield from self._site(child, self._guarded(child, inner), (*above, child), reached)

    def _applications(self, api: Site, started: list[Event]) -> list[Site]:
        """The applications that an extension's object registers blueprints on."""
        given = [(argument(api.call, 0, "app"), api.scope)]
        given += [(argument(event.call, 0, "app"), event.scope) for event in started]
        found = [site for node, scope in given if node is not None for site in self.sites.of(node, scope)]
        return list(dict.fromkeys(site for site in found if site.kind == "Flask"))

    def _children(self, event: Event) -> list[Site]:
        node = registered(event)
        return self.sites.of(node, event.scope) if node is not None else []

    def _foreign(self, site: Site, event: Event, outer: str) -> None:
        """Notes what is registered and cannot be known: of a library's blueprint that it lies below its prefix."""
        made = self._maker(registered(event), event.scope)
        outside = isinstance(made, External)
        if isinstance(made, External) and made.root in _ELSEWHERE:
            return
        prefix = text_of(self.program, argument(event.call, None, "url_prefix"), event.scope)
        whole = f"{outer.rstrip('/')}/{(prefix or '').strip('/')}".rstrip("/")
        below = f"{ROUTES_BELOW}{whole}" if outside and prefix and whole else None
        self._note(site, "what is registered here cannot be known", event, below)

    def _maker(self, node: ast.expr | None, scope: Scope) -> Target | None:
        """What makes the blueprint that an expression is, also as a part of what is made (`FlaskApi(…).blueprint`)."""
        found = scope.find(node.id, node.lineno) if isinstance(node, ast.Name) else None
        part = found[1].value if found is not None else node
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Call):
            return self.program.resolve(part.value.func, found[0] if found is not None else scope)
        made = self.program.resolve(node, scope)
        if isinstance(made, ValueTarget) and isinstance(made.node, ast.Call):
            return self.program.resolve(made.node.func, made.scope)
        return made

    def below(self, around: Around, own: tuple[str, str]) -> Around:
        """What is in force under a prefix, of which a part may not be known."""
        unknown, told = own
        if unknown:
            hidden = f"{around.under}{around.prefix.rstrip('/')}/{unknown}"
            return replace(around, under=hidden, prefix=told)
        outer = around.prefix
        return replace(
            around, prefix=f"{outer.rstrip('/')}/{told.lstrip('/')}" if outer and told else outer or told
        )

    def doubted(self, around: Around, site: Site, reason: str, event: Event | None = None) -> Around:
        """Notes why the beginning of these routes is not known, as they tell it themselves."""
        self._note(site, reason, event)
        path, line = _place(site, event)
        return replace(around, doubts=(*around.doubts, f"{path}:{line}"))

    def _named(self, site: Site) -> tuple[str, ...]:
        """The name of a blueprint, as endpoints begin with it."""
        written = argument(site.call, 0, "name") if site.call is not None else None
        return (text_of(self.program, written, site.scope) or "?",)

    def _shared(self) -> Handlers:
        """What blueprints register for the whole application."""
        shared = Handlers()
        for events in self.guards.values():
            for event in events:
                if event.method == "app_errorhandler":
                    self.handle(shared, argument(event.call, 0), event.scope, event.function)
        return shared

    def _guarded(self, site: Site, around: Around) -> Around:
        own = Handlers()
        transparent, hooks = around.transparent, around.hooks
        for event in self.guards.get(site, []):
            if event.method == "errorhandler":
                self.handle(own, argument(event.call, 0), event.scope, event.function)
            elif event.method == "register_error_handler":
                node = argument(event.call, 1, "f")
                made = called_with_rest(self.instances, node, event.scope) if node is not None else None
                self.handle(own, argument(event.call, 0), event.scope, made)
        for function in self.before(site):
            silent = function is not None and self.harmless(function) and not guarding(function)
            transparent = transparent and silent
            hooks = (*hooks, function) if hooks is not None and function is not None else None
        return replace(around, handlers=around.handlers.within(own), transparent=transparent, hooks=hooks)

    def before(self, site: Site) -> list[FunctionTarget | None]:
        """The functions that run before each request; None for one that cannot be known."""
        found: list[FunctionTarget | None] = []
        for event in self.guards.get(site, []):
            if event.method.startswith("before"):
                node = argument(event.call, 0, "f")
                made = self.instances.callee(node, event.scope) if node is not None else None
                found.append(made if isinstance(made, FunctionTarget) else None)
        found.extend(function for function, owner in self.bare if owner == site)
        return found

    def handle(self, handlers: Handlers, key: ast.expr | None, scope: Scope, handler: Target | None) -> None:
        """Notes the handler of a status or an exception class."""
        function = handler if isinstance(handler, FunctionTarget) else None
        status = status_of(self.program, key, scope)
        if status is not None:
            handlers.statuses[status] = function
            return
        target = self.program.resolve(key, scope)
        if isinstance(target, ClassTarget | External):
            handlers.classes[lineage(self.program, target)[0][0]] = function

    def _note(self, site: Site, reason: str, event: Event | None = None, subject: str | None = None) -> None:
        path, line = _place(site, event)
        self.unknown.append(Unknown(subject or f"{site.kind} {path}", "routes", path, line, reason))


def _place(site: Site, event: Event | None) -> tuple[str, int]:
    return (event.scope.path, event.call.lineno) if event else (site.scope.path, site.line)
