"""APIFlask: what the decorators of its applications and blueprints declare."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cached_property

from graph.facts import Location
from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.constants.constants import constant, entries, status_of, text_of
from ingest.web.flask.apiflask_schemas import SchemaReader
from ingest.web.flask.apiflask_security import auth_of, requirements_of
from ingest.web.flask.declared import Declared, Decoration, Success
from ingest.web.flask.failures import APIFLASK, failures
from ingest.web.flask.settings import Settings
from ingest.web.flask.tree import Route
from ingest.web.marshmallow.inputs import joined
from ingest.web.marshmallow.schemas import Marshmallow
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget
from ingest.web.records.operations import Response
from ingest.web.routing.sites import Site
from ingest.web.schemas.models import Models
from ingest.web.schemas.named_schemas import NamedSchema
from ingest.web.syntax.scopes import Scope

_FORM = "application/x-www-form-urlencoded"
_BODIES = {
    "json": ("application/json",),
    "form": (_FORM,),
    "files": ("multipart/form-data",),
    "form_and_files": ("multipart/form-data",),
    "json_or_form": (_FORM, "application/json"),
}
Before = Callable[[Site], list["FunctionTarget | None"]]


class ApiFlask:
    """Reads the declarations of APIFlask; `before` gives the functions that run before a site's requests."""

    def __init__(
        self,
        program: Program,
        marshmallow: Marshmallow,
        models: Models,
        settings: Settings,
        before: Before,
    ) -> None:
        self.program = program
        self.marshmallow = marshmallow
        self.schemas = SchemaReader(program, marshmallow, models)
        self._settings = settings
        self._before = before

    @cached_property
    def _failure(self) -> dict[str, Schema] | None:
        return failures(self._settings, APIFLASK)

    def named(self) -> Iterator[NamedSchema]:
        """See `Extension.named`."""
        return self.marshmallow.named()

    def declared(
        self, route: Route, handler: FunctionTarget, decorations: list[Decoration]
    ) -> Declared | None:
        """See `Extension.declared`."""
        site = route.event.site
        if not self._owns(site):
            return None
        declared = Declared("apiflask", formless=frozenset({"text/html"}))
        place = self.program.place(route.event.call, route.event.scope)
        for decoration in decorations:
            if decoration.call is not None:
                self._read(declared, decoration.name, decoration.call, decoration.scope)
        for function in self._before(site):
            self._guard(declared, function)
        if declared.parameters or declared.bodies or not declared.complete:
            configured = self._settings.status("VALIDATION_ERROR_STATUS_CODE") or 422
            declared.framework_answers(place, "400", "415", "422")
            declared.framework_answers(place, str(configured), content=self._failure)
        if declared.security:
            configured = self._settings.status("AUTH_ERROR_STATUS_CODE") or 401
            declared.framework_answers(place, "401", "403", str(configured))
        if any("<" in text for text in self._rules(route)):
            declared.framework_answers(place, "404", content=self._failure)
        if declared.success is None and declared.responses_given:
            declared.silent = True
        if declared.success is None:
            # A view without a declared output is documented as one that answers 200 in any form.
            declared.framework_answers(place, "200")
        return declared

    def _owns(self, site: Site) -> bool:
        if site.call is None:
            return False
        made = self.program.resolve(site.call.func, site.scope)
        return self.program.is_a(made, {"apiflask"}, {"APIFlask", "APIBlueprint"})

    def _rules(self, route: Route) -> Iterator[str]:
        yield route.around.prefix
        rule = text_of(self.program, argument(route.event.call, 0, "rule"), route.event.scope)
        yield rule or ""

    def _read(self, declared: Declared, name: str, call: ast.Call, scope: Scope) -> None:
        place = self.program.place(call, scope)
        if name not in ("input", "output", "doc", "auth_required"):
            return
        if has_stars(call):
            declared.complete = False
            declared.doubts.append((place, "the arguments of a decorator are computed"))
        elif name == "input":
            self._input(declared, call, scope, place)
        elif name == "output":
            self._output(declared, call, scope, place)
        elif name == "doc":
            self._doc(declared, call, scope)
        else:
            self._authenticated(declared, call, scope)

    def _input(self, declared: Declared, call: ast.Call, scope: Scope, place: Location) -> None:
        written = argument(call, 1, "location")
        location = "json" if written is None else text_of(self.program, written, scope)
        node = argument(call, 0, "schema")
        if location in _BODIES:
            for media_type in _BODIES[location]:
                body = self.schemas.body(node, scope, media_type, place)
                declared.bodies = (
                    [*declared.bodies, body] if location == "json_or_form" else joined(declared.bodies, body)
                )
            return
        found = self.schemas.parameters(node, scope, location, place)
        if found is None:
            declared.complete = False
        else:
            declared.parameters += found

    def _output(self, declared: Declared, call: ast.Call, scope: Scope, place: Location) -> None:
        written = argument(call, 1, "status_code")
        status = 200 if written is None else status_of(self.program, written, scope)
        if status is None:
            declared.doubts.append((place, "the status of a response is not constant"))
            return
        kind = argument(call, 7, "content_type")
        media_type = "application/json" if kind is None else text_of(self.program, kind, scope)
        content: dict[str, Schema] | None = None
        if status == 204:
            content = {}
        elif media_type is not None:
            content = {media_type: self._wrapped(self.schemas.schema(argument(call, 0, "schema"), scope))}
        declared.success = Success(str(status), place, content)

    def _wrapped(self, schema: Schema) -> Schema:
        """The schema within the one that the application's configuration puts around every answer."""
        if not self._settings.mentions("BASE_RESPONSE_SCHEMA"):
            return schema
        around = self._settings.given("BASE_RESPONSE_SCHEMA")
        if around is not None and is_none(around[0]):
            return schema
        key = self._settings.given("BASE_RESPONSE_DATA_KEY")
        name = "data" if key is None else text_of(self.program, *key)
        whole = self.schemas.whole(*around) if around is not None else None
        if (
            whole is None
            or name is None
            or (key is None and self._settings.mentions("BASE_RESPONSE_DATA_KEY"))
        ):
            return unknown("a schema of the application lies around every answer")
        properties = {**whole.get("properties", {}), name: {**schema, "x-always": True}}
        return normalise({**whole, "properties": properties})

    def _doc(self, declared: Declared, call: ast.Call, scope: Scope) -> None:
        declared.hidden = declared.hidden or self._flag(call, 5, "hide", scope)
        declared.deprecated = declared.deprecated or self._flag(call, 4, "deprecated", scope)
        name = text_of(self.program, argument(call, 6, "operation_id"), scope)
        declared.operation_id = name or declared.operation_id
        security = argument(call, 7, "security")
        if security is not None:
            declared.security = requirements_of(constant(self.program, security, scope))
            declared.security_schemes = self._settings.schemes
            declared.guarded = True
        self._responses(declared, argument(call, 3, "responses"), scope)

    def _responses(self, declared: Declared, node: ast.expr | None, scope: Scope) -> None:
        if node is None:
            return
        declared.responses_given = True
        place = self.program.place(node, scope)
        listed = constant(self.program, node, scope)
        if isinstance(listed, list):
            declared.responses += [Response(str(status), "declared", place) for status in listed]
            return
        table = entries(self.program, node, scope)
        if table is None:
            declared.doubts.append((place, "the declared responses are computed"))
            return
        for key, _, inner in table:
            status = constant(self.program, key, inner)
            if isinstance(status, int | str):
                declared.responses.append(Response(str(status), "declared", self.program.place(key, inner)))

    def _authenticated(self, declared: Declared, call: ast.Call, scope: Scope) -> None:
        found = auth_of(self.program, argument(call, 0, "auth"), scope)
        optional = argument(call, 2, "optional")
        if found is None or (optional is not None and not _is_false(optional)):
            declared.guarded = True
            declared.security = None
            return
        declared.security = [{name: []} for name in found]
        declared.security_schemes = dict(found)

    def _guard(self, declared: Declared, function: FunctionTarget | None) -> None:
        """Notes the authentication that a function demands before each request."""
        if function is None or isinstance(function.node, ast.Lambda):
            return
        for node in function.node.decorator_list:
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            if name == "auth_required" and declared.security is None:
                self._authenticated(declared, node, function.scope)
            elif name == "login_required":
                declared.guarded = True

    def _flag(self, call: ast.Call, position: int, name: str, scope: Scope) -> bool:
        return constant(self.program, argument(call, position, name), scope) is True


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and not node.value
