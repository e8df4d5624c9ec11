"""Plain Django views: functions with the methods they are restricted to, and classes with a function for each."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from graph.facts import Location
from ingest.web.constants.constants import constant
from ingest.web.django.answers import AnswerReader, is_json
from ingest.web.django.methods import offered
from ingest.web.django.routes import Route
from ingest.web.django_views.decorated import DecoratorReader
from ingest.web.django_views.requests import ViewRequests
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ValueTarget
from ingest.web.records.operations import Operation, Parameter, Response
from ingest.web.requests.method_tests import for_method, is_split
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import uncalled

METHODS: Final = ("get", "post", "put", "patch", "delete")
_RESTRICTED: Final = {"require_GET": ["GET"], "require_POST": ["POST"], "require_safe": ["GET"]}
_GENERIC: Final = {
    "TemplateView": ("get",),
    "RedirectView": METHODS,
    "ListView": ("get",),
    "DetailView": ("get",),
    "FormView": ("get", "post", "put"),
    "CreateView": ("get", "post", "put"),
    "UpdateView": ("get", "post", "put"),
    "DeleteView": ("get", "post", "delete"),
}


class ViewReader:
    """Reads the plain views of one program; `meant` are all of their operations."""

    def __init__(self, program: Program, answers: AnswerReader, requests: ViewRequests) -> None:
        self.program = program
        self.answers = answers
        self.requests = requests
        self.decorators = DecoratorReader(answers)
        self.meant: list[Operation] = []

    def function(self, route: Route, handler: FunctionTarget) -> Iterator[Operation]:
        """The operations of a function view; without a restriction it answers any method, but offers not all."""
        methods = self._methods(handler)
        meant = offered(handler) if methods is None else frozenset(methods)
        shared = len(methods or METHODS) > 1
        found: list[Operation] = []
        for method in methods or [name.upper() for name in METHODS]:
            inner = for_method(handler, method) if shared and is_split(handler) else handler
            found.append(self.operation(route, method, handler, inner, method in meant))
        found = _together(found)
        self.meant += found
        yield from found

    def of_class(self, route: Route, view: ClassTarget) -> Iterator[Operation]:
        """The operations of a class-based view: one for each of its methods."""
        found = _together(list(self._members(route, view)))
        self.meant += found
        yield from found

    def _members(self, route: Route, view: ClassTarget) -> Iterator[Operation]:
        allowed = self.program.class_member(view, "http_method_names")
        names = (
            constant(self.program, allowed.node, allowed.scope) if isinstance(allowed, ValueTarget) else None
        )
        for name in METHODS:
            found = self.program.class_member(view, name)
            if isinstance(names, list) and name not in names:
                continue
            if isinstance(found, FunctionTarget):
                yield self.operation(route, name.upper(), found, found, True, view)
            elif any(
                isinstance(base, External) and name in _GENERIC.get(base.name, ())
                for base in self.program.ancestry(view)
            ):
                place = self.program.place(view.node, view.scope)
                operation = Operation(
                    name.upper(), route.pattern.path, place, view.qualified, "django", deprecated=None
                )
                operation.parameters = path_parameters(route, place)
                operation.in_schema = False
                yield operation

    def operation(
        self,
        route: Route,
        method: str,
        handler: FunctionTarget,
        read: FunctionTarget,
        stated: bool,
        view: ClassTarget | None = None,
    ) -> Operation:
        """One method of a view; only what surely answers JSON is taken for a part of an API."""
        place = self.program.place(handler.node, handler.scope)
        operation = Operation(method, route.pattern.path, place, handler.qualified, "django", deprecated=None)
        operation.parameters = path_parameters(route, place)
        answers, understood = self.answers.returned(read)
        around = self.decorators.around(handler)
        thrown, doubts = self.decorators.raised(read, around)
        operation.responses = [
            Response(
                str(answer.status),
                "success" if answer.status is not None and answer.status < 400 else "returned",
                answer.place,
                self.requests.content(answer, read, operation.parameters),
                via=(handler.qualified, *answer.via),
            )
            for answer in answers
            if answer.status != 405
        ]
        operation.responses += [*thrown, *(around.answers if around is not None else ())]
        given = [answer for answer in answers if answer.status != 405]
        operation.in_schema = stated and bool(given) and is_json(given) and route.around.certain
        known = around is not None and self._is_whole(view)
        operation.statuses_complete = understood and not doubts and known
        # What lies around a view may read the request, and ask for credentials.
        plain = known and around is not None and not around.wrappers
        exempt = around is not None and "csrf_exempt" in around.names
        self.requests.fill(operation, read, plain, exempt)
        operation.unknown = [("responses", where, reason) for where, reason in doubts]
        return operation

    def _methods(self, handler: FunctionTarget) -> list[str] | None:
        if not isinstance(handler.node, Function):
            return None
        for decorator in handler.node.decorator_list:
            call = uncalled(decorator)
            target = self.program.resolve(call, handler.scope)
            if not isinstance(target, External) or target.root != "django":
                continue
            if target.name in _RESTRICTED:
                return _RESTRICTED[target.name]
            if target.name == "require_http_methods" and isinstance(decorator, ast.Call):
                found = constant(self.program, argument(decorator, 0), handler.scope)
                if isinstance(found, list):
                    return [str(m).upper() for m in found if str(m).upper() not in ("HEAD", "OPTIONS")]
        return None

    def _is_whole(self, view: ClassTarget | None) -> bool:
        """Whether no base of a class-based view may do something before its method is called."""
        if view is None:
            return True
        for base in self.program.ancestry(view):
            if isinstance(base, ClassTarget):
                if {"dispatch", "setup", "__init__", "as_view"} & set(base.body.bindings):
                    return False
            elif base is None or not (
                base.name == "object" or (base.root == "django" and base.name == "View")
            ):
                return False
        return True


def _together(operations: list[Operation]) -> list[Operation]:
    """The methods of one view; beside those that answer JSON, those that answer nothing are of the API too."""
    if any(operation.in_schema for operation in operations):
        for operation in operations:
            given = {response.status for response in operation.responses if response.origin == "success"}
            operation.in_schema = operation.in_schema or (bool(given) and given <= {"204", "205"})
    return operations


def path_parameters(route: Route, place: Location) -> list[Parameter]:
    """The parameters of a route's path."""
    return [Parameter("path", name, True, schema, place) for name, schema in route.pattern.parameters.items()]
