"""aiohttp: routes of applications and their parts, what handlers and views read from the request and answer."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from graph.facts import Extract, Location, Unknown
from graph.schema_algebra import Schema, unknown
from ingest import versions
from ingest.resolver import Project
from ingest.web.aiohttp.answers import PACKAGES, AnswerReader
from ingest.web.aiohttp.pydantic_views import PydanticViews
from ingest.web.aiohttp.tree import METHODS, Route, Tree
from ingest.web.answers.json_values import JsonValues
from ingest.web.constants.chosen import is_chosen
from ingest.web.constants.constants import constant, setting_of
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.discovery import resolved
from ingest.web.program.heirs import of_heir
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target
from ingest.web.raising.error_handlers import ErrorHandlers
from ingest.web.raising.exceptions import Exit
from ingest.web.raising.exits import Exits
from ingest.web.raising.middlewares import for_request, is_passed_on
from ingest.web.raising.raised import RaisedReader
from ingest.web.raising.risks import Risks
from ingest.web.records.facts import extract_of
from ingest.web.records.operations import Operation, Parameter
from ingest.web.requests.async_requests import RequestReader
from ingest.web.requests.by_hand import HandReader
from ingest.web.requests.request_words import AIOHTTP
from ingest.web.routing.attempts import attempted
from ingest.web.routing.named_handlers import named_handler
from ingest.web.routing.sites import Sites
from ingest.web.schemas.models import Models
from ingest.web.syntax.bindings import parameters
from ingest.web.syntax.modules import Module
from ingest.web.values.instances import Instances

_JOINS = re.compile(
    r"\badd_routes\b|\badd_(?:get|post|put|patch|delete|view|route|subapp)\b|\bmiddlewares\b"
    r"|^\s*@[\w.]+\.(?:get|post|put|patch|delete|view|route)\(",
    re.MULTILINE,
)
_ANY = ("DELETE", "GET", "PATCH", "POST", "PUT")
_DESCRIBING = frozenset({"aiohttp_apispec", "aiohttp_apigami"})
"""Packages whose decorators describe handlers."""
_ANYTHING = frozenset({"[^{}/]+", "[^/]+", ".+", ".*"})
_WORDS = re.compile(r"\w[\w-]*(?:\|\w[\w-]*)+|\(\w[\w-]*(?:\|\w[\w-]*)+\)")
_NUMBERS = frozenset({r"\d+", "[0-9]+", r"[\d]+", r"-?\d+", r"\d*"})


class AiohttpResolver:
    """The resolver of the operations of aiohttp's server."""

    name = "aiohttp"
    version = versions.AIOHTTP

    def resolve(self, project: Project) -> Extract:
        """See `Resolver.resolve`."""
        return resolved(project, ("aiohttp",), _JOINS, _Reader)


