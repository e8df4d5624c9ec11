"""What a FastAPI handler and its dependencies take from a request: parameters, bodies, credentials."""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass, field, replace

from graph.facts import Json, Location
from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.bindings import Function, parameters
from ingest.web.calls import argument
from ingest.web.constants import constant, text_of
from ingest.web.facets import Facets, facets_of
from ingest.web.instances import Instances, returned
from ingest.web.models import Family, Models
from ingest.web.operations import Body, Parameter
from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.shapes import Shape, ShapeKind, shape_of
from ingest.web.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget

ROOTS = frozenset({"fastapi", "starlette"})
_DEPTH = 20
_PLACES = {"Query": "query", "Path": "path", "Header": "header", "Cookie": "cookie"}
_MARKERS = frozenset({*_PLACES, "Body", "Form", "File", "Depends", "Security"})
_IGNORED = frozenset({"WebSocket", "Response", "BackgroundTasks", "SecurityScopes"})
_SCHEMES = frozenset(
    {
        "OAuth2PasswordBearer",
        "OAuth2AuthorizationCodeBearer",
        "OAuth2",
        "HTTPBearer",
        "HTTPBasic",
        "HTTPDigest",
        "APIKeyHeader",
        "APIKeyQuery",
        "APIKeyCookie",
        "OpenIdConnect",
    }
)
_PASSWORD_FORM = {
    "grant_type": ({"type": ["null", "string"], "pattern": "^password$"}, False),
    "username": ({"type": "string"}, True),
    "password": ({"type": "string", "format": "password"}, True),
    "scope": ({"type": "string", "default": ""}, False),
    "client_id": ({"type": ["null", "string"]}, False),
    "client_secret": ({"type": ["null", "string"], "format": "password"}, False),
}
_REQUEST_CREDENTIALS = frozenset({"headers", "cookies", "auth", "user", "session"})
_REQUEST_DATA = frozenset({"query_params", "headers", "cookies", "body", "json", "form", "stream"})


@dataclass(frozen=True, slots=True)
class Part:
    """One parameter that comes from the body: a model or value, or a form field or file."""

    name: str
    kind: str
    shape: Shape
    facets: Facets
    schema: Schema
    place: Location


@dataclass(slots=True)
class Inputs:
    """Everything that one operation takes from a request, its dependencies flattened."""

    parameters: dict[str, Parameter] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)
    schemes: dict[str, Json] = field(default_factory=dict)
    scopes: dict[str, set[str]] = field(default_factory=dict)
    called: list[FunctionTarget] = field(default_factory=list)
    unknown: list[tuple[str, Location, str]] = field(default_factory=list)
    complete: bool = True
    traced: bool = True
    """Whether everything that runs before the handler was found."""
    guarded: bool = False
    """Whether credentials may be asked for in a way that cannot be read."""
    refuses: bool = False
    """Whether a security scheme of the framework answers 401 or 403 by itself."""

    @property
    def any(self) -> bool:
        """Whether the framework validates anything."""
        return bool(self.parameters or self.parts)


