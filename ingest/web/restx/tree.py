"""How the parts of a Flask-RESTX application hang together: which resource answers where."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from graph.facts import Unknown
from ingest.web.constants.constants import constant, entry_of, setting_of
from ingest.web.flask.responses import Handlers
from ingest.web.flask.tree import Around, Tree
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget
from ingest.web.restx.fields import ROOTS
from ingest.web.routing.sites import Event, Site, Sites
from ingest.web.routing.unplaced import beginning, unplaced
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances, returned

_DEPTH = 5


class Resource(msgspec.Struct, frozen=True):
    """One resource at one address, with the namespace and the API that it belongs to."""

    target: ClassTarget
    path: str
    event: Event
    namespace: Site
    api: Site
    around: Around
    addresses: tuple[str, ...] = ()
    """The addresses of one registration, this one among them."""


class RestxTree:
    """All resources of a project."""

    def __init__(
        self, program: Program, instances: Instances, modules: Iterable[Module], flask: Tree
    ) -> None:
        self.program = program
        self.flask = flask
        self.sites = Sites(program, instances, modules, self.kind_of)
        self.unknown: list[Unknown] = []
        self._routes: dict[Site, list[Event]] = {}
        self._joins: dict[Site, list[Event]] = {}
        self._started: dict[Site, list[Event]] = {}
        self._handled: dict[Site, list[Event]] = {}
        tables = {
            "route": self._routes,
            "add_resource": self._routes,
            "add_namespace": self._joins,
            "init_app": self._started,
            "errorhandler": self._handled,
        }
        for event in self.sites.events(tables.keys()):
            tables[event.method].setdefault(event.site, []).append(event)

    def kind_of(self, target: Target | None) -> str:
        """What a call of this makes: an `Api`, a `Namespace`, or nothing of either."""
        if isinstance(target, External) and target.root in ROOTS and target.name == "namespace":
            return "Namespace"
        return next((name for name in ("Api", "Namespace") if self.program.is_a(target, ROOTS, {name})), "")

    def walk(self) -> Iterator[Resource]:
        """Every resource of every API; Flask's own tree must have been walked before."""
        apis = [site for site in self.sites.all() if site.kind == "Api"]
        apis += [site for site in (*self._routes, *self._joins) if site.kind == "Api" and site not in apis]
        reached: set[Site] = set()
        for api in dict.fromkeys(apis):
            for around in self._arounds(api):
                for namespace, path in self._namespaces(api):
                    reached.add(namespace)
                    yield from self._resources(api, namespace, path, around)
        self._lost()
        for namespace in self._routes:
            if namespace not in reached:
                reason = "the namespace is added to no API that can be seen"
                self._note(namespace, reason)
                yield from self._unseen(namespace)

    def _lost(self) -> None:
        """Notes resources that are added to what nobody can see: `def setup(api): api.add_resource(…)` in a module that
        is imported by its name."""
        for module in self.sites.modules:
            for scope in module.scope.descend():
                for call in scope.calls:
                    owner = call.func
                    if not (isinstance(owner, ast.Attribute) and owner.attr == "add_resource" and call.args):
                        continue
                    target = self._class(call.args[0], scope)
                    ours = isinstance(target, ClassTarget) and self.program.is_a(target, ROOTS, {"Resource"})
                    if ours and not self.sites.of(owner.value, scope):
                        reason = "which API the resource is added to cannot be seen"
                        self.unknown.append(
                            Unknown(f"Api {scope.path}", "routes", scope.path, call.lineno, reason)
                        )

    def _unseen(self, namespace: Site) -> Iterator[Resource]:
        """The resources of a namespace that nobody adds where it can be seen, under a prefix that nobody knows."""
        path = self._own_path(namespace) if namespace.kind == "Namespace" else None
        if path is None:
            return
        place = f"{namespace.scope.path}:{namespace.line}"
        around = Around(namespace, "", transparent=False, hooks=None, under=unplaced(place), doubts=(place,))
        yield from self._resources(namespace, namespace, path, around)

    def _arounds(self, api: Site) -> list[Around]:
        """What is in force around an API: that of each place where its application or blueprint is reached."""
        given = [(argument(api.call, 0, "app"), api.scope)]
        given += [(argument(event.call, 0, "app"), event.scope) for event in self._started.get(api, [])]
        sites = [
            site for node, scope in given if node is not None for site in self.flask.sites.of(node, scope)
        ]
        found = [around for site in dict.fromkeys(sites) for around in self.flask.reached.get(site, [])]
        if not found:
            found = [Around(api, sources=frozenset({api.scope.path}))]
        handlers = Handlers()
        for event in self._handled.get(api, []):
            self.flask.handle(handlers, argument(event.call, 0, "exception"), event.scope, event.function)
        prefix = argument(api.call, None, "prefix")
        own = ("", "") if prefix is None else beginning(self.program, prefix, api.scope)
        if has_stars(api.call):
            self._note(api, "the prefix of the API is not constant")
            return []
        inner = [
            replace(
                around,
                prefix=f"{around.prefix}{own[1]}",
                handlers=around.handlers.within(handlers),
                sources=around.sources | {api.scope.path},
            )
            for around in found
        ]
        if own[0]:
            self._note(api, "the prefix of the API is not constant")
            doubt = f"{api.scope.path}:{api.line}"
            inner = [
                replace(
                    self.flask.below(around, own),
                    handlers=each.handlers,
                    sources=each.sources,
                    doubts=(*around.doubts, doubt),
                )
                for around, each in zip(found, inner, strict=True)
            ]
        return inner

    def _namespaces(self, api: Site) -> Iterator[tuple[Site, str]]:
        """The namespaces of an API, the API itself as its default one, each with its path."""
        yield api, ""
        found: dict[Site, str | None] = {}
        for site in self._routes:
            call = site.call
            if site.kind != "Namespace" or call is None:
                continue
            made_by = call.func.value if isinstance(call.func, ast.Attribute) else None
            owner = argument(call, None, "api") or made_by
            if owner is not None and api in self.sites.of(owner, site.scope):
                found[site] = self._own_path(site)
        for event in self._joins.get(api, []):
            node = argument(event.call, 0, "ns")
            written = argument(event.call, 1, "path")
            plain = written is None or constant(self.program, written, event.scope) is None
            for site in self.sites.of(node, event.scope) if node is not None else []:
                found[site] = (
                    self._own_path(site) if plain else setting_of(self.program, written, event.scope)
                )
        for site, path in found.items():
            if path is None:
                self._note(site, "the path of the namespace is not constant")
            else:
                yield site, path

    def _own_path(self, site: Site) -> str | None:
        if site.call is None or has_stars(site.call):
            return None
        written = argument(site.call, 2, "path")
        path = setting_of(self.program, written, site.scope) if written is not None else None
        if written is None or (isinstance(written, ast.Constant) and not written.value):
            name = setting_of(self.program, argument(site.call, 0, "name"), site.scope)
            path = None if name is None else f"/{name}"
        return None if path is None else path.rstrip("/")

    def _resources(self, api: Site, namespace: Site, path: str, around: Around) -> Iterator[Resource]:
        for event in self._routes.get(namespace, []):
            nodes = event.call.args
            target: Target | None = event.function
            if event.method == "add_resource":
                target = self._class(nodes[0], event.scope) if nodes else None
                nodes = nodes[1:]
            if isinstance(target, FunctionTarget) or not isinstance(target, ClassTarget):
                self._note(namespace, "what is routed here is not known", event)
                continue
            sources = around.sources | {namespace.scope.path, event.scope.path}
            rules = [setting_of(self.program, node, event.scope) for node in nodes]
            addresses = tuple(rule for rule in rules if rule is not None)
            for rule in rules:
                if rule is None:
                    self._note(namespace, "the address of a resource is not constant", event)
                    continue
                # An address of several slashes in a row is served as one of single ones.
                whole = re.sub("/{2,}", "/", f"{around.prefix}{path}{rule}")
                inner = replace(around, sources=sources)
                yield Resource(target, whole, event, namespace, api, inner, addresses)

    def _class(self, node: ast.expr, scope: Scope) -> Target | None:
        """What an expression stands for, also out of a table, or as what a function of the project returns."""
        target = self.program.resolve(node, scope)
        for _ in range(_DEPTH):
            if not isinstance(target, ValueTarget):
                break
            held = None
            if isinstance(target.node, ast.Subscript):
                held = entry_of(self.program, target.node, target.scope)
            elif isinstance(target.node, ast.Call):
                made = self.flask.instances.callee(target.node.func, target.scope)
                results = returned(made) if isinstance(made, FunctionTarget) else []
                held = results[0] if len(results) == 1 else None
            target = self.program.resolve(*held) if held is not None else None
        return target

    def _note(self, site: Site, reason: str, event: Event | None = None) -> None:
        path, line = (event.scope.path, event.call.lineno) if event else (site.scope.path, site.line)
        self.unknown.append(Unknown(f"{site.kind} {path}", "routes", path, line, reason))
