"""How FastAPI's applications and routers hang together: what is registered where, and under which prefix."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec.structs import replace

from graph.facts import Unknown
from ingest.web.fastapi.addresses import METHODS, left_out
from ingest.web.fastapi.callbacks import called_back
from ingest.web.fastapi.context import Context, Route
from ingest.web.fastapi.contexts import Contexts
from ingest.web.fastapi.middlewares import MiddlewareReader
from ingest.web.fastapi.responses import ROOTS
from ingest.web.fastapi.surroundings import GUARDS, Application, Surroundings
from ingest.web.fastapi.users import UsersReader
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.program import Program
from ingest.web.program.targets import External
from ingest.web.routing.made_lists import table_rows
from ingest.web.routing.router_objects import RouterObjects
from ingest.web.routing.sites import Event, Site, Sites
from ingest.web.routing.unplaced import unplaced
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

APPLICATIONS = frozenset({"FastAPI", "Starlette"})
_ROUTES = frozenset({*METHODS, "api_route", "add_api_route", "route", "add_route"})
_JOINS = frozenset({"include_router", "mount", "host"})
_TABLED = ("APIRoute", "Host", "Route", "Mount")
_UNTOLD = frozenset({"WebSocketRoute", "APIWebSocketRoute"})
_DEPTH = 30


class Tree:
    """All sites of a project with what is registered on them."""

    def __init__(
        self, program: Program, instances: Instances, sites: Sites, middlewares: MiddlewareReader
    ) -> None:
        self.program = program
        self.instances = instances
        self.sites = sites
        self.unknown: list[Unknown] = []
        self.routes: dict[Site, list[Event]] = {}
        self.joins: dict[Site, list[Event]] = {}
        self._speakers: list[Site] = []
        self.objects = RouterObjects(program, sites)
        self.users = UsersReader(program)
        self.contexts = Contexts(program, sites)
        guards: dict[Site, list[Event]] = {}
        for event in sites.events(_ROUTES | _JOINS | GUARDS):
            table = (
                self.routes if event.method in _ROUTES else self.joins if event.method in _JOINS else guards
            )
            table.setdefault(event.site, []).append(event)
        self.surroundings = Surroundings(program, instances, guards, middlewares)
        for site in sites.all():
            self._table(site, 0)

    def _table(self, site: Site, depth: int) -> None:
        """Registers the routes that stand in `routes=[Route(…), Mount(…), Host(…)]`."""
        written = argument(site.call, 0 if site.kind == "Router" else None, "routes")
        if written is None or depth > _DEPTH:
            return
        table = table_rows(self.program, self.instances, written, site.scope)
        if table is None:
            self._note(site, "its table of routes cannot be known")
        for node, scope, certain in table or []:
            scope = scope if certain else scope.round({}, doubtful=True)
            made = self.program.resolve(node.func, scope) if isinstance(node, ast.Call) else None
            kind = next((name for name in _TABLED if self.program.is_a(made, ROOTS, {name})), "")
            if not isinstance(node, ast.Call) or (not kind and not self.program.is_a(made, ROOTS, _UNTOLD)):
                self._note(site, "a route in its table cannot be known")
            elif kind == "APIRoute":
                self.routes.setdefault(site, []).append(Event(site, "add_api_route", node, scope))
            elif kind == "Host":
                self.joins.setdefault(site, []).append(Event(site, "host", node, scope))
            elif kind == "Route":
                self.routes.setdefault(site, []).append(Event(site, "add_route", node, scope))
            elif kind == "Mount":
                self.joins.setdefault(site, []).append(Event(site, "mount", node, scope))
                self._table(Site(node, scope, "Mount", node), depth + 1)

    def walk(self) -> Iterator[Route]:
        """Every route of every application that is not mounted in another one."""
        known = [site for site in [*self.sites.all(), *self.routes, *self.joins] if self._is_of_project(site)]
        known = list(dict.fromkeys(known))
        mounted = {
            child
            for events in self.joins.values()
            for event in events
            for child in self._children(event)
            if not self._is_offered(event, child)
        }
        roots = [site for site in known if site.kind in APPLICATIONS and site not in mounted]
        if not any(site.kind in APPLICATIONS for site in known):
            roots = [site for site in known if site not in mounted]
        reached: set[Site] = set()
        self._speakers = [site for site in known if site in roots or site.kind == "FastAPI"]
        for root in roots:
            application = self.surroundings.application(root)
            yield from self._site(root, Context(), application, (root,), reached)
        yield from self._left_out([site for site in known if site not in reached])

    def _is_offered(self, event: Event, child: Site) -> bool:
        """Whether an application is mounted on one that only others can give, and so runs by itself as well."""
        return event.method == "mount" and event.site.call is None and child.kind in APPLICATIONS

    def _is_of_project(self, site: Site) -> bool:
        """Whether the project makes a site or registers on it; others of its environment may serve nothing."""
        if not self.program.is_outside(site.scope):
            return True
        events = (*self.routes.get(site, ()), *self.joins.get(site, ()))
        return any(not self.program.is_outside(event.scope) for event in events)

    def _left_out(self, sites: list[Site]) -> Iterator[Route]:
        """The routes of routers that nobody includes where it can be seen, under a prefix that nobody knows."""
        for site in sites:
            if site in self.routes:
                inner = self._inside(site, Context()) if site not in self.joins else None
                prefix = inner.prefix if inner is not None and not inner.under else None
                self.unknown += left_out(self.program, self.sites, site, prefix, self.routes[site])
        inner_ones = {
            child for each in sites for event in self.joins.get(each, ()) for child in self._children(event)
        }
        for site in sites:
            # A router that a function is handed, where nobody can be seen to call it, includes others all the same.
            made = site.call is not None or site in self.joins
            if site.kind in ("APIRouter", "Router") and made and site not in inner_ones:
                place = self._mark(site.node, site.scope)
                context = Context(tags=None, complete=False, under=unplaced(place), doubts=(place,))
                nobody = Application(site, transparent=False, plain=False, opaque=True, own_statuses=None)
                for route in self._site(site, context, nobody, (site,), set()):
                    own = self._mark(route.event.site.node, route.event.site.scope)
                    doubts = tuple(dict.fromkeys((*route.context.doubts, own)))
                    yield replace(route, context=replace(route.context, doubts=doubts))

    def name(self, speaker: Site) -> str:
        """What tells a project's applications apart: the file, and which one in it; nothing where there is only one."""
        if len(self._speakers) < 2 or speaker not in self._speakers:
            return ""
        here = [site for site in self._speakers if site.scope.path == speaker.scope.path]
        number = here.index(speaker) + 1
        return speaker.scope.path if number == 1 else f"{speaker.scope.path}~{number}"

    def _children(self, event: Event) -> list[Site]:
        if argument(event.call, None, "routes") is not None:
            return [Site(event.call, event.scope, "Mount", event.call)]
        name = "router" if event.method == "include_router" else "app"
        node = argument(event.call, 0 if event.method == "include_router" else 1, name)
        if node is None:
            return []
        return self.objects.told_apart(node, event.scope, self.sites.of(node, event.scope))

    def _site(
        self,
        site: Site,
        context: Context,
        application: Application,
        above: tuple[Site, ...],
        reached: set[Site],
    ) -> Iterator[Route]:
        reached.update(self.objects.same(site))
        with self.program.trail() as paths:
            inner = self._inside(site, context)
        if inner is None:
            self._note(site, "its prefix is not constant")
            return
        if inner.under != context.under:
            self._note(site, "its prefix is not constant")
            inner = replace(inner, doubts=(*inner.doubts, self._mark(site.node, site.scope)))
        inner = replace(inner, sources=inner.sources | paths | {self.program.source(site.scope)})
        speaker = next((each for each in reversed(above) if each.kind == "FastAPI"), above[0])
        for event in self.objects.registered(site, self.routes):
            reached.update(called_back(self.sites, event.call, event.scope))
            yield Route(event, inner, application, speaker)
        yield from self._webhooks(site, application, reached)
        for event in self.objects.registered(site, self.joins):
            children = self._children(event)
            known = self.users.routes(argument(event.call, 0, "router"), event.scope) if not children else []
            joined = self.contexts.joined(event, inner) if known else None
            if joined is not None:
                joined = replace(joined, sources=inner.sources | {self.program.source(event.scope)})
                yield from (Route(each, joined, application, speaker, outside=True) for each in known)
                continue
            if not children and event.method == "include_router":
                foreign = None if inner.under else self._foreign(event, inner)
                if foreign is None or foreign.under:
                    self._note(site, "what is included here cannot be known", event)
                else:
                    yield Route(event, foreign, application, speaker)
            for child in children:
                if self._is_offered(event, child):
                    continue
                if child in above or len(above) > _DEPTH:
                    self._note(child, "it is included in itself", event)
                    continue
                with self.program.trail() as paths:
                    joined = self.contexts.joined(event, inner)
                if joined is None:
                    self._note(child, "the prefix it is included under is not constant", event)
                    reached.add(child)
                    if child.kind in APPLICATIONS:
                        # Its own contract begins at its own root, wherever it is mounted.
                        yield from self._site(
                            child, Context(), self.surroundings.application(child), (*above, child), reached
                        )
                    continue
                if joined.under != inner.under:
                    self._note(child, "the prefix it is included under is not constant", event)
                    joined = replace(joined, doubts=(*joined.doubts, self._mark(event.call, event.scope)))
                joined = replace(joined, sources=inner.sources | paths | {self.program.source(event.scope)})
                owner = self.surroundings.application(child) if child.kind in APPLICATIONS else application
                if argument(event.call, None, "middleware") is not None:
                    owner = replace(owner, transparent=False, opaque=True, own_statuses=None)
                yield from self._site(child, joined, owner, (*above, child), reached)
                whole = self._inside(child, joined) if self.objects.hands_on(child) else None
                if whole is not None and whole.prefix and not whole.under:
                    yield Route(event, whole, owner, speaker)

    def _webhooks(self, site: Site, application: Application, reached: set[Site]) -> Iterator[Route]:
        """What an application declares to send by itself, whatever it is asked."""
        if site.kind != "FastAPI":
            return
        written = argument(site.call, None, "webhooks")
        routers = self.sites.of(written, site.scope) if written is not None else [site.webhooks]
        reached.update(routers)
        for router in routers:
            yield from self._sent(router, application, site)

    def _sent(self, router: Site, application: Application, speaker: Site) -> Iterator[Route]:
        """The routes of a router that nobody serves."""
        inner = self._inside(router, Context())
        if inner is not None:
            for event in self.objects.registered(router, self.routes):
                yield Route(event, replace(inner, callbacks=()), application, speaker, sent=True)

    def callbacks(self, route: Route) -> Iterator[Route]:
        """What the routers around a route and the route itself declare to be sent because of it."""
        own = called_back(self.sites, route.event.call, route.event.scope)
        for router in dict.fromkeys((*route.context.callbacks, *own)):
            yield from self._sent(router, route.application, route.speaker)

    def maker(self, event: Event) -> External | None:
        """What outside of the project makes the router that is included here."""
        node = argument(event.call, 0, "router")
        made = self.instances.of(node, event.scope) if node is not None else None
        return made if isinstance(made, External) and made.root != "builtins" else None

    def _foreign(self, event: Event, context: Context) -> Context | None:
        """The context of the routes of a router that is made outside of the project."""
        with self.program.trail() as paths:
            joined = self.contexts.joined(event, context) if self.maker(event) is not None else None
        own = {self.program.source(event.scope)}
        return None if joined is None else replace(joined, sources=context.sources | paths | own)

    def _inside(self, site: Site, context: Context) -> Context | None:
        """The context of a site's own routes."""
        if site.call is None or site.kind == "Mount":
            return context
        self.program.saw(site.scope.path)
        reached = self.objects.constructed(site)
        if reached is None and site.kind not in APPLICATIONS:
            return None
        call, scope = reached or (site.call, site.scope)
        if site.kind in APPLICATIONS:
            return self.contexts.extended(context, call, scope)
        if has_stars(call):
            return None
        return self.contexts.extended(self.contexts.below(context, call, scope), call, scope)

    def _note(self, site: Site, reason: str, event: Event | None = None) -> None:
        node, scope = (event.call, event.scope) if event else (site.node, site.scope)
        place = self.program.place(node, scope)
        self.unknown.append(Unknown(f"{site.kind} {place.path}", "routes", place.path, place.line, reason))

    def _mark(self, node: ast.AST, scope: Scope) -> str:
        """Where something is said: `app/main.py:12`."""
        place = self.program.place(node, scope)
        return f"{place.path}:{place.line}"