class InputReader:
    """Reads the inputs of handlers of one program."""

    def __init__(self, program: Program, instances: Instances, models: Models) -> None:
        self.program = program
        self.instances = instances
        self.models = models

    def function(
        self,
        inputs: Inputs,
        function: FunctionTarget,
        path: Collection[str],
        scopes: tuple[str, ...] = (),
        skip_first: bool = False,
        depth: int = 0,
    ) -> None:
        """Adds what a handler or dependency takes; `path` are the names in the route's path."""
        if depth > _DEPTH:
            inputs.complete = False
            return
        self.program.saw(function.scope.path)
        pairs = list(parameters(function.node))
        for argument_node, default in pairs[1:] if skip_first else pairs:
            shape = (
                shape_of(self.program, argument_node.annotation, function.scope)
                if argument_node.annotation is not None
                else None
            )
            self._argument(
                inputs, argument_node.arg, argument_node, shape, default, function, path, scopes, depth
            )

    def dependency(
        self,
        inputs: Inputs,
        node: ast.expr,
        scope: Scope,
        path: Collection[str],
        scopes: tuple[str, ...] = (),
        depth: int = 0,
    ) -> None:
        """Adds what `Depends(node)` takes."""
        target = self.program.resolve(node, scope)
        if target is None:
            target = self.instances.callee(node, scope)
        self._depended(inputs, target, self.program.place(node, scope), path, scopes, depth)

    def marked(
        self,
        inputs: Inputs,
        call: ast.expr,
        scope: Scope,
        path: Collection[str],
        scopes: tuple[str, ...] = (),
        annotated: Target | None = None,
        depth: int = 0,
    ) -> None:
        """Adds what a `Depends(…)` or `Security(…)` that stands in the source takes."""
        target = self.program.resolve(call, scope)
        if isinstance(target, ValueTarget) and target.node is not None:
            call, scope = target.node, target.scope
        if self.marker(call, scope) not in ("Depends", "Security") or not isinstance(call, ast.Call):
            self._doubt(inputs, self.program.place(call, scope), "the dependency is computed")
            return
        written = argument(call, None, "scopes") or argument(call, 1, "scopes")
        if self.marker(call, scope) == "Security" and written is not None:
            more = constant(self.program, written, scope)
            scopes = (*scopes, *(s for s in more if isinstance(s, str))) if isinstance(more, list) else scopes
        inner = argument(call, 0, "dependency")
        if inner is not None:
            self.dependency(inputs, inner, scope, path, scopes, depth + 1)
        else:
            self._depended(inputs, annotated, self.program.place(call, scope), path, scopes, depth + 1)

    def marker(self, node: ast.expr | None, scope: Scope) -> str:
        """The name of FastAPI's marker that an expression calls (`Query`, `Depends`), else an empty string."""
        if not isinstance(node, ast.Call):
            return ""
        target = self.program.resolve(node.func, scope)
        known = isinstance(target, External) and target.root == "fastapi" and target.name in _MARKERS
        return target.name if known and isinstance(target, External) else ""

    def _argument(
        self,
        inputs: Inputs,
        name: str,
        node: ast.AST,
        shape: Shape | None,
        default: ast.expr | None,
        function: FunctionTarget,
        path: Collection[str],
        scopes: tuple[str, ...],
        depth: int,
    ) -> None:
        place = self.program.place(node, function.scope)
        call, scope = self._marker_of(shape, default, function.scope)
        marker = self.marker(call, scope)
        if marker in ("Depends", "Security") and call is not None:
            annotated = shape.members[0].target if shape is not None and len(shape.members) == 1 else None
            self.marked(inputs, call, scope, path, scopes, annotated, depth)
            return
        if shape is not None and self._is_special(inputs, name, shape, function):
            return
        metadata = shape.metadata if shape is not None else ()
        facets = facets_of(self.program, metadata, default, function.scope)
        if marker in ("Body", "Form", "File"):
            self._part(inputs, name, marker.lower(), shape, facets, place)
        elif marker and name not in path:
            self._placed(inputs, name, _PLACES[marker], shape, facets, call, scope, place)
        elif name in path or (facets.alias or name) in path:
            self._placed(inputs, name, "path", shape, facets, call, scope, place)
        else:
            self._unmarked(inputs, name, shape, facets, place)

    def _marker_of(
        self, shape: Shape | None, default: ast.expr | None, scope: Scope
    ) -> tuple[ast.expr | None, Scope]:
        target = self.program.resolve(default, scope) if isinstance(default, ast.Name) else None
        if isinstance(target, ValueTarget) and target.node is not None:
            default, found = target.node, target.scope
        else:
            found = scope
        if self.marker(default, found):
            return default, found
        for node, inner in reversed(shape.metadata if shape is not None else ()):
            if self.marker(node, inner):
                return node, inner
        return None, scope

    def _is_special(self, inputs: Inputs, name: str, shape: Shape, function: FunctionTarget) -> bool:
        target = shape.members[0].target if len(shape.members) == 1 else None
        if self.program.is_a(target, ROOTS, {"Request", "HTTPConnection"}):
            used = _request_use(function, name)
            if used & (_REQUEST_DATA | {""}):
                inputs.complete = False
                inputs.unknown.append(
                    (
                        "parameters",
                        self.program.place(function.node, function.scope),
                        "the request is read by hand",
                    )
                )
            if used & (_REQUEST_CREDENTIALS | {""}):
                inputs.guarded = True
            return True
        return self.program.is_a(target, ROOTS, _IGNORED)

    def _unmarked(
        self, inputs: Inputs, name: str, shape: Shape | None, facets: Facets, place: Location
    ) -> None:
        kind = self._classify(shape)
        if kind == "query":
            self._placed(inputs, name, "query", shape, facets, None, None, place)
        elif kind in ("body", "file"):
            self._part(inputs, name, kind, shape, facets, place)
        else:
            reason = shape.reason if shape is not None else ""
            self._doubt(inputs, place, f"what {name} is read from cannot be known: {reason}")

    def _classify(self, shape: Shape | None) -> str:
        """Where FastAPI looks for a value of this type when nothing says it."""
        if shape is None:
            return "query"
        match shape.kind:
            case ShapeKind.SCALAR:
                is_file = isinstance(shape.target, External) and shape.target.name == "UploadFile"
                return "file" if is_file else "query"
            case ShapeKind.ANY | ShapeKind.LITERAL | ShapeKind.NONE:
                return "query"
            case ShapeKind.ARRAY if shape.arguments and self._classify(shape.arguments[0]) == "file":
                return "file"
            case ShapeKind.ARRAY | ShapeKind.SET | ShapeKind.TUPLE | ShapeKind.MAPPING:
                return "body"
            case ShapeKind.UNION:
                kinds = {self._classify(part) for part in shape.members}
                for kind in ("", "body", "file"):
                    if kind in kinds:
                        return kind
                return "query"
            case ShapeKind.CLASS:
                family = self.models.family(shape.target) if isinstance(shape.target, ClassTarget) else None
                return "" if family is None else "query" if family is Family.ENUM else "body"
        return ""

    def _placed(
        self,
        inputs: Inputs,
        name: str,
        where: str,
        shape: Shape | None,
        facets: Facets,
        call: ast.expr | None,
        scope: Scope | None,
        place: Location,
    ) -> None:
        members = shape.members if shape is not None else ()
        if len(members) == 1 and members[0].kind is ShapeKind.CLASS and where != "path":
            target = members[0].target
            if isinstance(target, ClassTarget) and self.models.family(target) is Family.PYDANTIC:
                self._expanded(inputs, where, target)
                return
        plain = facets.alias or facets.validation_alias
        if plain is None:
            keep = isinstance(call, ast.Call) and scope is not None and self._keeps_underscores(call, scope)
            plain = name if where != "header" or keep else name.replace("_", "-")
        schema = self._schema(shape, replace(facets, deprecated=False))
        required = where == "path" or not facets.optional
        self._add(inputs, Parameter(where, plain, required, schema, place, facets.deprecated), facets)

    def _add(self, inputs: Inputs, found: Parameter, facets: Facets) -> None:
        if facets.unread.startswith("the value of alias"):
            self._doubt(inputs, found.source, facets.unread)
        elif not facets.hidden:
            inputs.parameters.setdefault(found.key, found)
        if found.place == "header" and found.name.lower() == "authorization":
            inputs.guarded = True

    def _schema(self, shape: Shape | None, facets: Facets) -> Schema:
        if shape is not None:
            return self.models.schema(shape, facets)
        schema = unknown("the parameter has no annotation")
        plain = isinstance(facets.default, str | int | float | bool)
        return {**schema, "default": facets.default} if plain else schema

    def _expanded(self, inputs: Inputs, where: str, target: ClassTarget) -> None:
        fields = self.models.fields(target)
        if fields is None:
            self._doubt(
                inputs, self.program.place(target.node, target.scope), "the model's bases are not known"
            )
            return
        for found in fields:
            name = found.name
            if where == "header" and name == found.attribute:
                name = name.replace("_", "-")
            schema = {k: v for k, v in found.schema.items() if k not in ("x-always", "deprecated")}
            parameter = Parameter(where, name, found.required, schema, found.place, found.facets.deprecated)
            self._add(inputs, parameter, found.facets)

    def _keeps_underscores(self, call: ast.Call, scope: Scope) -> bool:
        written = argument(call, None, "convert_underscores")
        return written is not None and constant(self.program, written, scope) is False

    def _part(
        self, inputs: Inputs, name: str, kind: str, shape: Shape | None, facets: Facets, place: Location
    ) -> None:
        schema = self._schema(shape, facets)
        inputs.parts.append(
            Part(facets.alias or name, kind, shape or Shape(ShapeKind.ANY), facets, schema, place)
        )

    def _depended(
        self,
        inputs: Inputs,
        target: Target | None,
        place: Location,
        path: Collection[str],
        scopes: tuple[str, ...],
        depth: int,
    ) -> None:
        if depth > _DEPTH:
            inputs.complete = False
            return
        if isinstance(target, FunctionTarget):
            inputs.called.append(target)
            first = target.scope.is_class and isinstance(target.node, Function)
            self.function(inputs, target, path, scopes, first, depth + 1)
        elif isinstance(target, ClassTarget):
            self._class(inputs, target, path, scopes, depth)
        elif isinstance(target, ValueTarget) and isinstance(target.node, ast.Call):
            self._instance(inputs, target.node, target.scope, path, scopes, depth)
        elif isinstance(target, External) and target.name.startswith("OAuth2PasswordRequestForm"):
            for name, (schema, required) in _PASSWORD_FORM.items():
                strict = name == "grant_type" and target.name.endswith("Strict")
                found = normalise({"type": "string", "pattern": "^password$"} if strict else schema)
                facets = Facets(optional=not (required or strict))
                inputs.parts.append(Part(name, "form", Shape(ShapeKind.SCALAR), facets, found, place))
        else:
            self._doubt(inputs, place, "the dependency is not the project's own")
            inputs.guarded = True

    def _class(
        self, inputs: Inputs, target: ClassTarget, path: Collection[str], scopes: tuple[str, ...], depth: int
    ) -> None:
        made = self.program.class_member(target, "__init__")
        if isinstance(made, FunctionTarget):
            inputs.called.append(made)
            self.function(inputs, made, path, scopes, True, depth + 1)
            return
        place = self.program.place(target.node, target.scope)
        family = self.models.family(target)
        fields = self.models.fields(target) if family in (Family.PYDANTIC, Family.DATACLASS) else None
        for found in fields or []:
            self._field(inputs, found.attribute, found.shape, found.facets, found.place, path)
        if fields is None and not _is_bare(target):
            self._doubt(inputs, place, f"what {target.node.name} takes cannot be known")

    def _field(
        self, inputs: Inputs, name: str, shape: Shape, facets: Facets, place: Location, path: Collection[str]
    ) -> None:
        if name in path:
            self._placed(inputs, name, "path", shape, facets, None, None, place)
        else:
            self._unmarked(inputs, name, shape, facets, place)

    def _instance(
        self,
        inputs: Inputs,
        call: ast.Call,
        scope: Scope,
        path: Collection[str],
        scopes: tuple[str, ...],
        depth: int,
    ) -> None:
        place = self.program.place(call, scope)
        made = self.program.resolve(call.func, scope)
        scheme = self._scheme_name(made)
        if scheme:
            self._secured(inputs, scheme, made, call, scope, scopes)
        if isinstance(made, ClassTarget):
            called = self.program.class_member(made, "__call__")
            if isinstance(called, FunctionTarget):
                inputs.called.append(called)
                before = (inputs.guarded, inputs.complete, list(inputs.unknown))
                self.function(inputs, called, path, scopes, True, depth + 1)
                if scheme:
                    # The scheme's own subclass reads the request to find the credentials that it declares.
                    inputs.guarded, inputs.complete, inputs.unknown = before
            elif not scheme:
                self._doubt(inputs, place, f"what {made.node.name} does when called cannot be known")
        elif isinstance(made, FunctionTarget):
            results = [self.program.resolve(value, inner) for value, inner in returned(made)]
            if len(results) == 1 and isinstance(results[0], FunctionTarget | ValueTarget | ClassTarget):
                self._depended(inputs, results[0], place, path, scopes, depth + 1)
            else:
                self._doubt(inputs, place, "what the factory of this dependency returns cannot be known")
                inputs.guarded = True
        elif not scheme:
            self._doubt(inputs, place, "the dependency is not the project's own")
            inputs.guarded = True

    def _scheme_name(self, made: Target | None) -> str:
        for name in sorted(_SCHEMES):
            if self.program.is_a(made, {"fastapi"}, {name}):
                return name
        return ""

    def _secured(
        self,
        inputs: Inputs,
        kind: str,
        made: Target | None,
        call: ast.Call,
        scope: Scope,
        scopes: tuple[str, ...],
    ) -> None:
        own = isinstance(made, ClassTarget) and "__init__" in made.body.bindings
        written = argument(call, None, "scheme_name")
        name = text_of(self.program, written, scope) if written is not None else None
        if name is None:
            name = made.node.name if isinstance(made, ClassTarget) else kind
        scheme: dict[str, Json] = {"type": "oauth2"}
        if kind.startswith("HTTP"):
            scheme = {"type": "http", "scheme": kind.removeprefix("HTTP").lower()}
        elif kind == "OpenIdConnect":
            scheme = {"type": "openIdConnect"}
        elif kind.startswith("APIKey"):
            scheme = {"type": "apiKey", "in": kind.removeprefix("APIKey").lower()}
            key = text_of(self.program, argument(call, None, "name"), scope)
            if key is not None and not own:
                scheme["name"] = key
        inputs.schemes[name] = scheme
        with_scopes = scheme["type"] in ("oauth2", "openIdConnect")
        inputs.scopes.setdefault(name, set()).update(scopes if with_scopes else ())
        error = argument(call, None, "auto_error")
        inputs.refuses = inputs.refuses or error is None or constant(self.program, error, scope) is not False

    def _doubt(self, inputs: Inputs, place: Location, reason: str) -> None:
        inputs.complete = inputs.traced = False
        inputs.unknown.append(("parameters", place, reason))