class _Reader:
    def __init__(self, program: Program, modules: list[Module]) -> None:
        self.program = program
        self.instances = Instances(program)
        self.models = Models(program)
        self.exits = Exits(program, self.instances, Risks(program, modules))
        self.sites = Sites(program, self.instances, modules, self.kind_of)
        self.answers = AnswerReader(program, self.instances)
        self.tree = Tree(program, self.instances, self.sites, self.harmless)
        self.views = PydanticViews(program, self.models)
        values = JsonValues(program, self.instances, self.models)
        self.hand = HandReader(
            program,
            self.sites,
            self.exits,
            self.answers.answers,
            RequestReader(program, self.instances, AIOHTTP, self.answers.answers, self.models),
            RaisedReader(
                program,
                self.answers.answers,
                content=lambda answer: self.hand.content(answer),
                plain=self.plain,
                values=values,
            ),
            values,
            self.answers.understood,
        )

    def read(self) -> Extract:
        operations = [found for route in self.tree.walk() for found in self.operations(route)]
        named = list(self.hand.requests.models.named())
        return extract_of(operations, self.models, self.tree.unknown, named)

    def plain(self, leaving: Exit) -> dict[str, Schema] | None:
        """The content of an exception that aiohttp answers by itself: a text, or what it is made with."""
        call, scope = leaving.call, leaving.scope
        own = isinstance(leaving.target, ClassTarget) and self.program.class_member(
            leaving.target, "__init__"
        )
        if isinstance(own, FunctionTarget):
            return None
        if call is None:
            return {"text/plain": {"type": "string"}}
        if scope is None or (isinstance(call.func, ast.Name) and not call.func.id):
            return None
        found = self.answers.of_exception(call, scope)
        return self.hand.content(found) if found is not None else None

    def kind_of(self, target: Target | None) -> str:
        for name in ("Application", "RouteTableDef"):
            if self.program.is_a(target, PACKAGES, {name}):
                return name
        return ""

    def harmless(self, middleware: FunctionTarget) -> bool:
        """Whether a middleware only passes on what the handler answers."""
        names = [node.arg for node, _ in parameters(middleware.node)]
        summary = self.exits.of(middleware)
        if len(names) < 2 or summary.exits or summary.doubts:
            return False
        return all(
            answer.known and answer.status is None and is_passed_on(answer.data, middleware, names[-1])
            for answer in self.answers.answers.of_function(middleware)
        )

    def operations(self, route: Route) -> Iterator[Operation]:
        with self.program.trail() as paths:
            self.program.saw(route.scope.path)
            place = self.program.place(route.call, route.scope)
            found = attempted(lambda: self.registered(route), place, self.tree.unknown)
        for operation in found:
            operation.sources = set(paths) | route.around.sources
            operation.document = route.around.application.scope.path
            yield operation

    def registered(self, route: Route) -> Iterator[Operation]:
        method, path, node = self.written(route)
        place = self.program.place(route.call, route.scope)
        target: Target | None = route.function
        if node is not None:
            target = named_handler(self.instances, node, route.scope)
        handlers = self.handlers(target, method)
        if path is None or handlers is None or has_stars(route.call):
            what = "the path is not constant" if path is None else "what the route calls is not known"
            self.tree.unknown.append(Unknown("route", "path", place.path, place.line, what))
            return
        shown, variables = plain_path(route.around.prefix + path)
        for verb, handler in handlers:
            shared = method == "*" and not isinstance(target, ClassTarget)
            found = self.operation(route, verb, shown, variables, handler, shared)
            if self.views.is_view(target):
                self.views.take(found, handler)
            yield found

    def written(self, route: Route) -> tuple[str | None, str | None, ast.expr | None]:
        """Method, path and handler expression of a route; each None where it is not given or not constant."""
        call, scope = route.call, route.scope
        name = route.method.removeprefix("add_")
        if name == "resource":
            verb = setting_of(self.program, argument(call, 0, "method"), scope)
            return verb, route.path, argument(call, 1, "handler")
        if name == "route":
            verb = setting_of(self.program, argument(call, 0, "method"), scope)
            path, node = argument(call, 1, "path"), argument(call, 2, "handler")
        else:
            verb = "*" if name == "view" else name.upper()
            path, node = argument(call, 0, "path"), argument(call, 1, "handler")
        return verb, setting_of(self.program, path, scope), None if route.is_decorator else node

    def handlers(self, target: Target | None, method: str | None) -> list[tuple[str, FunctionTarget]] | None:
        """Each method with the function that answers it; None where that cannot be known."""
        if method is None:
            return None
        if isinstance(target, ClassTarget) and (
            self.program.is_a(target, PACKAGES, {"View"}) or self.views.is_view(target)
        ):
            found = []
            for name in METHODS:
                member = self.program.class_member(target, name)
                if isinstance(member, FunctionTarget) and method in ("*", name.upper()):
                    found.append((name.upper(), of_heir(self.program, member, target)))
            return found
        if not isinstance(target, FunctionTarget):
            return None
        return [(verb, target) for verb in (_ANY if method == "*" else (method.upper(),))]

    def operation(
        self,
        route: Route,
        method: str,
        path: str,
        variables: dict[str, str],
        handler: FunctionTarget,
        shared: bool,
    ) -> Operation:
        place = self.program.place(handler.node, handler.scope)
        if isinstance(route.function, FunctionTarget):
            lines = [each.lineno for each in getattr(route.function.node, "decorator_list", ())]
            # A decorator of the project's own registers elsewhere what it decorates here.
            begin = route.call.lineno if route.call.lineno in lines else min([place.line, *lines])
            place = Location(place.path, begin, place.end_line)
        operation = Operation(method, path, place, handler.qualified, "aiohttp")
        operation.deprecated = _is_deprecated(self.program, handler)
        # A handler for every method says nothing of which are meant, and a web socket is in no contract.
        shown = not is_chosen(self.program, route.call, route.scope)
        operation.in_schema = shown and not shared and not self.answers.opens_a_socket(handler)
        operation.parameters = [
            Parameter("path", name, True, _matched(expression), place)
            for name, expression in variables.items()
        ]
        handler = for_request(self.program, handler, path, method)
        guards = self.hand.around(route.around.guards, path, method)
        transparent = route.around.transparent and guards is not None
        handlers = self.hand.within(guards or [], ErrorHandlers())
        self.hand.fill(operation, handler, handlers, transparent, shared)
        self.hand.guard(operation, handler, guards or [], handlers)
        return operation


def plain_path(path: str) -> tuple[str, dict[str, str]]:
    """The path with its variables as `{name}`, their expressions taken off, and these by the names."""
    shown: list[str] = []
    variables: dict[str, str] = {}
    depth = start = 0
    for index, letter in enumerate(path):
        if letter == "{":
            depth += 1
            start = index + 1 if depth == 1 else start
        elif letter == "}" and depth:
            depth -= 1
            if not depth:
                name, _, expression = path[start:index].partition(":")
                variables[name.strip()] = expression.strip()
                shown.append("{" + name.strip() + "}")
        elif not depth:
            shown.append(letter)
    return "".join(shown), variables


def _is_deprecated(program: Program, handler: FunctionTarget) -> bool | None:
    """Whether what describes a handler for its documentation says so: `@docs(deprecated=True)`, if anything does."""
    calls = [each for each in getattr(handler.node, "decorator_list", ()) if isinstance(each, ast.Call)]
    described = [(each, program.resolve(each.func, handler.scope)) for each in calls]
    told = [each for each, by in described if isinstance(by, External) and by.root in _DESCRIBING]
    marks = [constant(program, argument(each, None, "deprecated"), handler.scope) for each in told]
    return (True in marks) if told else None


def _matched(expression: str) -> Schema:
    """What a variable of a path may be that this expression, where there is one, matches as a whole."""
    if not expression or expression in _ANYTHING:
        return {"type": "string"}
    if expression in _NUMBERS:
        return unknown("digits may stand for a text or for a number")
    bare = expression.removeprefix("^").removesuffix("$")
    if _WORDS.fullmatch(bare):
        return {"type": "string", "enum": bare.strip("()").split("|")}
    whole = f"(?:{bare})" if "|" in bare else bare
    # A contract that states no pattern seldom means that any text will do.
    return {"type": "string", "pattern": f"^{whole}$", "x-implied": ["pattern"]}
