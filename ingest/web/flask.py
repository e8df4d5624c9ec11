"""Flask: routes of applications and blueprints, what their handlers read from the request and how they answer."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from graph.facts import Extract, Location, Unknown
from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.resolver import Project
from ingest.web.calls import argument, has_stars
from ingest.web.constants import constant, text_of
from ingest.web.decorators import decorators_of, wrappers_of
from ingest.web.discovery import framework_modules
from ingest.web.exits import Exits, Summary
from ingest.web.flask_methods import for_method, is_split
from ingest.web.flask_requests import RequestReader
from ingest.web.flask_responses import ResponseReader
from ingest.web.flask_tree import METHODS, Route, Tree
from ingest.web.instances import Instances, returned
from ingest.web.models import Models
from ingest.web.modules import Module
from ingest.web.operation_facts import extract_of
from ingest.web.operations import Operation, Parameter, Response
from ingest.web.program import Program
from ingest.web.risks import Risks
from ingest.web.scopes import Scope
from ingest.web.sites import Event, Sites
from ingest.web.targets import ClassTarget, FunctionTarget, Target, ValueTarget

_JOINS = re.compile(r"\bregister_blueprint\b|\badd_url_rule\b|\berrorhandler\b|\bregister_error_handler\b")
_VARIABLE = re.compile(r"<(?:(?P<kind>[a-zA-Z_]\w*)(?:\((?P<options>[^)]*)\))?:)?(?P<name>[a-zA-Z_]\w*)>")
_CONVERTERS: dict[str, Schema] = {
    "": {"type": "string"},
    "default": {"type": "string"},
    "string": {"type": "string"},
    "path": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "uuid": {"type": "string", "format": "uuid"},
}
_BODILESS = frozenset({"GET", "HEAD", "DELETE"})
_VIEW_METHODS = ("get", "post", "put", "patch", "delete")


class FlaskResolver:
    """The resolver of Flask's operations."""

    name = "flask"
    version = 1

    def resolve(self, project: Project) -> Extract:
        """See `Resolver.resolve`."""
        program = Program(project)
        modules = framework_modules(program, ("flask",), _JOINS)
        if not modules:
            return Extract()
        return _Reader(program, modules).read()