def bodies_of(inputs: Inputs) -> list[Body]:
    """The request body that the parts make together, in the way FastAPI joins them."""
    forms = [part for part in inputs.parts if part.kind in ("form", "file")]
    parts = forms or inputs.parts
    if not parts:
        return []
    media_type = "application/json"
    if forms:
        files = any(part.kind == "file" for part in forms)
        media_type = "multipart/form-data" if files else "application/x-www-form-urlencoded"
    first = parts[0]
    media_type = next((p.facets.media_type for p in parts if p.facets.media_type), media_type)
    single = first.shape.kind is ShapeKind.CLASS if forms else True
    if len(parts) == 1 and single and not first.facets.embed:
        return [Body(media_type, not first.facets.optional, first.schema, first.place)]
    properties = {part.name: {**part.schema, "x-line": part.place.line} for part in parts}
    required = sorted({part.name for part in parts if not part.facets.optional})
    whole: Schema = {"type": "object", "properties": properties}
    if required:
        whole["required"] = required
    return [Body(media_type, bool(required), normalise(whole), first.place)]


def _request_use(function: FunctionTarget, name: str) -> set[str]:
    """The attributes of the request that a function uses; an empty string where it is passed on."""
    used: set[str] = set()
    owners: set[ast.AST] = set()
    body = function.node.body if isinstance(function.node.body, list) else [function.node.body]
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name:
                used.add(node.attr)
                owners.add(node.value)
            elif isinstance(node, ast.Call) and _is_template(node):
                owners.update(a for a in ast.walk(node) if isinstance(a, ast.Name) and a.id == name)
            elif isinstance(node, ast.Name) and node.id == name and node not in owners:
                used.add("")
    return used


def _is_template(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr == "TemplateResponse"


def _is_bare(target: ClassTarget) -> bool:
    return not target.node.bases
