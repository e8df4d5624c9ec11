"""What a Litestar handler and its dependencies take from a request: parameters and the body."""

from __future__ import annotations

import ast
from collections.abc import Collection

import msgspec
from msgspec.structs import replace

from graph.facts import Location
from graph.schema_algebra import unknown
from ingest.web.constants.constants import constant, text_of
from ingest.web.litestar.arguments import Argument, made_of_litestar
from ingest.web.litestar.bodies import BodyReader
from ingest.web.litestar.layers import Layer, Written
from ingest.web.litestar.models import undocumented
from ingest.web.litestar.names import CONVERTERS, PACKAGE
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.shapes import ANY, Shape, ShapeKind, unknown_shape
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ValueTarget
from ingest.web.records.operations import Body, Parameter
from ingest.web.requests.argument_uses import attributes_used
from ingest.web.schemas.facets import Facets
from ingest.web.schemas.model_fields import Family
from ingest.web.schemas.models import Models
from ingest.web.syntax.bindings import parameters
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotations import shape_of
from ingest.web.values.instances import Instances

_DEPTH = 20
_READ_BY_HAND = frozenset({"request", "headers", "cookies", "query", "body", "scope"})
_RESERVED = _READ_BY_HAND | {"state", "socket", "data"}
_PLACES = {
    "QueryParameter": "query",
    "HeaderParameter": "header",
    "CookieParameter": "cookie",
    "PathParameter": "path",
}
_MARKED = {"FromQuery": "query", "FromHeader": "header", "FromCookie": "cookie", "FromPath": "path"}
_REQUEST_DATA = frozenset({"query_params", "headers", "cookies", "body", "json", "form", "stream", "msgpack"})
_CREDENTIALS = frozenset({"headers", "cookies", "auth", "user", "session"})


class Inputs(msgspec.Struct):
    """Everything that one operation takes from a request, its dependencies flattened."""

    parameters: dict[str, Parameter] = msgspec.field(default_factory=dict)
    body: Body | None = None
    called: list[FunctionTarget] = msgspec.field(default_factory=list)
    unknown: list[tuple[str, Location, str]] = msgspec.field(default_factory=list)
    complete: bool = True
    traced: bool = True
    guarded: bool = False


_RESOURCES = frozenset(
    {"sqlalchemy", "advanced_alchemy", "asyncpg", "psycopg", "redis", "valkey", "motor", "pymongo", "httpx"}
)


