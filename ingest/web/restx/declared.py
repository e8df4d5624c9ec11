"""What the decorators of Flask-RESTX declare: `expect`, `marshal_with`, `response`, `doc`, `param` and their like."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from msgspec.structs import replace

from graph.facts import Json, Location
from graph.schema_algebra import Schema, unknown
from graph.schemas import is_unknown, normalise
from ingest.web.constants.constants import Missing, constant, entries, status_of, text_of
from ingest.web.flask.declared import Declared, Decoration, Success
from ingest.web.flask.settings import Settings
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.program import Program
from ingest.web.records.operations import Body, Parameter, Response
from ingest.web.restx.arguments import bodies_of, cookies_of, parameters_of
from ingest.web.restx.marshalled import marshalled
from ingest.web.restx.models import Models
from ingest.web.restx.parsers import Parsers
from ingest.web.restx.security import requirements_of
from ingest.web.restx.tree import Resource
from ingest.web.routing.sites import Site
from ingest.web.syntax.scopes import Scope

_JSON = "application/json"
_VERBS = frozenset({"get", "post", "put", "patch", "delete", "head", "options"})
_PLACES = {"query": "query", "header": "header", "cookie": "cookie", "path": "path"}
_TYPES = {"int": "integer", "str": "string", "bool": "boolean", "float": "number"}
_PLAIN = frozenset({"integer", "string", "boolean", "number"})


class DeclarationReader:
    """Reads the declarations of one program."""

    def __init__(self, program: Program, models: Models, parsers: Parsers, settings: Settings) -> None:
        self.program = program
        self.models = models
        self.parsers = parsers
        self._settings = settings

    def read(
        self,
        resource: Resource,
        method: str,
        of_class: Iterable[Decoration],
        of_method: list[Decoration],
        place: Location,
    ) -> Declared:
        """What is declared for one method of a resource; decorators of the class come innermost first."""
        unnamed = Success("200", place, {_JSON: unknown("no model is named")}, unnamed=True)
        # Flask-RESTful documents nothing: who may call is what plain Flask lets in.
        restful = self.program.is_a(resource.target, {"flask_restful"}, {"Resource"})
        declared = Declared("flask-restx", success=unnamed, plain=restful)
        declared.framework_answers(place, "406")
        written = argument(resource.api.call, None, "security")
        if written is not None:
            self._secured(declared, written, resource.api.scope)
        for site in {resource.api, resource.namespace}:
            self._authorized(declared, site)
        for decoration in of_class:
            self._decoration(declared, decoration, method, of_class=True)
            if decoration.name in ("route", "add_resource") and decoration.call is not None:
                doc = argument(decoration.call, None, "doc")
                if decoration.call is resource.event.call and doc is not None:
                    self._documented(declared, doc, decoration.scope, method)
        for decoration in reversed(of_method):
            self._decoration(declared, decoration, method)
        if declared.success is unnamed and any(each.content for each in declared.responses):
            # What is said of any answer is more than what the method returns.
            declared.success = replace(unnamed, unnamed=False)
        return declared

    def left_open(self, declared: Declared, place: Location) -> None:
        """Notes that a decorator which the project wrote itself declares what is not read here."""
        declared.complete = False
        known = (declared.success.content or {}).values() if declared.success is not None else ()
        if not known or any(is_unknown(schema) for schema in known):
            declared.success = Success("200", place, None)
        declared.doubts.append((place, "a decorator of the project's own class declares it"))

    def _authorized(self, declared: Declared, site: Site) -> None:
        value = constant(self.program, argument(site.call, None, "authorizations"), site.scope)
        if isinstance(value, dict):
            declared.security_schemes |= {k: v for k, v in value.items() if isinstance(v, dict)}
        else:
            declared.security_schemes = {**self._settings.schemes, **declared.security_schemes}

    def _decoration(
        self, declared: Declared, decoration: Decoration, method: str, of_class: bool = False
    ) -> None:
        name, call, scope = decoration.name, decoration.call, decoration.scope
        if call is None:
            declared.hidden = declared.hidden or name == "hide"
            declared.deprecated = declared.deprecated or name == "deprecated"
            return
        place = self.program.place(call, scope)
        if has_stars(call) and name in ("expect", "doc", "response", "param", "marshal_with"):
            declared.complete = False
            declared.doubts.append((place, "the arguments of a decorator are computed"))
            return
        match name:
            case "expect":
                for node in call.args:
                    self._expected(declared, node, scope)
            case "marshal_with" | "marshal_list_with":
                self._marshalled(declared, call, scope, listed=name == "marshal_list_with")
            case "response":
                self._response(declared, call, scope)
            case "param":
                self._param(declared, call, scope)
            case "produces":
                self._produced(declared)
            case "doc":
                self._doc(declared, call, scope, method, of_class)

    def _expected(self, declared: Declared, node: ast.expr, scope: Scope) -> None:
        place = self.program.place(node, scope)
        declared.framework_answers(place, "400", "415")
        arguments = self.parsers.arguments(node, scope)
        if arguments is not None:
            declared.parameters += parameters_of(arguments)
            declared.taken += cookies_of(arguments)
            declared.bodies += bodies_of(arguments)
            return
        if isinstance(node, ast.Tuple) and len(node.elts) == 2:
            node = node.elts[0]
        schema = self.models.schema(node, scope)
        if is_unknown(schema):
            # What is expected may as well be a parser, of parameters.
            declared.complete = False
            return
        kept = [body for body in declared.bodies if body.media_type != _JSON]
        declared.bodies = [*kept, Body(_JSON, True, schema, place)]

    def _marshalled(self, declared: Declared, call: ast.Call, scope: Scope, listed: bool) -> None:
        place = self.program.place(call, scope)
        schema, listing = marshalled(self.program, self.models, call, scope, listed)
        listings = {_JSON: listing} if listing is not None else None
        declared.success = Success("200", place, {_JSON: schema}, listings)
        # What decorates last is what is documented.
        declared.responses = [each for each in declared.responses if each.status != "200"]
        if not declared.plain:
            self._masked(declared, call, scope)
        written = argument(call, 2, "code")
        status = 200 if written is None else status_of(self.program, written, scope)
        if status is None:
            declared.doubts.append((place, "the status of a response is not constant"))
        elif status != 200:
            declared.responses.append(Response(str(status), "declared", place, {_JSON: schema}))

    def _masked(self, declared: Declared, call: ast.Call, scope: Scope) -> None:
        """The header in which a caller may name the fields that it wants; `mask` are those it gets otherwise."""
        place = self.program.place(call, scope)
        named = self._settings.given("RESTX_MASK_HEADER")
        name = "X-Fields" if named is None else text_of(self.program, *named)
        if name is None:
            declared.complete = False
            return
        schema: Schema = {"type": "string", "format": "mask"}
        mask = argument(call, None, "mask")
        default = text_of(self.program, mask, scope) if mask is not None else None
        schema = schema if default is None else {**schema, "default": default}
        parameter = Parameter("header", name, False, schema, place, anyway=True)
        declared.taken.append(parameter.key)
        kept = [each for each in declared.parameters if each.key != parameter.key]
        declared.parameters = kept if mask is not None and default is None else [*kept, parameter]

    def _response(self, declared: Declared, call: ast.Call, scope: Scope) -> None:
        place = self.program.place(call, scope)
        node = argument(call, 0, "code")
        status = status_of(self.program, node, scope)
        text = str(status) if status is not None else text_of(self.program, node, scope)
        if text is None:
            declared.doubts.append((place, "the status of a response is not constant"))
            return
        model = argument(call, 2, "model")
        content = self._content(model, scope)
        declared.responses.append(Response(text, "declared", place, content))

    def _content(self, model: ast.expr | None, scope: Scope) -> dict[str, Schema] | None:
        """What is answered with a model; None where none is named."""
        nothing = model is None or constant(self.program, model, scope) is None
        return None if nothing else {_JSON: self.models.schema(model, scope)}

    def _param(self, declared: Declared, call: ast.Call, scope: Scope) -> None:
        name = text_of(self.program, argument(call, 0, "name"), scope)
        written = argument(call, 2, "_in")
        where = "query" if written is None else text_of(self.program, written, scope)
        given = {k.arg: (k.value, scope) for k in call.keywords if k.arg}
        self._parameter(declared, name, where, given, self.program.place(call, scope))

    def _parameter(
        self,
        declared: Declared,
        name: str | None,
        where: str | None,
        given: dict[str, tuple[ast.expr, Scope]],
        place: Location,
    ) -> None:
        if name is None or where not in _PLACES:
            declared.complete = False
            return
        said: dict[str, Json] = {}
        for key in ("enum", "default", "format", "minimum", "maximum", "minLength", "maxLength", "pattern"):
            if key in given:
                value = constant(self.program, *given[key])
                said |= {} if isinstance(value, Missing) else {key: value}
        required = "required" in given and constant(self.program, *given["required"]) is True
        schema = self._typed(given.get("type"), said)
        declared.parameters = [p for p in declared.parameters if (p.place, p.name) != (where, name)] + [
            Parameter(_PLACES[where], name, required, schema, place)
        ]

    def _typed(self, given: tuple[ast.expr, Scope] | None, said: dict[str, Json]) -> Schema:
        kind = "string"
        if given is not None:
            node, scope = given
            value = constant(self.program, node, scope)
            kind = value if isinstance(value, str) else _TYPES.get(getattr(node, "id", ""), "")
        if kind not in _PLAIN:
            return unknown("the type of the parameter is not known")
        return normalise({"type": kind, **said})

    def _produced(self, declared: Declared) -> None:
        if declared.success is not None:
            declared.success = Success(declared.success.status, declared.success.place, None)

    def _doc(self, declared: Declared, call: ast.Call, scope: Scope, method: str, of_class: bool) -> None:
        shortcut = argument(call, 0, "shortcut")
        if shortcut is not None:
            value = constant(self.program, shortcut, scope)
            declared.hidden = declared.hidden or value is False
            if isinstance(value, str) and not of_class:
                declared.operation_id = value
        for keyword in call.keywords:
            # A class has no name for its operations.
            if keyword.arg is not None and not (of_class and keyword.arg == "id"):
                self._said(declared, keyword.arg, keyword.value, scope, method)

    def _documented(self, declared: Declared, node: ast.expr, scope: Scope, method: str) -> None:
        """What a dictionary says that documents a route or one of its methods."""
        if isinstance(node, ast.Constant) and node.value is False:
            declared.hidden = True
            return
        table = entries(self.program, node, scope)
        if table is None:
            declared.complete = False
            return
        for key, value, inner in table:
            name = text_of(self.program, key, inner)
            if name is not None and not (method and name == "id"):
                self._said(declared, name, value, inner, method)

    def _said(self, declared: Declared, name: str, node: ast.expr, scope: Scope, method: str) -> None:
        match name:
            case "id":
                declared.operation_id = text_of(self.program, node, scope) or declared.operation_id
            case "deprecated":
                declared.deprecated = constant(self.program, node, scope) is True
            case "security":
                self._secured(declared, node, scope)
            case "parser" | "body":
                self._expected(declared, node, scope)
            case "expect":
                listed = node.elts if isinstance(node, ast.List | ast.Tuple) else [node]
                for part in listed:
                    self._expected(declared, part, scope)
            case "model":
                place = self.program.place(node, scope)
                declared.success = Success("200", place, {_JSON: self.models.schema(node, scope)})
            case "params":
                self._params(declared, node, scope)
            case "responses":
                self._responses(declared, node, scope)
            case _ if name == method:
                self._documented(declared, node, scope, "")
            case _ if name in _VERBS:
                return

    def _params(self, declared: Declared, node: ast.expr, scope: Scope) -> None:
        table = entries(self.program, node, scope)
        if table is None:
            declared.complete = False
            return
        for key, value, inner in table:
            name = text_of(self.program, key, inner)
            given: dict[str, tuple[ast.expr, Scope]] = {}
            for option, written, place in entries(self.program, value, inner) or []:
                text = text_of(self.program, option, place)
                if text is not None:
                    given[text] = (written, place)
            where = text_of(self.program, *given["in"]) if "in" in given else "query"
            self._parameter(declared, name, where, given, self.program.place(key, inner))

    def _responses(self, declared: Declared, node: ast.expr, scope: Scope) -> None:
        table = entries(self.program, node, scope)
        if table is None:
            declared.doubts.append((self.program.place(node, scope), "the declared responses are computed"))
            return
        for key, value, inner in table:
            status = constant(self.program, key, inner)
            if isinstance(status, Missing) or not isinstance(status, int | str):
                continue
            model = value.elts[1] if isinstance(value, ast.Tuple) and len(value.elts) > 1 else None
            content = self._content(model, inner)
            place = self.program.place(key, inner)
            declared.responses.append(Response(str(status), "declared", place, content))

    def _secured(self, declared: Declared, node: ast.expr, scope: Scope) -> None:
        value = constant(self.program, node, scope)
        if isinstance(value, Missing):
            declared.guarded = True
            declared.security = None
        else:
            declared.security = requirements_of(value)
