"""flask-smorest: what the decorators of its blueprints declare."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from graph.facts import Location
from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.constants.constants import Missing, constant, status_of, text_of
from ingest.web.flask.declared import Declared, Decoration, Success
from ingest.web.flask.failures import SMOREST, failures
from ingest.web.flask.settings import Settings
from ingest.web.flask.tree import Route
from ingest.web.marshmallow.inputs import body_of, joined, parameters_of
from ingest.web.marshmallow.schemas import Marshmallow
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget
from ingest.web.records.operations import Parameter, Response
from ingest.web.routing.sites import Site
from ingest.web.schemas.named_schemas import NamedSchema
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope

_BODIES = {
    "json": "application/json",
    "form": "application/x-www-form-urlencoded",
    "files": "multipart/form-data",
}
_TAGS = {
    **dict.fromkeys(("GET", "HEAD"), ("If-None-Match", False)),
    **dict.fromkeys(("PUT", "PATCH", "DELETE"), ("If-Match", True)),
}
"""The header by which requests of a method name an entity tag, and whether they must."""
_DEFAULTS = {"page": 1, "page_size": 10, "max_page_size": 100}


class Smorest:
    """Reads the declarations of flask-smorest's blueprints."""

    def __init__(self, program: Program, marshmallow: Marshmallow, settings: Settings) -> None:
        self.program = program
        self.marshmallow = marshmallow
        self._settings = settings

    @cached_property
    def _failure(self) -> dict[str, Schema] | None:
        return failures(self._settings, SMOREST)

    def named(self) -> Iterator[NamedSchema]:
        """See `Extension.named`."""
        return self.marshmallow.named()

    def declared(
        self, route: Route, handler: FunctionTarget, decorations: list[Decoration]
    ) -> Declared | None:
        """See `Extension.declared`."""
        if not self._owns(route.event.site):
            return None
        formless = frozenset({"text/html", "application/json"})
        declared = Declared("flask-smorest", guarded=self._settings.guarded, formless=formless)
        for decoration in decorations:
            if decoration.call is not None:
                self._read(declared, decoration, decoration.call)
        for node, scope in self._tagging(route, decorations):
            self._etag(declared, self._method(route, handler), self.program.place(node, scope))
        if declared.security is None and self._settings.demanded is not None:
            declared.security, declared.security_schemes = self._settings.demanded, self._settings.schemes
        if argument(route.event.call, None, "parameters") is not None:
            # What a route documents for all of its methods may be read anywhere.
            declared.complete = False
        # Every operation is documented with one answer for all errors.
        place = self.program.place(route.event.call, route.event.scope)
        declared.framework_answers(place, "default", content=self._failure)
        return declared

    def _owns(self, site: Site) -> bool:
        if site.call is None:
            return False
        made = self.program.resolve(site.call.func, site.scope)
        return self.program.is_a(made, {"flask_smorest"}, {"Blueprint"})

    def _read(self, declared: Declared, decoration: Decoration, call: ast.Call) -> None:
        scope = decoration.scope
        place = self.program.place(call, scope)
        if has_stars(call):
            declared.complete = False
            declared.doubts.append((place, "the arguments of a decorator are computed"))
            return
        match decoration.name:
            case "arguments":
                self._arguments(declared, call, scope, place)
            case "response":
                self._response(declared, call, scope, place)
            case "alt_response":
                self._alternative(declared, call, scope, place)
            case "paginate":
                self._paginate(declared, call, scope, place)
            case "doc":
                self._doc(declared, call, scope)

    def _arguments(self, declared: Declared, call: ast.Call, scope: Scope, place: Location) -> None:
        written = argument(call, 1, "location")
        location = "json" if written is None else text_of(self.program, written, scope)
        declared.framework_answers(place, "400", "415")
        declared.framework_answers(place, "422", content=self._failure)
        error = status_of(self.program, argument(call, None, "error_status_code"), scope)
        if error is not None:
            declared.framework_answers(place, str(error))
        use = self.marshmallow.use(argument(call, 0, "schema"), scope)
        if location in _BODIES:
            kind = argument(call, None, "content_type")
            media_type = _BODIES[location] if kind is None else text_of(self.program, kind, scope)
            required = constant(self.program, argument(call, None, "required"), scope) is not False
            body = body_of(self.marshmallow, use, media_type or "*/*", required, place)
            declared.bodies = joined(declared.bodies, body)
            return
        found = parameters_of(self.marshmallow, use, location, place)
        if found is None:
            declared.complete = False
            return
        declared.parameters += found

    def _response(self, declared: Declared, call: ast.Call, scope: Scope, place: Location) -> None:
        status = status_of(self.program, argument(call, 0, "status_code"), scope)
        if status is None:
            declared.doubts.append((place, "the status of a response is not constant"))
            return
        content = self._content(call, 1, str(status), scope)
        if declared.success is not None and declared.success.status != str(status):
            # The innermost decorator makes the answer; those around it only document.
            outer = declared.success
            declared.responses.append(Response(outer.status, "declared", outer.place, outer.content))
        declared.success = Success(str(status), place, content)

    def _alternative(self, declared: Declared, call: ast.Call, scope: Scope, place: Location) -> None:
        node = argument(call, 0, "status_code")
        status = status_of(self.program, node, scope)
        text = str(status) if status is not None else constant(self.program, node, scope)
        if not isinstance(text, str):
            declared.doubts.append((place, "the status of a response is not constant"))
            return
        by_name = argument(call, 1, "response") is not None
        content = None if by_name else self._content(call, None, text, scope)
        declared.responses.append(Response(text, "declared", place, content))

    def _content(
        self, call: ast.Call, position: int | None, status: str, scope: Scope
    ) -> dict[str, Schema] | None:
        node = argument(call, position, "schema")
        kind = argument(call, None, "content_type")
        media_type = "application/json" if kind is None else text_of(self.program, kind, scope)
        if status in ("204", "304") and node is None:
            return {}
        if node is None or media_type is None:
            return None
        use = self.marshmallow.use(node, scope)
        if use is None or (use.table is not None and kind is not None):
            return {media_type: unknown("the schema of the response is not known")}
        return {media_type: self.marshmallow.schema(use)}

    def _paginate(self, declared: Declared, call: ast.Call, scope: Scope, place: Location) -> None:
        declared.framework_answers(place, "422")
        page: Schema = {"type": "integer", "minimum": 1}
        size: Schema = {"type": "integer", "minimum": 1}
        for name, schema, keyword in (
            ("page", page, "default"),
            ("page_size", size, "default"),
            ("max_page_size", size, "maximum"),
        ):
            node = argument(call, None, name)
            value = _DEFAULTS[name] if node is None else constant(self.program, node, scope)
            if isinstance(value, Missing) or (node is None and self._settings.paginates):
                schema["x-unknown"] = "the limits of pages are configured"
            else:
                schema[keyword] = value
        declared.parameters += [
            Parameter("query", "page", False, normalise(page), place),
            Parameter("query", "page_size", False, normalise(size), place),
        ]

    def _method(self, route: Route, handler: FunctionTarget) -> str:
        """The one method of which a handler answers requests on a route; empty where it is one of several."""
        if isinstance(route.event.function, ClassTarget):
            return handler.node.name.upper() if isinstance(handler.node, Function) else ""
        written = argument(route.event.call, None, "methods")
        methods = constant(self.program, written, route.event.scope) if written is not None else ["GET"]
        return str(methods[0]).upper() if isinstance(methods, list) and len(methods) == 1 else ""

    def _tagging(self, route: Route, decorations: list[Decoration]) -> list[tuple[ast.expr, Scope]]:
        """The decorators, of the handler or of its class, that give its answers an entity tag."""
        own = [(each.node, each.scope) for each in decorations if each.name == "etag"]
        view = route.event.function
        above = view.node.decorator_list if isinstance(view, ClassTarget) else []
        named = [node for node in above if isinstance(node, ast.Attribute) and node.attr == "etag"]
        return own or [(node, view.scope) for node in named if isinstance(view, ClassTarget)]

    def _etag(self, declared: Declared, method: str, place: Location) -> None:
        declared.framework_answers(place, "304", "412", "428")
        name, required = _TAGS.get(method, ("", False))
        if not method or self._settings.mentions("ETAG_DISABLED"):
            declared.taken += ["header.if-match", "header.if-none-match"]
        elif name:
            declared.parameters.append(Parameter("header", name, required, {"type": "string"}, place))

    def _doc(self, declared: Declared, call: ast.Call, scope: Scope) -> None:
        for keyword in call.keywords:
            value = constant(self.program, keyword.value, scope)
            if keyword.arg == "deprecated":
                declared.deprecated = value is True
            elif keyword.arg == "operationId" and isinstance(value, str):
                declared.operation_id = value
            elif keyword.arg == "security" and isinstance(value, list):
                declared.security = [
                    {name: sorted(map(str, scopes)) for name, scopes in requirement.items()}
                    for requirement in value
                    if isinstance(requirement, dict)
                ]
                declared.security_schemes = self._settings.schemes
            elif keyword.arg in ("parameters", "requestBody"):
                declared.complete = False
            elif keyword.arg == "responses" and isinstance(value, dict):
                place = self.program.place(keyword.value, scope)
                declared.responses += [Response(status, "declared", place) for status in value]
