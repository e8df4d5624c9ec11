"""FastAPI: routes with their prefixes, inputs and answers, from applications and routers in any arrangement."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from graph.facts import Extract, Location, Unknown, callback_key
from graph.schema_algebra import Schema, unknown
from ingest import versions
from ingest.resolver import Project
from ingest.web.constants.chosen import is_chosen
from ingest.web.constants.constants import constant, elements, text_of
from ingest.web.fastapi import starlette
from ingest.web.fastapi.addresses import METHODS, path_of
from ingest.web.fastapi.alternatives import settled
from ingest.web.fastapi.answers import AnswerReader
from ingest.web.fastapi.context import Context, Route, is_shown
from ingest.web.fastapi.extra import ExtraReader
from ingest.web.fastapi.inputs import VIEWING, InputReader, Way
from ingest.web.fastapi.installed import InstalledRouters
from ingest.web.fastapi.middlewares import MiddlewareReader
from ingest.web.fastapi.models import FastApiModels
from ingest.web.fastapi.parts import Inputs, bodies_of
from ingest.web.fastapi.responses import ROOTS, ResponseReader
from ingest.web.fastapi.tree import Tree
from ingest.web.program.calls import argument, has_stars, is_static
from ingest.web.program.discovery import resolved
from ingest.web.program.outside import MODELS
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget, Target
from ingest.web.raising.exits import Exits
from ingest.web.raising.own_guards import REFUSALS
from ingest.web.raising.risks import Risks
from ingest.web.records.facts import extract_of
from ingest.web.records.operations import Operation, Parameter, Response
from ingest.web.routing.attempts import attempted
from ingest.web.routing.made_handlers import handler_of
from ingest.web.routing.sites import Event, Sites
from ingest.web.routing.unplaced import beginning
from ingest.web.syntax.modules import Module
from ingest.web.values.instances import Instances

_JOINS = re.compile(
    r"\binclude_router\b|\badd_api_route\b|\bexception_handler\b|\bmount\b"
    r"|^\s*@[\w.]+\.(?:get|post|put|patch|delete|options|head|trace|api_route)\(",
    re.MULTILINE,
)
_MAKERS = re.compile(r"^\s*class\s+(\w+)\s*\([^)]*\b\w*(?:Router|FastAPI|Starlette)\b", re.MULTILINE)
_PATH_PARAMETER = re.compile(r"(?<!\{)\{([A-Za-z_]\w*)(?::(\w+))?\}")
"""FastAPI looks for the names between the first brace and the next one that closes it: doubled ones are no names."""
_CONVERTERS: dict[str, Schema] = {
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "uuid": {"type": "string", "format": "uuid"},
    "path": {"type": "string"},
    "str": {"type": "string"},
}

_BY_HAND = "by hand"
_GRAPHQL = frozenset({"strawberry.fastapi.GraphQLRouter", "strawberry.fastapi.router.GraphQLRouter"})
"""Routers of one path that answer GET and POST."""


class FastApiResolver:
    """The resolver of FastAPI's (and plain Starlette's) operations and their schemas."""

    name = "fastapi"
    version = versions.FASTAPI

    def resolve(self, project: Project) -> Extract:
        """See `Resolver.resolve`."""
        return resolved(project, ("fastapi", "starlette"), _JOINS, _Reader, _MAKERS, outside=MODELS)


class _Reader:
    def __init__(self, program: Program, modules: list[Module]) -> None:
        self.program = program
        self.instances = Instances(program)
        self.models = FastApiModels(program)
        self.sent: set[str] = set()
        self.exits = Exits(program, self.instances, Risks(program, modules, telling=True))
        self.inputs = InputReader(program, self.instances, self.models)
        self.responses = ResponseReader(program, self.instances, self.models, self.exits)
        modules = [*modules, *InstalledRouters(program, self.kind_of).modules(modules)]
        self.sites = Sites(program, self.instances, modules, self.kind_of, {"APIRouter"})
        self.extra = ExtraReader(program, self.models, self.responses)
        self.answers = AnswerReader(program, self.models, self.exits, self.responses, self.sites)
        middlewares = MiddlewareReader(program, self.exits, self.responses)
        self.tree = Tree(program, self.instances, self.sites, middlewares)
        self.models.answer(modules, (event for events in self.tree.routes.values() for event in events))
        self.endpoints = starlette.EndpointReader(
            program, self.instances, self.sites, self.exits, self.responses, self.tree.unknown
        )

    def read(self) -> Extract:
        every = ((found, route.event) for route in self.tree.walk() for found in self.operations(route))
        operations = list(settled(every))
        named = list(self.endpoints.hand.requests.models.named())
        return extract_of(operations, self.models, self.tree.unknown, named)

    def kind_of(self, target: Target | None) -> str:
        for name in ("FastAPI", "APIRouter", "Starlette", "Router"):
            if self.program.is_a(target, ROOTS, {name}):
                return name
        return "APIRouter" if self.program.is_a(target, VIEWING, {"InferringRouter"}) else ""

    def operations(self, route: Route) -> Iterator[Operation]:
        with self.program.trail() as paths:
            self.program.saw(route.event.scope.path)
            if route.event.method == "include_router":
                read: Callable[[Route], Iterable[Operation]] = self.foreign
            elif route.event.method in starlette.ROUTES:
                read = self.endpoints.operations
            else:
                read = self.registered
            place = self.program.place(route.event.call, route.event.scope)
            found = attempted(lambda: read(route), place, self.tree.unknown)
        for operation in found:
            operation.sources = set(paths) | route.context.sources
            if route.outside or self.program.is_outside(route.event.scope):
                operation.handler = ""
            operation.place_under(route.context.under, route.context.doubts)
            operation.document = self.program.source(route.application.site.scope)
            operation.application = self.tree.name(route.speaker)
            if route.sent:
                self.send(operation)
            yield operation
            for sent in () if route.sent else self.tree.callbacks(route):
                for called in self.operations(sent):
                    called.of = operation.key
                    called.in_schema = called.in_schema and operation.in_schema
                    yield called

    def send(self, operation: Operation) -> None:
        """Makes an operation the description of a request that the application sends; nothing of it runs."""
        operation.sent_as = callback_key(operation.method, operation.path, self.sent)
        self.sent.add(operation.sent_as)
        operation.responses = [
            each for each in operation.responses if each.origin not in ("raised", "returned")
        ]
        operation.security, operation.security_schemes = None, {}

    def foreign(self, route: Route) -> list[Operation]:
        """The operations of a router that another distribution makes, or that there may be some."""
        path, place = route.context.prefix or "/", self.program.place(route.event.call, route.event.scope)
        maker = self.tree.maker(route.event)
        if maker is not None and maker.dotted in _GRAPHQL and len(route.context.prefix) > 1:
            return [Operation(method, path, place, "", "fastapi") for method in ("GET", "POST")]
        operation = Operation("ANY", path, place, "", "fastapi")
        operation.open, operation.in_schema = "below", False
        return [operation]

    def registered(self, route: Route) -> list[Operation]:
        event = route.event
        handler = self.handler(event)
        written = argument(event.call, 0, "path")
        path, under = path_of(self.program, self.sites, written, event.scope), ""
        methods = self.methods(event)
        place = self.program.place(event.call, event.scope)
        if event.function is not None:
            whole = self.program.place(event.function.node, event.function.scope)
            if whole.path == place.path and place.line <= whole.line:
                place = Location(place.path, place.line, whole.end_line)
        if path is None or methods is None or has_stars(event.call):
            what = "path" if path is None else "methods"
            reason = f"the route's {what} cannot be known"
            self.tree.unknown.append(Unknown("route", "path", place.path, place.line, reason))
            under, path = beginning(self.program, written, event.scope)
            if methods is None or has_stars(event.call) or not path.startswith("/"):
                return []
        under = under and route.context.prefix + under
        address = path if under else route.context.prefix + path
        found = [self.operation(route, method, address, handler, place) for method in methods]
        for operation in found:
            operation.place_under(under, [f"{place.path}:{place.line}"])
        return found

    def handler(self, event: Event) -> FunctionTarget | None:
        if isinstance(event.function, FunctionTarget):
            return event.function
        node = argument(event.call, 1, "endpoint")
        return handler_of(self.instances, node, event.scope) if node is not None else None

    def methods(self, event: Event) -> list[str] | None:
        if event.method in METHODS:
            return [event.method.upper()]
        written = argument(event.call, None, "methods")
        if written is None:
            return ["GET"]
        with self.program.following():
            found = constant(self.program, written, event.scope)
        if not isinstance(found, list) or not all(isinstance(m, str) for m in found):
            return None
        return sorted({m.upper() for m in found})

    def operation(
        self, route: Route, method: str, path: str, handler: FunctionTarget | None, place: Location
    ) -> Operation:
        event = route.event
        names = dict(_PATH_PARAMETER.findall(path))
        plain = _PATH_PARAMETER.sub(lambda match: "{" + match.group(1) + "}", path) or "/"
        operation = Operation(method, plain, place, handler.qualified if handler else "", "fastapi")
        self.describe(operation, event, route.context)
        inputs = self.taken(route, handler, names)
        for name, converter in names.items():
            if f"path.{name}" not in inputs.parameters and handler is not None and inputs.complete:
                schema = _CONVERTERS.get(converter, unknown("the handler does not take it"))
                inputs.parameters[f"path.{name}"] = Parameter("path", name, True, schema, place)
        operation.parameters = list(inputs.parameters.values())
        operation.bodies = bodies_of(inputs)
        operation.parameters_complete = inputs.complete and not inputs.read_by_hand
        operation.read_by_hand = sorted(inputs.read_by_hand) if inputs.complete else []
        operation.unknown.extend(inputs.unknown)
        self.answers.answer(operation, route, handler, inputs)
        self.secure(operation, route, handler, inputs)
        self.extra.add(operation, event)
        if argument(event.call, None, "openapi_extra") is not None:
            operation.read_by_hand = []
        if self.packages & self.answers.packages(handler, event):
            operation.parameters_complete, operation.read_by_hand = False, []
            reason = "the package of the response model is given the application and may add parameters"
            operation.unknown.append(("parameters", place, reason))
        return operation

    @cached_property
    def packages(self) -> frozenset[str]:
        """The distributions of which a function is given an application or router of the project."""
        found = set()
        with self.program.aside():
            for scope in (inner for module in self.sites.modules for inner in module.scope.descend()):
                for call in scope.calls:
                    called = self.program.resolve(call.func, scope)
                    package = self.program.package(called)
                    if package in ("", *ROOTS, "builtins") or self.program.is_outside(scope):
                        continue
                    if any(self.sites.of(given, scope) for given in call.args[:1]):
                        found.add(package)
        return frozenset(found)

    def describe(self, operation: Operation, event: Event, context: Context) -> None:
        call, scope = event.call, event.scope
        operation.operation_id = text_of(self.program, argument(call, None, "operation_id"), scope)
        operation.summary = text_of(self.program, argument(call, None, "summary"), scope) or ""
        operation.description = text_of(self.program, argument(call, None, "description"), scope) or ""
        old = constant(self.program, argument(call, None, "deprecated"), scope)
        operation.deprecated = context.deprecated or old is True
        shown = is_shown(self.program, call, scope) and not is_chosen(self.program, call, scope)
        operation.in_schema = context.in_schema and shown
        written = argument(call, None, "tags")
        tags = constant(self.program, written, scope) if written is not None else []
        if isinstance(tags, list) and context.tags is not None:
            operation.tags = list(dict.fromkeys([*context.tags, *(str(tag) for tag in tags)]))

    def taken(self, route: Route, handler: FunctionTarget | None, names: dict[str, str]) -> Inputs:
        """What the handler, its dependencies and those of the routers around take."""
        event, context = route.event, route.context
        inputs = Inputs(complete=context.complete and handler is not None)
        dependencies = [*context.dependencies]
        written = argument(event.call, None, "dependencies")
        if written is not None:
            own = elements(self.program, written, event.scope)
            inputs.complete = inputs.traced = inputs.complete and own is not None
            inputs.guarded = own is None
            dependencies += own or []
        inputs.guarded = inputs.guarded or not context.complete
        way = Way(frozenset(names))
        for node, scope in dependencies:
            self.inputs.marked(inputs, node, scope, way)
        if handler is not None:
            bound = handler.scope.is_class and not is_static(handler)
            if bound and event.scope is handler.scope:
                bound = self.inputs.viewed(inputs, handler, way)
            self.inputs.function(inputs, handler, way, skip_first=bound)
        return inputs

    def secure(
        self, operation: Operation, route: Route, handler: FunctionTarget | None, inputs: Inputs
    ) -> None:
        """Fills in the security of an operation; several schemes are alternatives, as FastAPI itself writes them.

        Whether one or all are needed depends on what the handler does with them.
        """
        operation.security_schemes = dict(sorted(inputs.schemes.items()))
        around = route.application.own_statuses
        hidden = inputs.guarded or around is None or bool(around & REFUSALS)
        known = route.application.knows_callers and any(map(_is_refusal, operation.responses))
        if handler is None or not inputs.traced:
            return
        declared = [{name: sorted(inputs.scopes[name])} for name in sorted(inputs.schemes)]
        if not (hidden or known or self.answers.may_ask_callers(route, handler)):
            operation.security = declared
        elif declared:
            # What is declared is asked for, whatever else is looked at by hand.
            operation.security = [*declared, {_BY_HAND: []}]
            operation.security_schemes[_BY_HAND] = {"x-unknown": "callers are known by hand as well"}


def _is_refusal(response: Response) -> bool:
    """Whether the project's own code refuses callers with this."""
    return response.status in ("401", "403") and response.origin != "framework"