class _Reader:
    def __init__(self, program: Program, modules: list[Module]) -> None:
        self.program = program
        self.instances = Instances(program)
        self.models = Models(program)
        self.exits = Exits(program, self.instances, Risks(program, modules))
        self.requests = RequestReader(program)
        self.responses = ResponseReader(program, self.instances)
        self.sites = Sites(program, self.instances, modules, self.kind_of)
        self.tree = Tree(program, self.instances, self.sites, self.harmless)

    def read(self) -> Extract:
        operations = [found for route in self.tree.walk() for found in self.operations(route)]
        return extract_of(operations, self.models, self.tree.unknown)

    def kind_of(self, target: Target | None) -> str:
        for name in ("Flask", "Blueprint"):
            if self.program.is_a(target, {"flask"}, {name}):
                return name
        return ""

    def harmless(self, function: FunctionTarget) -> bool:
        """Whether a function that runs before each request never answers it."""
        summary = self.exits.of(function)
        values = [value for value, _ in returned(function)]
        silent = all(isinstance(value, ast.Constant) and value.value is None for value in values)
        return silent and not summary.exits and not summary.doubts

    def operations(self, route: Route) -> Iterator[Operation]:
        event = route.event
        with self.program.trail() as paths:
            self.program.saw(event.scope.path)
            found = list(self.registered(route))
        for operation in found:
            operation.sources = set(paths) | route.around.sources
            operation.document = route.around.application.scope.path
            yield operation

    def registered(self, route: Route) -> Iterator[Operation]:
        event = route.event
        rule = text_of(self.program, argument(event.call, 0, "rule"), event.scope)
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

    def handlers(self, event: Event) -> list[tuple[str, FunctionTarget]] | None:
        """Each method that a route answers, with the function that does; None where that cannot be known."""
        written = argument(event.call, None, "methods")
        methods: list[str] | None = None
        if written is not None:
            found = constant(self.program, written, event.scope)
            if not isinstance(found, list) or not all(isinstance(m, str) for m in found):
                return None
            methods = sorted({m.upper() for m in found})
        if event.method in METHODS:
            methods = [event.method.upper()]
        function: Target | None = event.function
        if event.method == "add_url_rule":
            node = argument(event.call, 2, "view_func")
            if node is None:
                return None
            view = self.view(node, event.scope)
            if view is not None:
                return self.view_methods(view, methods)
            function = self.instances.callee(node, event.scope)
        if not isinstance(function, FunctionTarget):
            return None
        return [(method, function) for method in methods or ["GET"]]

    def view(self, node: ast.expr, scope: Scope) -> ClassTarget | None:
        """The class behind `View.as_view(…)`."""
        target = self.program.resolve(node, scope)
        call = target.node if isinstance(target, ValueTarget) else None
        if not (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr == "as_view"
        ):
            return None
        assert isinstance(target, ValueTarget)
        found = self.program.resolve(call.func.value, target.scope)
        known = self.program.is_a(found, {"flask"}, {"MethodView", "View"})
        return found if known and isinstance(found, ClassTarget) else None

    def view_methods(
        self, view: ClassTarget, methods: list[str] | None
    ) -> list[tuple[str, FunctionTarget]] | None:
        if self.program.is_a(view, {"flask"}, {"MethodView"}):
            found = []
            for name in _VIEW_METHODS:
                member = self.program.class_member(view, name)
                if isinstance(member, FunctionTarget) and (methods is None or name.upper() in methods):
                    found.append((name.upper(), member))
            return found
        member = self.program.class_member(view, "methods")
        if methods is None and isinstance(member, ValueTarget):
            own = constant(self.program, member.node, member.scope)
            if not isinstance(own, list):
                return None
            methods = [str(m).upper() for m in own]
        dispatch = self.program.class_member(view, "dispatch_request")
        if not isinstance(dispatch, FunctionTarget):
            return None
        return [(method, dispatch) for method in methods or ["GET"]]

    def operation(
        self, route: Route, method: str, rule: str, handler: FunctionTarget, shared: bool
    ) -> Operation:
        event = route.event
        place = self.program.place(handler.node, handler.scope)
        if event.function is not None:
            place = Location(place.path, event.call.lineno, place.end_line)
        path = _VARIABLE.sub(
            lambda match: "{" + match.group("name") + "}", _joined(route.around.prefix, rule)
        )
        operation = Operation(method, path, place, handler.qualified, "flask")
        old = constant(self.program, argument(event.call, None, "deprecated"), event.scope)
        operation.deprecated = old is True
        variables = list(_VARIABLE.finditer(_joined(route.around.prefix, rule)))
        operation.parameters = [_path_parameter(match, operation.source) for match in variables]
        mixed = shared and is_split(handler)
        if mixed:
            handler = for_method(handler, method)
        self.fill(operation, route, handler, shared and not mixed)
        return operation

    def fill(self, operation: Operation, route: Route, handler: FunctionTarget, shared: bool) -> None:
        """Fills in what the handler reads and answers; `shared` tells that it serves other methods too."""
        summaries: list[tuple[Summary, tuple[str, ...]]] = [(self.exits.of(handler), ())]
        doubts: list[tuple[Location, str]] = []
        foreign = self.decorated(handler)
        for decorator in decorators_of(self.program, self.sites, handler):
            wrappers = wrappers_of(self.program, self.responses.answers, decorator, handler)
            if wrappers is None:
                foreign = True
                doubts.append(
                    (self.program.place(decorator, handler.scope), "what a decorator does is not known")
                )
            summaries += [(self.exits.of(wrapper), (handler.qualified,)) for wrapper in wrappers or []]
        functions = [f for summary, _ in summaries for f in summary.followed]
        reading = self.requests.read(dict.fromkeys(functions))
        operation.parameters += list(reading.parameters.values())
        if not (shared and operation.method in _BODILESS):
            operation.bodies = reading.bodies()
        operation.parameters_complete = reading.complete and not foreign
        answers, understood = self.responses.returned(handler)
        operation.responses = self.responses.responses(answers, handler)
        for summary, via in summaries:
            found, unclear = self.responses.raised(summary.exits, route.around.handlers, via)
            operation.responses += found
            doubts += unclear
            doubts += [(doubt.place, doubt.reason) for doubt in summary.doubts]
        if not understood:
            doubts.append((operation.source, "what is returned cannot all be known"))
        if reading.parameters or operation.bodies:
            # A value or body that is missing or malformed is refused by werkzeug itself.
            operation.responses += [Response(c, "framework", operation.source) for c in ("400", "415")]
        operation.unknown.extend(("responses", place, reason) for place, reason in dict.fromkeys(doubts))
        operation.statuses_complete = not doubts and not foreign and route.around.transparent

    def decorated(self, handler: FunctionTarget) -> bool:
        """Whether a view class puts decorators of its own around its methods."""
        parent = handler.scope.node
        return isinstance(parent, ast.ClassDef) and any(
            isinstance(statement, ast.Assign)
            and isinstance(statement.targets[0], ast.Name)
            and statement.targets[0].id == "decorators"
            for statement in parent.body
        )


def _joined(prefix: str, rule: str) -> str:
    """The rule under its prefix, as Flask joins them."""
    if not prefix:
        return rule
    return f"{prefix.rstrip('/')}/{rule.lstrip('/')}" if rule else prefix


def _path_parameter(match: re.Match[str], place: Location) -> Parameter:
    kind = match.group("kind") or ""
    schema = _CONVERTERS.get(kind, unknown("the converter is not known"))
    if kind == "any" and match.group("options"):
        values = [part.strip().strip("\"'") for part in match.group("options").split(",")]
        schema = normalise({"type": "string", "enum": values})
    return Parameter("path", match.group("name"), True, schema, place)
