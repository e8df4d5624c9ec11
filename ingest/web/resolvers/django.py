"""Django: the operations of everything that its URLconfs lead to, also those of its REST framework and of Ninja."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from graph.facts import Extract
from ingest import versions
from ingest.resolver import Project
from ingest.web.constants.constants import constant
from ingest.web.constants.outside_values import hand_out
from ingest.web.django.answers import AnswerReader
from ingest.web.django.included import included, installed_routers
from ingest.web.django.models import DjangoModels
from ingest.web.django.outside import outside
from ingest.web.django.routes import Route
from ingest.web.django.settings import Settings
from ingest.web.django.urls import UrlReader
from ingest.web.django_views.requests import ViewRequests
from ingest.web.django_views.views import ViewReader
from ingest.web.drf.bases import answers_itself, is_generic
from ingest.web.drf.known_views import known_view
from ingest.web.drf.operations import FRAMEWORK as REST_FRAMEWORK
from ingest.web.drf.operations import RestReader
from ingest.web.drf.registered import Registered
from ingest.web.drf.routers import NESTED, ROUTER_ROOTS, ROUTERS, RouterReader
from ingest.web.drf.schema_views import schema_view
from ingest.web.drf.views import Policies, View, told_view
from ingest.web.ninja.operations import NINJA_ROUTERS, NinjaReader
from ingest.web.program.calls import argument
from ingest.web.program.outside import SITES
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget
from ingest.web.raising.exits import Exits
from ingest.web.raising.risks import Risks
from ingest.web.records.directions import called_differently
from ingest.web.records.facts import extract_of
from ingest.web.records.operations import Operation
from ingest.web.routing.attempts import attempted
from ingest.web.routing.made_views import made_view
from ingest.web.routing.sites import Site, Sites
from ingest.web.serializers.serializers import SerializerModels
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances
from ingest.web.values.loaded import loaded

PACKAGES = ("django", "rest_framework", "ninja", "ninja_extra", "rest_framework_nested")
_ROUTING = re.compile(r"\bninja\b|\burlpatterns\b|Router\b|\.register\(|\brouter\b")
_HANDED_ON = re.compile(
    r"\(\s*\w*(?:api|API)\s*[,):]|^\s*@\w[\w.]*\.(?:get|post|put|patch|delete|api_operation)\(", re.MULTILINE
)
"""An API that is given to a function or taken by one, or whose methods decorate: that may be far from what makes it."""
_MIGRATIONS = re.compile(r"(?:^|\.)migrations\.")


class DjangoResolver:
    """The resolver of Django's operations, those of the REST framework and of Ninja, and their schemas."""

    name = "django"
    version = versions.DJANGO

    def resolve(self, project: Project) -> Extract:
        """See `Resolver.resolve`."""
        program = Program(project, SITES)
        names = tuple(n for n in program.importers_named(PACKAGES) if not _MIGRATIONS.search(n))
        if not names:
            return Extract()
        return _Reader(program, names).read()


