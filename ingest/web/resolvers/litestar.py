"""Litestar: handlers of applications, routers and controllers with their layers, inputs and answers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from graph.facts import Extract, Location, Unknown
from ingest import versions
from ingest.resolver import Project
from ingest.web.constants.constants import constant, text_of
from ingest.web.litestar.answers import AnswerReader
from ingest.web.litestar.inputs import InputReader, Inputs
from ingest.web.litestar.layers import Layer
from ingest.web.litestar.models import LitestarModels
from ingest.web.litestar.names import (
    PACKAGE,
    SILENT_DECORATORS,
    VARIABLE,
    decorator_of,
    joined,
    methods_of,
    option,
    paths_of,
)
from ingest.web.litestar.security import SecurityReader
from ingest.web.litestar.tree import Route, Tree
from ingest.web.program.calls import argument
from ingest.web.program.discovery import resolved
from ingest.web.program.outside import MODELS
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget, Target
from ingest.web.raising.decorators import wrappers_of
from ingest.web.raising.exits import Exits
from ingest.web.raising.risks import Risks
from ingest.web.records.directions import called_differently
from ingest.web.records.facts import extract_of
from ingest.web.records.operations import Operation
from ingest.web.routing.attempts import attempted
from ingest.web.routing.sites import Sites
from ingest.web.syntax.modules import Module
from ingest.web.values.instances import Instances

_JOINS = re.compile(r"\bLitestar\b|\broute_handlers\b|\bregister\b")


class LitestarResolver:
    """The resolver of Litestar's operations and their schemas."""

    name = "litestar"
    version = versions.LITESTAR

    def resolve(self, project: Project) -> Extract:
        """See `Resolver.resolve`."""
        return resolved(project, ("litestar",), _JOINS, _Reader, outside=MODELS)


