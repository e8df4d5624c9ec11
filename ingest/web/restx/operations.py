"""Flask-RESTX: the operations of its resources, with what the decorators of namespaces and APIs declare."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from graph.facts import Location
from ingest.web.constants.constants import constant, elements, entries, text_of
from ingest.web.flask.declared import Declared, Decoration
from ingest.web.flask.handlers import HandlerReader
from ingest.web.flask.paths import as_documented, is_selective, path_of, path_parameters
from ingest.web.flask.settings import Settings
from ingest.web.flask.tree import Tree
from ingest.web.marshmallow.schemas import Marshmallow
from ingest.web.program.calls import argument
from ingest.web.program.heirs import of_heir
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ValueTarget
from ingest.web.records.operations import Operation
from ingest.web.restx.arguments import bodies_of, cookies_of, parameters_of, settled
from ingest.web.restx.declared import DeclarationReader
from ingest.web.restx.models import Models
from ingest.web.restx.own_methods import told_by
from ingest.web.restx.parsers import Parsers, is_tried, made_by
from ingest.web.restx.served import serves
from ingest.web.restx.tree import Resource, RestxTree
from ingest.web.schemas.named_schemas import NamedSchema
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.modules import Module
from ingest.web.syntax.naming import is_self, uncalled
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

if TYPE_CHECKING:
    from ingest.web.flask.accepts import FlaskAccepts
    from ingest.web.flask.apispec import FlaskApispec

_METHODS = ("get", "post", "put", "patch", "delete")
_BODILESS = frozenset({"get", "delete"})
_DEPTH = 3


class Restx:
    """Reads the operations of Flask-RESTX in one program."""

    def __init__(
        self,
        program: Program,
        instances: Instances,
        modules: Iterable[Module],
        flask: Tree,
        handlers: HandlerReader,
        settings: Settings,
        marshmallow: Marshmallow,
    ) -> None:
        listed = list(modules)
        self.program = program
        self.handlers = handlers
        self.tree = RestxTree(program, instances, listed, flask)
        self.models = Models(program, instances, listed, self.tree.sites)
        self.parsers = Parsers(program, instances, listed)
        self.marshmallow = marshmallow
        self.declarations = DeclarationReader(program, self.models, self.parsers, settings)

    def operations(self) -> Iterator[Operation]:
        """Every operation; Flask's own routes must have been walked before."""
        for resource in self.tree.walk():
            for method in self._methods(resource):
                with self.program.trail() as paths:
                    self.program.saw(resource.event.scope.path)
                    handler = self.program.class_member(resource.target, method)
                    if not isinstance(handler, FunctionTarget) or not serves(resource, handler):
                        continue
                    handler = of_heir(self.program, handler, resource.target)
                    operation = self._operation(resource, method, handler)
                operation.sources = set(paths) | resource.around.sources
                operation.document = resource.around.application.scope.path
                operation.place_under(resource.around.under, resource.around.doubts)
                yield operation

    def _methods(self, resource: Resource) -> tuple[str, ...]:
        """The methods of Flask's that the resource is routed for: all, or those that the route names."""
        named = constant(self.program, argument(resource.event.call, None, "methods"), resource.event.scope)
        listed = {str(name).lower() for name in named} if isinstance(named, list) else set(_METHODS)
        return tuple(method for method in _METHODS if method in listed)

    def named(self) -> Iterator[NamedSchema]:
        """The models that the operations refer to."""
        yield from self.models.named()
        for teller in self.tellers.values():
            yield from teller.named()

    def _operation(self, resource: Resource, method: str, handler: FunctionTarget) -> Operation:
        place = self.program.place(handler.node, handler.scope)
        first = handler.node.decorator_list if isinstance(handler.node, Function) else []
        place = Location(place.path, min([place.line, *(node.lineno for node in first)]), place.end_line)
        operation = Operation(method.upper(), path_of(resource.path), place, handler.qualified, "flask-restx")
        operation.parameters = [as_documented(p) for p in path_parameters(resource.path, place)]
        self.handlers.gives(handler, operation.parameters)
        sites = self.tree.sites
        decorations = self.handlers.decorations(sites, handler)
        around = [d for owner in self._owners(resource.target) for d in self._of_class(owner)]
        told = [(each, teller) for each in decorations if (teller := self._teller(each)) is not None]
        decorations = [each for each in decorations if self._teller(each) is None]
        open_at: list[Location] = []
        of_class = [told for each in around for told in self._told(each, open_at)]
        of_method = [told for each in decorations for told in self._told(each, open_at)]
        declared = self.declarations.read(resource, method, of_class, of_method, place)
        for where in open_at:
            self.declarations.left_open(declared, where)
        routed = {parameter.name for parameter in operation.parameters}
        declared.parameters = [
            p for p in declared.parameters if p.place not in ("path", "query") or p.name not in routed
        ]
        if is_selective(resource.path):
            declared.framework_answers(place, "404")
        for teller in self.tellers.values():
            mine = [each for each, by in told if by is teller]
            self._add(declared, teller.told(mine, method in _BODILESS))
        self._parsed(declared, resource, method, handler)
        around_all = self._around(resource, method)
        foreign = self.handlers.is_foreign(handler) or around_all is None
        others = [*self.handlers.others(sites, handler), *(around_all or ())]
        self.handlers.fill(operation, resource.around, handler, others, declared, False, foreign)
        return operation

    @cached_property
    def tellers(self) -> dict[str, FlaskApispec | FlaskAccepts]:
        """The readers of decorators that resources may have of other packages, by these."""
        found: dict[str, FlaskApispec | FlaskAccepts] = {}
        if self.program.uses(("flask_apispec",)):
            from ingest.web.flask.apispec import FlaskApispec

            found["flask_apispec"] = FlaskApispec(self.program, self.marshmallow)
        if self.program.uses(("flask_accepts",)):
            from ingest.web.flask.accepts import FlaskAccepts

            found["flask_accepts"] = FlaskAccepts(self.program, self.marshmallow)
        return found

    def _teller(self, decoration: Decoration) -> FlaskApispec | FlaskAccepts | None:
        target = self.program.resolve(uncalled(decoration.node), decoration.scope)
        return self.tellers.get(target.root) if isinstance(target, External) else None

    def _add(self, declared: Declared, other: Declared | None) -> None:
        """Adds what another extension declares for the same handler."""
        if other is None:
            return
        declared.parameters += other.parameters
        declared.bodies = [*declared.bodies, *other.bodies]
        declared.success = other.success or declared.success
        declared.responses += other.responses
        declared.doubts += other.doubts
        declared.taken += other.taken
        declared.complete = declared.complete and other.complete

    def _told(self, decoration: Decoration, open_at: list[Location], depth: int = 0) -> list[Decoration]:
        """What a decorator declares in the words of Flask-RESTX; places where that cannot be read are noted."""
        member = self._own(decoration)
        if member is None:
            return [decoration]
        told = told_by(self.program, member, decoration) if depth < _DEPTH else None
        if told is None:
            open_at.append(self.program.place(decoration.node, decoration.scope))
            return []
        # A method that has the name of the one it calls is the class's own no longer.
        return [
            inner
            for each in told
            for inner in ([each] if each.name == decoration.name else self._told(each, open_at, depth + 1))
        ]

    def _own(self, decoration: Decoration) -> FunctionTarget | None:
        """The method of the project's own class of namespaces or APIs that a decorator is."""
        function = uncalled(decoration.node)
        if not isinstance(function, ast.Attribute) or decoration.name in ("route", "add_resource"):
            return None
        for site in self.tree.sites.of(function.value, decoration.scope):
            made = self.program.resolve(site.call.func, site.scope) if site.call is not None else None
            member = (
                self.program.class_member(made, decoration.name) if isinstance(made, ClassTarget) else None
            )
            if isinstance(member, FunctionTarget):
                return member
        return None

    def _owners(self, target: ClassTarget) -> list[ClassTarget]:
        return [o for o in reversed(self.program.ancestry(target)) if isinstance(o, ClassTarget)]

    def _of_class(self, owner: ClassTarget) -> list[Decoration]:
        """The decorators of a resource, the innermost first."""
        found = (
            self.handlers.decoration(self.tree.sites, node, owner.scope)
            for node in reversed(owner.node.decorator_list)
        )
        return [decoration for decoration in found if decoration is not None]

    def _around(self, resource: Resource, method: str) -> list[tuple[ast.expr, Scope]] | None:
        """The decorators that a resource, its namespace and its API put around a method; None where computed."""
        listed = self.program.class_member(resource.target, "method_decorators")
        found: list[tuple[ast.expr, Scope]] = []
        if isinstance(listed, ValueTarget) and listed.node is not None:
            table = entries(self.program, listed.node, listed.scope)
            if table is None:
                table = [(ast.Constant(method), listed.node, listed.scope)]
            for key, value, scope in table:
                name = text_of(self.program, key, scope)
                each = elements(self.program, value, scope) if name in (None, method) else []
                if name is None or each is None:
                    return None
                found += each
        for site in (resource.namespace, resource.api):
            node = argument(site.call, None, "decorators") if site.call is not None else None
            each = elements(self.program, node, site.scope) if node is not None else []
            if each is None:
                return None
            found += each
        return found

    def _reads_request(self, function: FunctionTarget) -> bool:
        """Whether the request is looked at where the resource is made, as it is for each one."""
        names = (node for node in ast.walk(function.node) if isinstance(node, ast.Name))
        return any(self.handlers.requests.values.is_request(node, function.body) for node in names)

    def _parsed(self, declared: Declared, resource: Resource, method: str, handler: FunctionTarget) -> None:
        """Adds the arguments of the parsers that the handler runs without declaring them, itself or through others."""
        if any(self._reads_request(each) for each in made_by(self.program, resource.target)):
            declared.complete = False
        functions = [
            handler,
            *(f for f in self.handlers.exits.of(handler).followed if f.node is not handler.node),
        ]
        for function in functions:
            for call in function.body.calls:
                if not (isinstance(call.func, ast.Attribute) and call.func.attr == "parse_args"):
                    continue
                parser = call.func.value
                found = self.parsers.arguments(parser, function.body)
                if found is None and isinstance(parser, ast.Attribute) and is_self(parser.value):
                    found = self.parsers.kept_arguments(resource.target, parser.attr, functions)
                declared.framework_answers(self.program.place(call, function.scope), "400")
                if found is None:
                    declared.complete = False
                    continue
                arguments = settled(found, method == "get", is_tried(call, function))
                known = {parameter.key for parameter in declared.parameters}
                declared.parameters += [p for p in parameters_of(arguments) if p.key not in known]
                declared.taken += cookies_of(arguments)
                types = {body.media_type for body in declared.bodies}
                declared.bodies += [b for b in bodies_of(arguments) if b.media_type not in types]
