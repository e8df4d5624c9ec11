"""FastAPI: routes with their prefixes, inputs and answers, from applications and routers in any arrangement."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from graph.facts import Extract, Location, Unknown
from graph.schema_algebra import Schema, unknown
from ingest.resolver import Project
from ingest.web.bindings import Function
from ingest.web.calls import argument, has_stars
from ingest.web.constants import constant, elements, status_of, text_of
from ingest.web.decorators import decorators_of, wrappers_of
from ingest.web.discovery import framework_modules
from ingest.web.exits import Exits, Summary
from ingest.web.fastapi_inputs import ROOTS, InputReader, Inputs, bodies_of
from ingest.web.fastapi_responses import ResponseReader, body_of, is_generator
from ingest.web.fastapi_tree import METHODS, Context, Route, Tree
from ingest.web.instances import Instances
from ingest.web.models import Models
from ingest.web.modules import Module
from ingest.web.operation_facts import extract_of
from ingest.web.operations import Operation, Parameter, Response
from ingest.web.program import Program
from ingest.web.risks import Risks
from ingest.web.shapes import ShapeKind, shape_of
from ingest.web.sites import Event, Sites
from ingest.web.targets import ClassTarget, FunctionTarget, Target

_JOINS = re.compile(r"\binclude_router\b|\badd_api_route\b|\bexception_handler\b|\bmount\b")
_PATH_PARAMETER = re.compile(r"\{([A-Za-z_]\w*)(?::(\w+))?\}")
_CONVERTERS: dict[str, Schema] = {
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "uuid": {"type": "string", "format": "uuid"},
    "path": {"type": "string"},
    "str": {"type": "string"},
}


class FastApiResolver:
    """The resolver of FastAPI's (and plain Starlette's) operations and their schemas."""

    name = "fastapi"
    version = 1

    def resolve(self, project: Project) -> Extract:
        """See `Resolver.resolve`."""
        program = Program(project)
        modules = framework_modules(program, ("fastapi", "starlette"), _JOINS)
        if not modules:
            return Extract()
        return _Reader(program, modules).read()


class _Reader:
    def __init__(self, program: Program, modules: list[Module]) -> None:
        self.program = program
        self.instances = Instances(program)
        self.models = Models(program)
        self.exits = Exits(program, self.instances, Risks(program, modules))
        self.inputs = InputReader(program, self.instances, self.models)
        self.responses = ResponseReader(program, self.instances, self.models, self.exits)
        self.skipped = [skipped for module in modules for skipped in module.skipped]
        self.sites = Sites(program, self.instances, modules, self.kind_of)
        self.tree = Tree(program, self.instances, self.sites, self.harmless)

    def read(self) -> Extract:
        operations = [found for route in self.tree.walk() for found in self.operations(route)]
        return extract_of(operations, self.models, self.tree.unknown)

    def kind_of(self, target: Target | None) -> str:
        for name in ("FastAPI", "APIRouter", "Starlette", "Router"):
            if self.program.is_a(target, ROOTS, {name}):
                return name
        return ""

    def harmless(self, middleware: Target | None) -> bool:
        """Whether a middleware only passes on what comes from inside."""
        function = middleware
        if isinstance(middleware, ClassTarget):
            function = self.program.class_member(middleware, "dispatch")
        if not isinstance(function, FunctionTarget):
            return False
        summary = self.exits.of(function)
        return (
            not summary.exits
            and not summary.doubts
            and all(
                answer.known and answer.status is None and _is_passed_on(answer.data, function)
                for answer in self.responses.answers.of_function(function)
            )
        )

    def operations(self, route: Route) -> Iterator[Operation]:
        event, context = route.event, route.context
        with self.program.trail() as paths:
            self.program.saw(event.scope.path)
            handler = self.handler(event)
            path = text_of(self.program, argument(event.call, 0, "path"), event.scope)
            methods = self.methods(event)
            place = self.program.place(event.call, event.scope)
            if event.function is not None:
                place = self.program.place(event.function.node, event.function.scope)
                place = Location(place.path, event.call.lineno, place.end_line)
            if path is None or methods is None or has_stars(event.call):
                what = "path" if path is None else "methods"
                reason = f"the route's {what} cannot be known"
                self.tree.unknown.append(Unknown("route", "path", place.path, place.line, reason))
                return
            found = [self.operation(route, m, context.prefix + path, handler, place) for m in methods]
        for operation in found:
            operation.sources = set(paths) | context.sources
            operation.document = route.application.site.scope.path
            yield operation

    def handler(self, event: Event) -> FunctionTarget | None:
        if isinstance(event.function, FunctionTarget):
            return event.function
        node = argument(event.call, 1, "endpoint", "route")
        target = self.instances.callee(node, event.scope) if node is not None else None
        return target if isinstance(target, FunctionTarget) else None

    def methods(self, event: Event) -> list[str] | None:
        if event.method in METHODS:
            return [event.method.upper()]
        position = 2 if event.method == "add_route" else None
        written = argument(event.call, position, "methods")
        if written is None:
            return ["GET"]
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
        if event.method in ("route", "add_route"):
            self.starlette(operation, names, handler, route)
            return operation
        inputs = self.taken(route, handler, names)
        for name, converter in names.items():
            if f"path.{name}" not in inputs.parameters and handler is not None and inputs.complete:
                schema = _CONVERTERS.get(converter, unknown("the handler does not take it"))
                inputs.parameters[f"path.{name}"] = Parameter("path", name, True, schema, place)
        operation.parameters = list(inputs.parameters.values())
        operation.bodies = bodies_of(inputs)
        operation.parameters_complete = inputs.complete
        operation.unknown.extend(inputs.unknown)
        self.answer(operation, route, handler, inputs)
        self.secure(operation, route, handler, inputs)
        return operation

    def describe(self, operation: Operation, event: Event, context: Context) -> None:
        call, scope = event.call, event.scope
        operation.operation_id = text_of(self.program, argument(call, None, "operation_id"), scope)
        operation.summary = text_of(self.program, argument(call, None, "summary"), scope) or ""
        operation.description = text_of(self.program, argument(call, None, "description"), scope) or ""
        old = constant(self.program, argument(call, None, "deprecated"), scope)
        operation.deprecated = context.deprecated or old is True
        shown = constant(self.program, argument(call, None, "include_in_schema"), scope)
        operation.in_schema = context.in_schema and shown is not False
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
        for node, scope in dependencies:
            self.inputs.marked(inputs, node, scope, names)
        if handler is not None:
            self.inputs.function(inputs, handler, names, skip_first=handler.scope.is_class)
        return inputs

    def answer(
        self, operation: Operation, route: Route, handler: FunctionTarget | None, inputs: Inputs
    ) -> None:
        """Fills in the responses of an operation and whether they are all."""
        event, context = route.event, route.context
        call, scope = event.call, event.scope
        made = argument(call, None, "response_class")
        target = self.program.resolve(made, scope) if made is not None else context.response_class
        media_type = self.responses.media_type(target) if target is not None else "application/json"
        written = argument(call, None, "status_code")
        default = 307 if self.responses.response_class(target) == "RedirectResponse" else 200
        status = status_of(self.program, written, scope) if written is not None else default
        success = "" if status is None else str(status)
        table = argument(call, None, "responses")
        tables = [*context.responses, *([(table, scope)] if table is not None else [])]
        declared, complete = self.responses.declared(tables, media_type, success)
        responses = [*declared]
        known = route.application.transparent and complete and status is not None and handler is not None
        if handler is not None:
            answered, understood = self.given(operation, handler, success, media_type, event, declared)
            responses += answered
            known = known and understood
            thrown, plain = self.thrown(operation, route, handler, inputs)
            responses += thrown
            known = known and plain
        elif success:
            responses.append(Response(success, "success", operation.source))
        shown = {response.status for response in declared}
        if inputs.any and not shown & {"422", "4XX", "default"}:
            responses.append(Response("422", "framework", operation.source))
            responses += self.invalid(route, operation.source)
        if inputs.refuses:
            responses += [Response(code, "framework", operation.source) for code in ("401", "403")]
        operation.responses = responses
        operation.statuses_complete = known

    def given(
        self,
        operation: Operation,
        handler: FunctionTarget,
        success: str,
        media_type: str | None,
        event: Event,
        declared: list[Response],
    ) -> tuple[list[Response], bool]:
        """The answers that the handler returns, and whether all were understood."""
        answers, doubts = self.responses.returned(handler)
        operation.unknown.extend(("responses", operation.source, doubt) for doubt in dict.fromkeys(doubts))
        direct = bool(answers) and all(not a.known or a.status is not None for a in answers)
        schema, typed = self.model_of(handler, event)
        content = body_of(success, media_type, schema)
        if (direct and not typed) or is_generator(handler) or self.answers_itself(handler):
            content = None
        found = []
        for answer in answers:
            if answer.known and answer.status is not None and str(answer.status) != success:
                status = str(answer.status)
                via = (handler.qualified, *answer.via)
                found.append(
                    Response(status, "returned", answer.place, _content(status, answer.media_type), via=via)
                )
        reached = not direct or any(not a.known or str(a.status) == success for a in answers)
        if success:
            if content is not None and (
                more := next((d.content for d in declared if d.status == success), None)
            ):
                content = {**more, **content}
            origin = "success"
            if not reached:
                origin = "declared" if argument(event.call, None, "status_code") is not None else "framework"
            found.append(Response(success, origin, operation.source, content))
        return found, not doubts

    def model_of(self, handler: FunctionTarget, event: Event) -> tuple[Schema | None, bool]:
        """The schema of what the handler answers with, and whether the code names one at all."""
        written = argument(event.call, None, "response_model")
        if written is not None:
            if isinstance(written, ast.Constant) and written.value is None:
                return None, False
            changed = any(
                k.arg in ("response_model_include", "response_model_exclude") for k in event.call.keywords
            )
            if changed:
                return unknown("only a part of the response model is answered"), True
            return self.responses.model(written, event.scope), True
        node = handler.node
        if not isinstance(node, Function) or node.returns is None:
            return None, False
        shape = shape_of(self.program, node.returns, handler.scope)
        if self.responses.is_response(shape) or shape.kind in (ShapeKind.NONE, ShapeKind.ANY):
            return None, False
        return self.models.schema(shape), True

    def answers_itself(self, handler: FunctionTarget) -> bool:
        """Whether the handler is annotated to return a response of the framework."""
        if not isinstance(handler.node, Function) or handler.node.returns is None:
            return False
        return self.responses.is_response(shape_of(self.program, handler.node.returns, handler.scope))

    def thrown(
        self, operation: Operation, route: Route, handler: FunctionTarget, inputs: Inputs
    ) -> tuple[list[Response], bool]:
        """The answers that exceptions lead to, from the handler, its decorators and its dependencies."""
        handlers = route.application.handlers
        found: list[Response] = []
        doubts: list[tuple[Location, str]] = []
        summaries: list[tuple[Summary, tuple[str, ...]]] = [(self.exits.of(handler), ())]
        summaries += [
            (self.exits.of(called), (handler.qualified,)) for called in dict.fromkeys(inputs.called)
        ]
        for decorator in decorators_of(self.program, self.sites, handler):
            wrappers = wrappers_of(self.program, self.responses.answers, decorator, handler)
            if wrappers is None:
                doubts.append(
                    (self.program.place(decorator, handler.scope), "what a decorator does is not known")
                )
            summaries += [(self.exits.of(wrapper), (handler.qualified,)) for wrapper in wrappers or []]
        for summary, via in summaries:
            responses, unclear = self.responses.raised(summary.exits, handlers, via)
            found += responses
            doubts += unclear
            doubts += [(doubt.place, doubt.reason) for doubt in summary.doubts]
        operation.unknown.extend(("responses", place, reason) for place, reason in dict.fromkeys(doubts))
        return found, not doubts and inputs.traced

    def invalid(self, route: Route, place: Location) -> list[Response]:
        """What the application's own handler of invalid requests answers with."""
        for name, handler in route.application.handlers.classes.items():
            if name.endswith("RequestValidationError") and handler is not None:
                answers = self.responses.answers.of_function(handler)
                return [Response(str(a.status), "framework", place) for a in answers if a.known and a.status]
        return []

    def secure(
        self, operation: Operation, route: Route, handler: FunctionTarget | None, inputs: Inputs
    ) -> None:
        """Fills in the security of an operation, where all that could ask for credentials is known."""
        operation.security_schemes = dict(sorted(inputs.schemes.items()))
        hidden = inputs.guarded or handler is None or not route.application.transparent
        if hidden or (handler is not None and decorators_of(self.program, self.sites, handler)):
            return
        if not inputs.traced or len(inputs.schemes) > 1:
            return
        operation.security = [{name: sorted(inputs.scopes[name])} for name in sorted(inputs.schemes)]

    def starlette(
        self, operation: Operation, names: dict[str, str], handler: FunctionTarget | None, route: Route
    ) -> None:
        """Fills in what is known of a plain Starlette endpoint, which reads the request by hand."""
        operation.parameters = [
            Parameter("path", name, True, _CONVERTERS.get(converter or "str", unknown("")), operation.source)
            for name, converter in names.items()
        ]
        if handler is None:
            return
        inputs = Inputs(complete=True)
        answers, doubts = self.responses.returned(handler)
        found = []
        for answer in answers:
            if answer.known and answer.status is not None:
                origin = "success" if answer.status < 400 else "returned"
                content = _content(str(answer.status), answer.media_type)
                via = (handler.qualified, *answer.via)
                found.append(Response(str(answer.status), origin, answer.place, content, via=via))
        thrown, plain = self.thrown(operation, route, handler, inputs)
        operation.responses = found + thrown
        understood = not doubts and all(a.known and a.status is not None for a in answers)
        operation.statuses_complete = plain and understood and route.application.transparent


def _content(status: str, media_type: str | None) -> dict[str, Schema] | None:
    if media_type == "application/json":
        return {media_type: unknown("the answer is built by hand")}
    return body_of(status, media_type, None)


def _is_passed_on(node: ast.expr | None, function: FunctionTarget) -> bool:
    """Whether an expression is what `call_next` gave."""
    if isinstance(node, ast.Name):
        bindings = function.body.bindings.get(node.id, [])
        return bool(bindings) and all(_is_passed_on(b.value, function) for b in bindings)
    if isinstance(node, ast.Await):
        node = node.value
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "call_next"