class _Reader:
    def __init__(self, program: Program, names: tuple[str, ...]) -> None:
        self.program = program
        program.loads = partial(loaded, program)
        self.settings = Settings(program, names)
        hand_out(program, self.settings.agreed)
        self.modules = _routing(program, names)
        instances = Instances(program)
        self.exits = Exits(program, instances, Risks(program, self.modules))
        beyond = installed_routers(program, self.modules)
        self.sites = Sites(program, instances, [*self.modules, *beyond], self.kind_of)
        answers = AnswerReader(program, instances, self.exits)
        policies = Policies(program, self.settings)
        self.models = SerializerModels(
            program, instances, self.settings, DjangoModels(program, self.settings, names)
        )
        self.urls = UrlReader(program, self.sites)
        self.routers = RouterReader(program, self.sites, policies)
        self.rest = RestReader(program, policies, self.models, answers)
        self.registered = Registered(program, self.routers, self.rest)
        requests = ViewRequests(answers, self.settings, self.models)
        self.views = ViewReader(program, answers, requests)
        self.ninja = NinjaReader(program, instances, self.sites, self.models, answers)

    def read(self) -> Extract:
        operations = [o for route in self.urls.walk(self.roots()) for o in self.routed(route)]
        if any(operation.framework != "django" for operation in operations):
            # Beside an API of a framework for that, a plain view that answers JSON may serve the site's own pages.
            for operation in self.views.meant:
                operation.in_schema = False
        _told_apart(operations)
        self.ninja.responses.settle()
        self.rest.spellings.settle(operations)
        self.models.unsettled = called_differently(self.models, operations)
        return extract_of(operations, self.models, [*self.urls.unknown, *self.ninja.unknown])

    def roots(self) -> list[Module]:
        """The URLconfs that the settings name; else those that no other one includes."""
        named = [
            module for name in self.settings.roots() if (module := self.program.module(name)) is not None
        ]
        if named:
            return named
        found = [module for module in self.modules if "urlpatterns" in module.scope.bindings]
        within = included(self.program, found)
        return [module for module in found if module.name not in within] or found

    def kind_of(self, target: Target | None) -> str:
        """Which kind of router or API something makes."""
        if self.program.is_a(target, ROUTER_ROOTS, ROUTERS):
            return "router"
        if self.program.is_a(target, ROUTER_ROOTS, NESTED):
            return "nested"
        if self.program.is_a(target, {"ninja", "ninja_extra"}, {"NinjaAPI", "NinjaExtraAPI"}):
            return "api"
        return "ninja" if self.program.is_a(target, {"ninja", "ninja_extra"}, NINJA_ROUTERS) else ""

    def routed(self, route: Route) -> Iterator[Operation]:
        """The operations of one place of a URLconf."""
        with self.program.trail() as paths:
            found = attempted(lambda: self._found(route), route.place, self.urls.unknown)
        for operation in found:
            read = operation.sources | paths | route.around.sources | self.settings.sources
            operation.sources = self.program.own(read)
            operation.document = route.around.document
            yield operation

    def _found(self, route: Route) -> Iterator[Operation]:
        if route.site is not None:
            yield from self._sited(route, route.site)
        elif route.view is None or route.scope is None:
            yield outside(route, "below" if route.below else "path")
        else:
            yield from self._view(route, route.view, route.scope)

    def _sited(self, route: Route, site: Site) -> Iterator[Operation]:
        """The operations of an API or of a router, with the patterns that the router's class adds by itself."""
        if site.kind == "api":
            yield from self.ninja.operations(route)
            return
        yield from self.registered.operations(route, site)
        for node, scope in self.routers.own(site).added:
            for inner in self.urls.listed(node, scope, route.around):
                yield from self._found(inner)

    def _view(self, route: Route, node: ast.expr, scope: Scope, depth: int = 0) -> Iterator[Operation]:
        target = self.program.resolve(node, scope)
        if isinstance(target, ValueTarget) and isinstance(target.node, ast.Call) and depth < 8:
            yield from self._made(route, target.node, target.scope, depth)
        elif isinstance(target, FunctionTarget):
            methods = self.rest.api_methods(target)
            if methods is None:
                yield from self.views.function(route, target)
            else:
                yield from self.rest.function(route, target, methods)
        else:
            yield outside(route, "path")

    def _made(self, route: Route, call: ast.Call, scope: Scope, depth: int) -> Iterator[Operation]:
        """The operations of what a call makes: `View.as_view(…)`, or a view with something around it."""
        if isinstance(call.func, ast.Attribute) and call.func.attr == "as_view":
            target = self.program.resolve(call.func.value, scope)
            if isinstance(target, ValueTarget) and isinstance(target.node, ast.Call):
                # `BookView().as_view()`: the method is the class's.
                target = self.program.resolve(target.node.func, target.scope)
            if isinstance(target, External) and is_generic(target) and call.keywords:
                # `ListAPIView.as_view(queryset=…)`: a view of the framework that is told all it needs.
                target = told_view(target, call.func.value, scope)
            if isinstance(target, ClassTarget):
                yield from self._class(route, target, call, scope)
            else:
                varied = any(keyword.arg not in ("url_name", "url") for keyword in call.keywords)
                known = list(known_view(route, target, REST_FRAMEWORK))
                written = schema_view(self.rest.permissions, route, target, varied)
                yield from known or [written or outside(route, "path")]
            return
        made = self.program.resolve(call.func, scope)
        if isinstance(made, FunctionTarget) and (result := made_view(self.program, made, call, scope)):
            yield from self._view(route, *result, depth + 1)
            return
        wrapped = isinstance(made, External) and len(call.args) == 1
        if isinstance(call.func, ast.Call) and len(call.args) == 1:
            wrapped = True
        if wrapped:
            for operation in self._view(route, call.args[0], scope, depth + 1):
                operation.statuses_complete = False
                operation.security = None
                yield operation
        else:
            yield outside(route, "path")

    def _class(self, route: Route, target: ClassTarget, call: ast.Call, scope: Scope) -> Iterator[Operation]:
        over = {k.arg: (k.value, scope) for k in call.keywords if k.arg is not None and k.arg != "actions"}
        view = View(target, over)
        if not self.rest.is_view(target):
            if any(map(answers_itself, self.program.ancestry(target))):
                yield outside(route, "path")
            yield from self.views.of_class(route, target)
            return
        table = argument(call, 0, "actions")
        if table is None:
            if any(map(answers_itself, self.program.ancestry(target))):
                yield outside(route, "path")
            yield from self.rest.of_class(route, view)
            return
        actions = self._actions(table, scope)
        if actions is None:
            yield outside(route, "path")
        for method, action in (actions or {}).items():
            if method.upper() not in ("HEAD", "OPTIONS"):
                yield self.rest.of_action(route, self._acted(view, action), action, method.upper())

    def _acted(self, view: View, action: str) -> View:
        """The view with what its `@action` of this name puts over its attributes."""
        assert view.target is not None
        for known in self.routers.actions(view.target) or []:
            if known.handler == action and known.over:
                return replace(view, over={**view.over, **known.over})
        return view

    def _actions(self, node: ast.expr, scope: Scope) -> dict[str, str] | None:
        value = constant(self.program, node, scope)
        return {str(k): str(v) for k, v in value.items()} if isinstance(value, dict) else None


def _told_apart(operations: list[Operation]) -> None:
    """Takes away ids that several operations have: what writes contracts gives each a number of its own."""
    places: dict[str | None, set[str]] = {}
    for operation in operations:
        if operation.framework == REST_FRAMEWORK:
            places.setdefault(operation.operation_id, set()).add(operation.key)
    for operation in operations:
        if operation.framework == REST_FRAMEWORK and len(places[operation.operation_id]) > 1:
            operation.operation_id = None


def _routing(program: Program, names: tuple[str, ...]) -> list[Module]:
    """The modules that have to do with routes, by their text."""
    direct = [name for name in names if _ROUTING.search(program.text(name))]
    second = [
        n
        for n in program.importers_named(names)
        if n not in names and (_ROUTING.search(text := program.text(n)) or _HANDED_ON.search(text))
    ]
    found = [module for name in (*direct, *second) if (module := program.module(name)) is not None]
    return sorted(found, key=lambda module: module.name)
