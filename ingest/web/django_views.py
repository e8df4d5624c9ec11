"""Plain Django views: functions with the methods they are restricted to, and classes with a function for each."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from graph.facts import Location
from graph.schema_algebra import Schema, unknown
from ingest.web.bindings import Function
from ingest.web.calls import argument
from ingest.web.constants import constant
from ingest.web.django_answers import AnswerReader, is_json
from ingest.web.django_urls import Route
from ingest.web.flask_methods import for_method, is_split
from ingest.web.operations import Operation, Parameter, Response
from ingest.web.program import Program
from ingest.web.targets import ClassTarget, External, FunctionTarget, ValueTarget

METHODS: Final = ("get", "post", "put", "patch", "delete")
_RESTRICTED: Final = {"require_GET": ["GET"], "require_POST": ["POST"], "require_safe": ["GET"]}
_HARMLESS: Final = frozenset(
    {"csrf_exempt", "csrf_protect", "ensure_csrf_cookie", "never_cache", "cache_page", "wraps"}
)
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
    """Reads the plain views of one program."""

    def __init__(self, program: Program, answers: AnswerReader) -> None:
        self.program = program
        self.answers = answers

    def function(self, route: Route, handler: FunctionTarget) -> Iterator[Operation]:
        """The operations of a function view; without a restriction it answers any method, but offers none."""
        methods = self._methods(handler)
        stated = methods is not None
        shared = len(methods or METHODS) > 1
        for method in methods or [name.upper() for name in METHODS]:
            inner = for_method(handler, method) if shared and is_split(handler) else handler
            yield self.operation(route, method, handler, inner, stated)

    def of_class(self, route: Route, view: ClassTarget) -> Iterator[Operation]:
        """The operations of a class-based view: one for each of its methods."""
        allowed = self.program.class_member(view, "http_method_names")
        names = (
            constant(self.program, allowed.node, allowed.scope) if isinstance(allowed, ValueTarget) else None
        )
        for name in METHODS:
            found = self.program.class_member(view, name)
            if isinstance(names, list) and name not in names:
                continue
            if isinstance(found, FunctionTarget):
                yield self.operation(route, name.upper(), found, found, True)
            elif any(
                isinstance(base, External) and name in _GENERIC.get(base.name, ())
                for base in self.program.ancestry(view)
            ):
                place = self.program.place(view.node, view.scope)
                operation = Operation(name.upper(), route.pattern.path, place, view.qualified, "django")
                operation.parameters = path_parameters(route, place)
                operation.in_schema = False
                yield operation

    def operation(
        self, route: Route, method: str, handler: FunctionTarget, read: FunctionTarget, stated: bool
    ) -> Operation:
        """One method of a view; only what surely answers JSON is taken for a part of an API."""
        place = self.program.place(handler.node, handler.scope)
        operation = Operation(method, route.pattern.path, place, handler.qualified, "django")
        operation.parameters = path_parameters(route, place)
        answers, understood = self.answers.returned(read)
        thrown, doubts = self.answers.raised(read, framework=False)
        operation.responses = [
            Response(
                str(answer.status),
                "success" if answer.status is not None and answer.status < 400 else "returned",
                answer.place,
                content_of(str(answer.status), answer.media_type),
                via=(handler.qualified, *answer.via),
            )
            for answer in answers
            if answer.status != 405
        ]
        operation.responses += thrown
        operation.in_schema = stated and is_json(answers) and route.around.certain
        operation.statuses_complete = understood and not doubts and self._is_plain(handler)
        operation.unknown = [("responses", where, reason) for where, reason in doubts]
        return operation

    def _methods(self, handler: FunctionTarget) -> list[str] | None:
        if not isinstance(handler.node, Function):
            return None
        for decorator in handler.node.decorator_list:
            call = decorator.func if isinstance(decorator, ast.Call) else decorator
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

    def _is_plain(self, handler: FunctionTarget) -> bool:
        """Whether no decorator may answer in the view's place."""
        if not isinstance(handler.node, Function):
            return False
        nodes = list(handler.node.decorator_list)
        if isinstance(handler.scope.node, ast.ClassDef):
            nodes += handler.scope.node.decorator_list
        for node in nodes:
            target = self.program.resolve(node.func if isinstance(node, ast.Call) else node, handler.scope)
            known = isinstance(target, External) and target.root == "django"
            if not known or not isinstance(target, External):
                return False
            if target.name not in _HARMLESS and not target.name.startswith("require_"):
                return False
        return True


def path_parameters(route: Route, place: Location) -> list[Parameter]:
    """The parameters of a route's path."""
    return [Parameter("path", name, True, schema, place) for name, schema in route.pattern.parameters.items()]


def content_of(status: str, media_type: str | None) -> dict[str, Schema] | None:
    """What is known of an answer's content by its media type alone."""
    if status in ("204", "304"):
        return {}
    if media_type is None:
        return None
    return {media_type.split(";")[0].strip(): unknown("the answer is built by hand")}
