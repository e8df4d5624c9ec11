"""Flask: routes of applications and blueprints, what their handlers read from the request and how they answer."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property

from graph.facts import Extract, Location, Unknown
from ingest import versions
from ingest.resolver import Project
from ingest.web.constants.chosen import is_chosen
from ingest.web.constants.constants import constant, setting_of, text_of
from ingest.web.flask.converters import own_converters
from ingest.web.flask.declared import Declared, Extension
from ingest.web.flask.handlers import HandlerReader
from ingest.web.flask.paths import as_text_or_number, is_selective, joined, path_of, path_parameters
from ingest.web.flask.settings import Settings
from ingest.web.flask.tree import HANDLING, METHODS, Route, Tree
from ingest.web.flask.views import members, view_class, view_methods
from ingest.web.marshmallow.schemas import Marshmallow
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.discovery import resolved
from ingest.web.program.nulls import is_none
from ingest.web.program.outside import APIS
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget, Target
from ingest.web.raising.exits import Exits
from ingest.web.raising.middlewares import for_request
from ingest.web.raising.risks import Risks
from ingest.web.records.facts import extract_of
from ingest.web.records.operations import Operation
from ingest.web.requests.method_tests import as_named, for_method, is_split
from ingest.web.routing.attempts import attempted
from ingest.web.routing.named_handlers import named_handler
from ingest.web.routing.sites import Event, Sites
from ingest.web.schemas.models import Models
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.modules import Module
from ingest.web.values.instances import Instances, returned

_PACKAGES = (
    *("flask", "apiflask", "flask_smorest", "flask_restx", "flask_restplus", "flask_restful"),
    *("flask_openapi3", "quart", "flask_rebar"),
)
_JOINS = re.compile(
    r"\badd_url_rule\b|\berrorhandler\b"
    r"|\b(?:register|add|init)_(?:app|blueprint|api|api_view|route|view|namespace|resource|error_handler)s?\b"
    r"|^\s*@[\w.]+\.(?:route|get|post|put|patch|delete|(?:app_)?(?:before|after)(?:_app)?_request)\b",
    re.MULTILINE,
)
_MAKERS = re.compile(r"^\s*class\s+(\w+)\s*\([^)]*\b\w*(?:Blueprint|Flask|Api|Namespace)\b", re.MULTILINE)
_KINDS = (
    ("Flask", {"flask", "apiflask", "flask_openapi3"}, {"Flask", "APIFlask", "OpenAPI"}),
    ("Blueprint", {"flask", "flask_smorest", "apiflask", "flask_openapi3"}, {"Blueprint", "APIBlueprint"}),
    ("Blueprint", {"flask_openapi3"}, {"APIView"}),
    ("Api", {"flask_smorest"}, {"Api"}),
    ("Registry", {"flask_rebar"}, {"HandlerRegistry", "create_handler_registry"}),
)


class FlaskResolver:
    """The resolver of Flask's operations."""

    name = "flask"
    version = versions.FLASK

    def resolve(self, project: Project) -> Extract:
        """See `Resolver.resolve`."""
        return resolved(project, _PACKAGES, _JOINS, _Reader, _MAKERS, outside=APIS)


