"""flask-rebar: what `registry.handles(…)` and `registry.add_handler(…)` declare of one operation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from graph.facts import Json, Location
from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.constants.constants import elements, entries, status_of, text_of
from ingest.web.flask.declared import Declared, Decoration, Success
from ingest.web.flask.settings import Settings
from ingest.web.flask.tree import HANDLING, Route
from ingest.web.marshmallow.inputs import body_of, parameters_of
from ingest.web.marshmallow.schemas import Marshmallow
from ingest.web.program.calls import argument
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ValueTarget
from ingest.web.records.operations import Response
from ingest.web.routing.sites import Site
from ingest.web.schemas.named_schemas import NamedSchema
from ingest.web.syntax.scopes import Scope

_DEFAULT: Final = External("flask_rebar.rebar.USE_DEFAULT")
_TAKEN: Final = (
    ("query", "query_string_schema", "default_query_schema"),
    ("header", "headers_schema", "default_headers_schema"),
)
_FAILURE: Final[Schema] = {
    "type": "object",
    "properties": {"message": {"type": "string"}, "errors": {"type": "object"}},
    "required": ["message"],
}
"""What its errors answer."""
_OTHER_FAILURE: Final = re.compile(r"\bdefault_response_schema\b")
_SHARED: Final = "sharedSecret"
"""What an authenticator is called that is given no name."""


class Rebar:
    """Reads the routes of flask-rebar's registries, whose schemas are marshmallow's."""

    def __init__(self, program: Program, marshmallow: Marshmallow, settings: Settings) -> None:
        self.program = program
        self.marshmallow = marshmallow
        own = settings.says(_OTHER_FAILURE)
        self._failure = None if own else {"application/json": normalise(_FAILURE)}

    def named(self) -> Iterator[NamedSchema]:
        """See `Extension.named`."""
        return self.marshmallow.named()

    def declared(
        self, route: Route, handler: FunctionTarget, decorations: list[Decoration]
    ) -> Declared | None:
        """See `Extension.declared`."""
        event = route.event
        if event.method not in HANDLING:
            return None
        call, scope, site = event.call, event.scope, event.site
        place = self.program.place(call, scope)
        # A handler that names no schema answers as any of Flask's.
        declared = Declared("flask-rebar", plain=argument(call, None, "response_body_schema") is None)
        self._answers(declared, argument(call, None, "response_body_schema"), scope)
        for where, name, default in _TAKEN:
            self._parameters(declared, where, self._chosen(site, call, scope, name, default), place)
        body = argument(call, None, "request_body_schema")
        if body is not None and not is_none(body):
            use = self.marshmallow.use(body, scope)
            declared.bodies = [body_of(self.marshmallow, use, "application/json", True, place)]
        if declared.bodies or declared.parameters or not declared.complete:
            declared.framework_answers(place, "400")
        self._credentials(declared, site, call, scope, place)
        # Every operation is documented with one answer for all errors.
        declared.framework_answers(place, "default", content=self._failure)
        return declared

    def _chosen(
        self, site: Site, call: ast.Call, scope: Scope, name: str, default: str
    ) -> tuple[ast.expr, Scope] | None:
        """What a route says, or else what its registry says for all of its routes; None where neither does."""
        written = argument(call, None, name)
        if written is None or self.program.resolve(written, scope) == _DEFAULT:
            written = argument(site.call, None, default) if site.call is not None else None
            scope = site.scope
        return None if written is None or is_none(written) else (written, scope)

    def _parameters(
        self, declared: Declared, where: str, given: tuple[ast.expr, Scope] | None, place: Location
    ) -> None:
        if given is None:
            return
        found = parameters_of(self.marshmallow, self.marshmallow.use(*given), where, place)
        if found is None:
            declared.complete = False
        else:
            declared.parameters += found

    def _answers(self, declared: Declared, node: ast.expr | None, scope: Scope) -> None:
        """The schemas of the answers by status; one alone is for a plain success."""
        if node is None or is_none(node):
            return
        place = self.program.place(node, scope)
        listed = entries(self.program, node, scope)
        if listed is None:
            declared.success = Success("200", place, self._content(node, scope))
            return
        for key, value, inner in listed:
            status = status_of(self.program, key, inner)
            if status is None:
                declared.doubts.append((place, "the status of a response is not constant"))
                continue
            content = {} if is_none(value) else self._content(value, inner)
            where = self.program.place(value, inner)
            if status < 300 and declared.success is None:
                declared.success = Success(str(status), where, content)
            else:
                declared.responses.append(Response(str(status), "declared", where, content))

    def _content(self, node: ast.expr, scope: Scope) -> dict[str, Schema]:
        use = self.marshmallow.use(node, scope)
        if use is None:
            return {"application/json": unknown("the schema of the response is not known")}
        return {"application/json": self.marshmallow.schema(use)}

    def _credentials(
        self, declared: Declared, site: Site, call: ast.Call, scope: Scope, place: Location
    ) -> None:
        """The keys that a route asks for, or its registry for all; other authenticators cannot be known."""
        given = self._chosen(site, call, scope, "authenticators", "default_authenticators")
        if given is None:
            declared.security = []
            return
        declared.framework_answers(place, "401", "403")
        schemes: dict[str, Json] = {}
        for node, inner in elements(self.program, *given) or [given]:
            if self.program.resolve(node, inner) == _DEFAULT:
                declared.guarded = True
                return
            scheme = self._scheme(node, inner)
            if scheme is None:
                declared.guarded = True
                return
            schemes.update([scheme])
        declared.security = [{name: []} for name in schemes]
        declared.security_schemes = schemes

    def _scheme(self, node: ast.expr, scope: Scope) -> tuple[str, Json] | None:
        """The scheme of `HeaderApiKeyAuthenticator(header=…, name=…)` under its name."""
        target = self.program.resolve(node, scope)
        if not (isinstance(target, ValueTarget) and isinstance(target.node, ast.Call)):
            return None
        call, scope = target.node, target.scope
        made = self.program.resolve(call.func, scope)
        if isinstance(made, ClassTarget) or not self.program.is_a(
            made, {"flask_rebar"}, {"HeaderApiKeyAuthenticator"}
        ):
            return None
        header = text_of(self.program, argument(call, 0, "header"), scope)
        named = argument(call, 1, "name")
        name = _SHARED if named is None else text_of(self.program, named, scope)
        return (
            None
            if header is None or name is None
            else (name, {"type": "apiKey", "in": "header", "name": header})
        )