class _Reader:
    def __init__(self, program: Program, modules: list[Module]) -> None:
        self.program = program
        self.instances = Instances(program)
        self.models = LitestarModels(program)
        self.sites = Sites(program, self.instances, modules, self.kind_of)
        self.exits = Exits(program, self.instances, Risks(program, modules))
        self.inputs = InputReader(program, self.instances, self.models)
        self.answers = AnswerReader(program, self.instances, self.models, self.exits)
        self.security = SecurityReader(program)
        self.tree = Tree(program, self.instances, self.sites)

    def read(self) -> Extract:
        operations = [found for route in self.tree.walk() for found in self.operations(route)]
        self.models.unsettled = called_differently(self.models, operations)
        return extract_of(operations, self.models, self.tree.unknown)

    def kind_of(self, target: Target | None) -> str:
        for name in ("Litestar", "Router"):
            if self.program.is_a(target, PACKAGE, {name}):
                return name
        return ""

    def operations(self, route: Route) -> Iterator[Operation]:
        if route.name in SILENT_DECORATORS:
            return
        with self.program.trail() as paths:
            self.program.saw(route.scope.path)
            layer = self.tree.of_handler(route)
            made = attempted(lambda: self.registered(route, layer), self.place(route), self.tree.unknown)
        for operation in made:
            operation.sources = set(paths) | layer.sources
            operation.document = route.application.scope.path
            operation.application = self.tree.name(route.application)
            yield operation

    def registered(self, route: Route, layer: Layer) -> Iterator[Operation]:
        call = route.decorator if isinstance(route.decorator, ast.Call) else None
        found = paths_of(self.program, option(self.program, call, "path", 0, route.scope))
        methods = methods_of(self.program, route.name, call, route.scope)
        place = self.place(route)
        if found is None or methods is None:
            what = "path" if found is None else "methods"
            reason = f"the route's {what} cannot be known"
            self.tree.unknown.append(Unknown("route", "path", place.path, place.line, reason))
            return
        variables = {match.group(1) for path in found for match in VARIABLE.finditer(path)}
        for path in found:
            for method in methods:
                yield self.operation(route, layer, method, joined(layer.prefix, path), variables, place)

    def place(self, route: Route) -> Location:
        place = self.program.place(route.handler.node, route.handler.scope)
        return Location(place.path, getattr(route.decorator, "lineno", place.line), place.end_line)

    def operation(
        self, route: Route, layer: Layer, method: str, path: str, variables: set[str], place: Location
    ) -> Operation:
        names = {match.group(1): match.group(2) or "" for match in VARIABLE.finditer(path)}
        plain = VARIABLE.sub(lambda match: "{" + match.group(1) + "}", path)
        operation = Operation(method, plain, place, route.handler.qualified, "litestar")
        self.describe(operation, route, layer)
        inputs = self.inputs.read(route.handler, layer, names, place)
        # What another of the handler's paths gives is left out here, and not asked for elsewhere.
        elsewhere = {f"query.{name}" for name in variables - names.keys()}
        operation.parameters = [p for p in inputs.parameters.values() if p.key not in elsewhere]
        operation.bodies = [inputs.body] if inputs.body is not None else []
        operation.unknown.extend(inputs.unknown)
        guards, known = self.guards(layer)
        wrapped, plain_decorators = self.wrapped(route)
        self.answers.answer(operation, route, layer, [*inputs.called, *guards, *wrapped])
        operation.statuses_complete = (
            operation.statuses_complete and known and plain_decorators and inputs.traced
        )
        operation.parameters_complete = inputs.complete and plain_decorators
        self.secure(operation, route, layer, inputs, plain_decorators)
        return operation

    def describe(self, operation: Operation, route: Route, layer: Layer) -> None:
        call = route.decorator if isinstance(route.decorator, ast.Call) else None
        scope = route.scope
        operation.operation_id = text_of(self.program, argument(call, None, "operation_id"), scope)
        operation.summary = text_of(self.program, argument(call, None, "summary"), scope) or ""
        operation.description = text_of(self.program, argument(call, None, "description"), scope) or ""
        operation.deprecated = constant(self.program, argument(call, None, "deprecated"), scope) is True
        operation.in_schema = layer.in_schema
        operation.tags = None if layer.tags is None else sorted({str(tag) for tag in layer.tags})

    def guards(self, layer: Layer) -> tuple[list[FunctionTarget], bool]:
        """The functions that let requests in or refuse them, and whether all of them are the project's own."""
        found = [self.instances.callee(node, scope) for node, scope in layer.guards]
        own = [function for function in found if isinstance(function, FunctionTarget)]
        return own, len(own) == len(found)

    def wrapped(self, route: Route) -> tuple[list[FunctionTarget], bool]:
        """What further decorators put around the handler, and whether all of that is known."""
        found: list[FunctionTarget] = []
        known = True
        for node in getattr(route.handler.node, "decorator_list", []):
            if decorator_of(self.program, node, route.handler.scope):
                continue
            wrappers = wrappers_of(self.program, self.answers.answers, node, route.handler)
            known = known and wrappers is not None
            found += wrappers or []
        return found, known

    def secure(self, operation: Operation, route: Route, layer: Layer, inputs: Inputs, plain: bool) -> None:
        """Fills in the security of an operation, where all that could ask for credentials is known."""
        operation.security_schemes = self.security.schemes(route.application)
        asking = self.security.asking(route.application)
        if asking is not None and layer.security is not None:
            operation.security_schemes = {**operation.security_schemes, asking.name: asking.scheme}
            if not layer.security and asking.asks(operation.path, route.handler):
                operation.security = [{asking.name: []}]
            return
        declared = self.security.required(route.application, layer)
        hidden = inputs.guarded or layer.guarded or not inputs.traced or not plain
        if declared is None or (not declared and hidden):
            return
        if all(isinstance(each, dict) for each in declared):
            operation.security = [
                {name: sorted(map(str, scopes)) for name, scopes in each.items()} for each in declared
            ]