class _Reader:
    def __init__(self, program: Program, modules: list[Module]) -> None:
        self.program = program
        self.instances = Instances(program)
        self.models = Models(program)
        self.exits = Exits(program, self.instances, Risks(program, modules))
        self.handler_reader = HandlerReader(program, self.instances, self.exits, self.models)
        self.sites = Sites(program, self.instances, modules, self.kind_of)
        self.tree = Tree(program, self.instances, self.sites, self.harmless)
        self.settings = Settings(program, modules)
        self.extensions = list(self.extended())

    def read(self) -> Extract:
        operations = [found for route in self.tree.walk() for found in self.operations(route)]
        named = [schema for extension in self.extensions for schema in extension.named()]
        unknown = self.tree.unknown
        if self.program.uses(("flask_restx", "flask_restplus", "flask_restful")):
            from ingest.web.restx.operations import Restx

            restx = Restx(
                self.program,
                self.instances,
                self.sites.modules,
                self.tree,
                self.handler_reader,
                self.settings,
                self.marshmallow,
            )
            operations += restx.operations()
            named += restx.named()
            unknown = [*unknown, *restx.tree.unknown]
        told = {schema.key for schema in named}
        named += [each for each in self.handler_reader.requests.models.named() if each.key not in told]
        return extract_of(operations, self.models, unknown, named)

    @cached_property
    def marshmallow(self) -> Marshmallow:
        """The reader of marshmallow's schemas, which several extensions take."""
        return Marshmallow(self.program, self.instances)

    def extended(self) -> Iterator[Extension]:
        """The readers of the extensions that the project imports; their modules are loaded only then."""
        settings, marshmallow = self.settings, self.marshmallow
        if self.program.uses(("flask_smorest",)):
            from ingest.web.flask.smorest import Smorest

            yield Smorest(self.program, marshmallow, settings)
        if self.program.uses(("apiflask",)):
            from ingest.web.flask.apiflask import ApiFlask

            yield ApiFlask(self.program, marshmallow, self.models, settings, self.tree.before)
        if self.program.uses(("flask_apispec",)):
            from ingest.web.flask.apispec import FlaskApispec

            yield FlaskApispec(self.program, marshmallow)
        elif self.program.uses(("webargs",)):
            from ingest.web.flask.webargs import Webargs

            yield Webargs(self.program, marshmallow)
        if self.program.uses(("flask_accepts",)):
            from ingest.web.flask.accepts import FlaskAccepts

            yield FlaskAccepts(self.program, marshmallow)
        if self.program.uses(("flask_pydantic",)):
            from ingest.web.flask.pydantic import FlaskPydantic

            yield FlaskPydantic(self.program, self.models, self.handler_reader.responses.values)
        if self.program.uses(("quart_schema",)):
            from ingest.web.flask.quart_schema import QuartSchema

            yield QuartSchema(self.program, self.models)
        if self.program.uses(("flask_openapi3",)):
            from ingest.web.flask.openapi3 import FlaskOpenapi3

            yield FlaskOpenapi3(self.program, self.models, settings)
        if self.program.uses(("flask_rebar",)):
            from ingest.web.flask.rebar import Rebar

            yield Rebar(self.program, marshmallow, settings)
        if self.program.uses(("spectree",)):
            from ingest.web.flask.annotated import FlaskAnnotated

            yield FlaskAnnotated(self.program, self.models)

    def kind_of(self, target: Target | None) -> str:
        for kind, roots, names in _KINDS:
            if self.program.is_a(target, roots, names):
                return kind
        return ""

    def harmless(self, function: FunctionTarget) -> bool:
        """Whether a function that runs before each request never answers it."""
        summary = self.exits.of(function)
        values = [value for value, _ in returned(function)]
        silent = all(is_none(value) for value in values)
        return silent and not summary.exits and not summary.doubts

    def operations(self, route: Route) -> Iterator[Operation]:
        event = route.event
        with self.program.trail() as paths:
            for path in (event.scope.path, *event.sources):
                self.program.saw(path)
            place = self.program.place(event.call, event.scope)
            found = attempted(lambda: self.registered(route), place, self.tree.unknown)
        for operation in found:
            operation.sources = set(paths) | route.around.sources
            operation.document = route.around.application.scope.path
            operation.place_under(route.around.under, route.around.doubts)
            yield operation

    def registered(self, route: Route) -> Iterator[Operation]:
        event = route.event
        position = 1 if event.method == "add_handler" else 0
        rule = setting_of(self.program, argument(event.call, position, "rule"), event.scope)
        handlers = self.handlers(event)
        place = self.program.place(event.call, event.scope)
        if rule is None or handlers is None or has_stars(event.call):
            reason = (
                "the rule of the route is not constant"
                if rule is None
                else "what the route calls is not known"
            )
            self.tree.unknown.append(Unknown("route", "path", place.path, place.line, reason))
            return
        for method, handler in handlers:
            shared = sum(other.node is handler.node for _, other in handlers) > 1
            yield self.operation(route, method, rule, handler, shared)

    @staticmethod
    def _method(event: Event) -> ast.expr | None:
        """The method that a registry is told of a route."""
        return argument(event.call, 2 if event.method == "add_handler" else 1, "method")

    def handlers(self, event: Event) -> list[tuple[str, FunctionTarget]] | None:
        """Each method that a route answers, with the function that does; None where that cannot be known."""
        written = argument(event.call, None, "methods")
        methods: list[str] | None = None
        if written is not None:
            with self.program.following():
                found = constant(self.program, written, event.scope)
            if not isinstance(found, list) or not all(isinstance(m, str) for m in found):
                return None
            methods = sorted({m.upper() for m in found})
        if event.method in METHODS:
            methods = [event.method.upper()]
        function: Target | None = event.function
        if event.method in HANDLING:
            named = text_of(self.program, self._method(event), event.scope) if self._method(event) else "GET"
            if named is None:
                return None
            methods = [named.upper()]
        if event.method == "add_handler" and (node := argument(event.call, 0, "func")) is not None:
            function = named_handler(self.instances, node, event.scope)
        if event.method == "add_url_rule":
            node = argument(event.call, 2, "view_func")
            if node is None:
                return None
            view = view_class(self.program, node, event.scope)
            if view is not None:
                return view_methods(self.program, view, methods)
            function = named_handler(self.instances, node, event.scope)
        if isinstance(function, ClassTarget) and self.program.is_a(
            function, {"flask", "apiflask", "flask_apispec"}, {"MethodView", "MethodResource"}
        ):
            # The blueprints of extensions take view classes as they are.
            return view_methods(self.program, function, methods)
        if isinstance(function, ClassTarget) and self.program.importers_named(("flask_openapi3",)):
            return members(self.program, function, methods)
        if not isinstance(function, FunctionTarget):
            return None
        return [(method, function) for method in methods or ["GET"]]

    def operation(
        self, route: Route, method: str, rule: str, handler: FunctionTarget, shared: bool
    ) -> Operation:
        event = route.event
        place = self.program.place(handler.node, handler.scope)
        if event.function is not None:
            first = handler.node.decorator_list if isinstance(handler.node, Function) else []
            begin = min([place.line, *(node.lineno for node in first)])
            place = Location(place.path, begin if event.sources else event.call.lineno, place.end_line)
        whole = joined(route.around.prefix, rule)
        operation = Operation(method, path_of(whole), place, handler.qualified, "flask")
        old = constant(self.program, argument(event.call, None, "deprecated"), event.scope)
        operation.deprecated = old is True
        operation.parameters = path_parameters(whole, operation.source, own_converters(self.program))
        handler = as_named(self.program, handler)
        mixed = is_split(handler)
        if mixed:
            handler = for_method(handler, method)
        reader = self.handler_reader
        reader.gives(handler, operation.parameters)
        declared = self.declared(route, handler)
        if declared is None and not operation.deprecated:
            operation.deprecated = None
        if declared is not None and declared.framework == "apiflask":
            operation.parameters = [as_text_or_number(p, whole) for p in operation.parameters]
        if declared is not None and is_selective(whole):
            declared.framework_answers(operation.source, "404")
        reader.fill(
            operation,
            route.around,
            handler,
            reader.others(self.sites, handler),
            declared,
            shared and not mixed,
            reader.is_foreign(handler),
            self.hooks(route, operation),
        )
        if not route.around.promised or is_chosen(self.program, event.call, event.scope):
            operation.in_schema = False
        return operation

    def hooks(self, route: Route, operation: Operation) -> list[FunctionTarget] | None:
        """What runs before each request of this operation and may answer it; None where that cannot be known."""
        named = argument(route.event.call, 1 if route.event.method == "add_url_rule" else None, "endpoint")
        own = operation.handler.rpartition(".")[2]
        if isinstance(route.event.function, ClassTarget):
            own = route.event.function.node.name
        if named is not None:
            own = text_of(self.program, named, route.event.scope) or ""
        endpoint = ".".join((*route.around.names, own)) if own and route.event.function is not None else ""
        if route.around.hooks is None:
            return None
        path, method = operation.path, operation.method
        return [for_request(self.program, hook, path, method, endpoint) for hook in route.around.hooks]

    def declared(self, route: Route, handler: FunctionTarget) -> Declared | None:
        """What an extension's decorators declare for the handler; None where the route is plain Flask's."""
        if not self.extensions:
            return None
        decorations = self.handler_reader.decorations(self.sites, handler)
        found = (extension.declared(route, handler, decorations) for extension in self.extensions)
        return next((declared for declared in found if declared is not None), None)
