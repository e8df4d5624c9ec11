"""flask-openapi3: models that annotations name, answers and credentials that routes and what is around them declare."""

from __future__ import annotations

import ast

from graph.facts import Location
from graph.schema_algebra import Schema
from graph.schemas import normalise
from ingest.web.constants.constants import constant, entries
from ingest.web.flask.annotated import FlaskAnnotated, annotated
from ingest.web.flask.declared import Declared, Decoration, Success
from ingest.web.flask.settings import Settings
from ingest.web.flask.tree import METHODS, Route
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget
from ingest.web.records.operations import Response
from ingest.web.routing.site_records import Site
from ingest.web.schemas.models import Models
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope

_MADE = {"OpenAPI", "APIBlueprint", "APIView"}
_ANSWERS = ("responses", "abp_responses", "view_responses")
_CREDENTIALS = ("abp_security", "view_security")
_UNREAD = frozenset({"raw"})


class FlaskOpenapi3(FlaskAnnotated):
    """Reads handlers of flask-openapi3's applications, blueprints and views."""

    def __init__(self, program: Program, models: Models, settings: Settings) -> None:
        super().__init__(program, models)
        self._settings = settings

    def declared(
        self, route: Route, handler: FunctionTarget, decorations: list[Decoration]
    ) -> Declared | None:
        """See `Extension.declared`."""
        site = route.event.site
        if not isinstance(handler.node, Function) or self._kind(site) is None:
            return None
        declared = Declared("flask-openapi3", guarded=True, plain=True)
        call, scope = route.event.call, route.event.scope
        if self._kind(site) == "APIView":
            told = next((each for each in decorations if each.name == "doc" and each.call is not None), None)
            declared.hidden = told is None
            if told is not None and told.call is not None:
                call, scope = told.call, told.scope
        elif route.event.method not in METHODS:
            declared.complete = False
            return declared
        if has_stars(call):
            declared.complete = False
            return declared
        self.take(declared, annotated(handler), handler, _UNREAD)
        declared.deprecated = constant(self.program, argument(call, None, "deprecated"), scope) is True
        around = [each for each in (site, route.around.application) if each.call is not None]
        shown = [(call, scope), *((each.call, each.scope) for each in around if each.call is not None)]
        declared.hidden = declared.hidden or any(
            constant(self.program, argument(each, None, "doc_ui"), inner) is False for each, inner in shown
        )
        # What the application declares for all is for routes of its own: those of blueprints and views do without.
        self._responses(declared, call, scope, [site])
        self._credentials(declared, call, scope, around)
        return declared

    def _kind(self, site: Site) -> str | None:
        made = self.program.resolve(site.call.func, site.scope) if site.call is not None else None
        return next((n for n in sorted(_MADE) if self.program.is_a(made, {"flask_openapi3"}, {n})), None)

    def _responses(self, declared: Declared, call: ast.Call, scope: Scope, around: list[Site]) -> None:
        """The answers that the operation declares, and those that what is around it declares for all."""
        found: dict[str, tuple[Location, dict[str, Schema] | None]] = {}
        calls = [(call, scope), *((each.call, each.scope) for each in around if each.call is not None)]
        for each, inner in reversed(calls):
            for name in _ANSWERS:
                for key, value, where in entries(self.program, argument(each, None, name), inner) or []:
                    status = str(constant(self.program, key, where))
                    found[status] = (self.program.place(key, where), self._content(value, where))
        for status, (place, content) in sorted(found.items()):
            if status.isdigit() and status[0] == "2" and declared.success is None:
                declared.success = Success(status, place, content)
            else:
                declared.responses.append(Response(status, "declared", place, content))
        # What is listed by hand leaves the success out more often than not.
        declared.silent = declared.success is None

    def _content(self, node: ast.expr, scope: Scope) -> dict[str, Schema] | None:
        """What an answer holds: nothing, JSON of a model, or what an OpenAPI object says."""
        if is_none(node):
            return {}
        said = constant(self.program, node, scope)
        if not isinstance(said, dict):
            return self.content(node, scope)
        listed = said.get("content")
        if not isinstance(listed, dict) or not all(isinstance(each, dict) for each in listed.values()):
            return None
        return {media_type: normalise(each.get("schema") or {}) for media_type, each in listed.items()}

    def _credentials(self, declared: Declared, call: ast.Call, scope: Scope, around: list[Site]) -> None:
        """The credentials that the operation names, or else, together with it, its blueprint or view."""
        written = [(argument(call, None, "security"), scope)]
        for site in around:
            if site.call is not None:
                written += [(argument(site.call, None, name), site.scope) for name in _CREDENTIALS]
        given = [(node, inner) for node, inner in written if node is not None and not is_none(node)]
        if not given:
            return
        found: list[dict[str, list[str]]] = []
        for node, inner in given:
            listed = constant(self.program, node, inner)
            if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
                return
            found += [{str(name): sorted(map(str, s or ())) for name, s in each.items()} for each in listed]
        declared.security = found
        declared.security_schemes = self._settings.schemes