class InputReader:
    """Reads the inputs of handlers of one program."""

    def __init__(self, program: Program, instances: Instances, models: Models) -> None:
        self.program = program
        self.instances = instances
        self.models = models
        self.bodies = BodyReader(program, models)

    def read(self, handler: FunctionTarget, layer: Layer, path: dict[str, str], place: Location) -> Inputs:
        """What a handler takes; `path` maps the names in the route's path to their converters."""
        inputs = Inputs(complete=layer.complete)
        self._function(inputs, handler, layer, path, handler.scope.is_class, 0)
        for name, (node, scope) in layer.parameters.items():
            if not any(p.name == name for p in inputs.parameters.values()):
                self._layered(inputs, name, node, scope, path)
        for name, converter in path.items():
            if f"path.{name}" not in inputs.parameters:
                schema = CONVERTERS.get(converter, unknown("the converter is not known"))
                inputs.parameters[f"path.{name}"] = Parameter("path", name, True, schema, place)
        return inputs

    def _function(
        self,
        inputs: Inputs,
        function: FunctionTarget,
        layer: Layer,
        path: Collection[str],
        skip_first: bool,
        depth: int,
    ) -> None:
        if depth > _DEPTH:
            inputs.complete = inputs.traced = False
            return
        self.program.saw(function.scope.path)
        pairs = list(parameters(function.node))
        for node, default in pairs[1:] if skip_first else pairs:
            shape = (
                shape_of(self.program, node.annotation, function.scope)
                if node.annotation is not None
                else unknown_shape("the parameter has no annotation")
            )
            place = self.program.place(node, function.scope)
            taken = Argument(node.arg, shape, default, function.scope, place)
            if node.arg in layer.dependencies and node.arg not in _RESERVED:
                self._provided(inputs, layer.dependencies[node.arg], layer, path, depth)
            elif node.arg in _RESERVED:
                self._reserved(inputs, taken, function, layer)
            else:
                self._parameter(inputs, taken, layer, path)

    def _provided(
        self, inputs: Inputs, written: Written, layer: Layer, path: Collection[str], depth: int
    ) -> None:
        node, scope = written
        target = self.program.resolve(node, scope)
        if isinstance(target, ValueTarget) and isinstance(target.node, ast.Call):
            made = self.program.resolve(target.node.func, target.scope)
            if self.program.is_a(made, PACKAGE, {"Provide"}):
                inner = argument(target.node, 0, "dependency")
                node, scope = inner if inner is not None else node, target.scope
        called = self.instances.callee(node, scope)
        if isinstance(called, ClassTarget) and self.models.family(called) is Family.DATACLASS:
            self._made_of(inputs, called, path)
            return
        if isinstance(called, ClassTarget):
            made = self.program.class_member(called, "__init__")
            called = made if isinstance(made, FunctionTarget) else None
        if not isinstance(called, FunctionTarget):
            self._doubt(inputs, self.program.place(node, scope), "what provides a dependency is not known")
            return
        inputs.called.append(called)
        skip = called.scope.is_class and not isinstance(called.node, ast.Lambda)
        self._function(inputs, called, layer, path, skip, depth + 1)

    def _made_of(self, inputs: Inputs, owner: ClassTarget, path: Collection[str]) -> None:
        """A data class that is made for the handler takes each of its fields from the request."""
        fields = self.models.fields(owner)
        if fields is None:
            place = self.program.place(owner.node, owner.scope)
            self._doubt(inputs, place, "what a data class takes is not known")
        for taken in fields or ():
            where = "path" if taken.attribute in path else "query"
            schema = {key: value for key, value in taken.schema.items() if key != "x-always"}
            required = None if taken.required and taken.shape.nullable else taken.required
            found = Parameter(where, taken.attribute, where == "path" or required, schema, taken.place)
            inputs.parameters.setdefault(found.key, found)

    def _reserved(self, inputs: Inputs, taken: Argument, function: FunctionTarget, layer: Layer) -> None:
        if taken.name == "data":
            body = self.bodies.read(taken, layer.dto)
            if body is None:
                self._doubt(inputs, taken.place, "the media type of the body is not constant")
            inputs.body = inputs.body or body
            return
        if taken.name not in _READ_BY_HAND:
            return
        used = attributes_used(function, taken.name) if taken.name == "request" else {""}
        if used & (_REQUEST_DATA | {""}):
            inputs.complete = False
            inputs.unknown.append(("parameters", taken.place, "the request is read by hand"))
        if taken.name != "query" and used & (_CREDENTIALS | {""}):
            inputs.guarded = True

    def _parameter(self, inputs: Inputs, taken: Argument, layer: Layer, path: Collection[str]) -> None:
        call, scope = taken.description(self.program, frozenset({"Parameter", "Dependency", *_PLACES}))
        kind = made_of_litestar(self.program, call, scope)
        if kind == "Dependency":
            return
        if call is None and taken.name in layer.parameters:
            self._layered(inputs, taken.name, *layer.parameters[taken.name], path, taken)
            return
        shape = taken.shape
        where = "path" if taken.name in path else "query"
        if isinstance(shape.target, External) and shape.target.name in _MARKED and shape.arguments:
            where, shape = _MARKED[shape.target.name], shape.arguments[0]
        elif call is None and isinstance(shape.target, External) and shape.target.root in _RESOURCES:
            # What plug-ins provide by themselves: nothing of a request can be one.
            return
        elif call is None and taken.name not in path and not (layer.complete and self._is_data(shape)):
            self._doubt(inputs, taken.place, f"where {taken.name} comes from cannot be known")
            return
        self._add(inputs, replace(taken, shape=shape), (where, call, scope), path)

    def _layered(
        self,
        inputs: Inputs,
        name: str,
        node: ast.expr,
        scope: Scope,
        path: Collection[str],
        taken: Argument | None = None,
    ) -> None:
        """A parameter that a layer declares for all handlers within; `taken` where the handler asks for it too."""
        target = self.program.resolve(node, scope)
        place = self.program.place(node, scope)
        if not isinstance(target, ValueTarget) or not isinstance(target.node, ast.Call):
            self._doubt(inputs, place, f"what {name} is read from cannot be known")
            return
        call, scope = target.node, target.scope
        written = argument(call, 0, "annotation")
        shape = shape_of(self.program, written, scope) if written is not None else ANY
        if taken is not None:
            shape, place = taken.shape, taken.place
        own = Argument(name, shape, call, scope, place)
        self._add(inputs, own, ("path" if name in path else "query", call, scope), path)

    def _add(
        self,
        inputs: Inputs,
        taken: Argument,
        said: tuple[str, ast.Call | None, Scope],
        path: Collection[str],
    ) -> None:
        where, call, scope = said
        name: str | None = taken.name
        for key, place in (("header", "header"), ("cookie", "cookie"), ("query", "query")):
            if (written := argument(call, None, key)) is not None and taken.name not in path:
                where, name = place, text_of(self.program, written, scope)
        if taken.name in path:
            where = "path"
        else:
            where = _PLACES.get(made_of_litestar(self.program, call, scope), where)
        if (written := argument(call, None, "name")) is not None:
            name = text_of(self.program, written, scope)
        if name is None:
            self._doubt(inputs, taken.place, "the name of a parameter is not constant")
            return
        shown = argument(call, None, "include_in_schema")
        if (shown is not None and constant(self.program, shown, scope) is False) or (
            where == "path" and name not in path
        ):
            return
        facets = taken.facets(self.program)
        schema = undocumented(self.models.schema(taken.shape, facets), taken.shape.nullable)
        required = True if where == "path" else self._required(taken, facets, call, scope)
        found = Parameter(where, name, required, schema, taken.place)
        inputs.parameters.setdefault(found.key, found)
        if found.key == "header.authorization":
            inputs.guarded = True

    def _required(self, taken: Argument, facets: Facets, call: ast.Call | None, scope: Scope) -> bool | None:
        written = argument(call, None, "required")
        if written is not None:
            value = constant(self.program, written, scope)
            return value if isinstance(value, bool) else None
        if facets.optional:
            return False
        # Without a default Litestar documents that a nullable value is required, and yet lets it be left out.
        return None if taken.shape.nullable else True

    def _is_data(self, shape: Shape) -> bool:
        """Whether values of this type can come from a request at all."""
        for part in shape.members:
            if part.kind in (ShapeKind.EXTERNAL, ShapeKind.UNKNOWN):
                return False
            target = part.target if part.kind is ShapeKind.CLASS else None
            if isinstance(target, ClassTarget) and self.models.family(target) is None:
                return False
        return True

    def _doubt(self, inputs: Inputs, place: Location, reason: str) -> None:
        inputs.complete = inputs.traced = False
        inputs.unknown.append(("parameters", place, reason))
