"""flask-accepts: the marshmallow schemas by which `accepts` reads requests and `responds` writes answers."""

from __future__ import annotations

import ast

from graph.schema_algebra import Schema, unknown
from ingest.web.constants.constants import constant, status_of
from ingest.web.flask.declared import Declared, Decoration, Success
from ingest.web.flask.tree import Route
from ingest.web.flask.webargs import Webargs
from ingest.web.marshmallow.inputs import body_of, joined, parameters_of
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.targets import FunctionTarget
from ingest.web.syntax.scopes import Scope

_NAMES = frozenset({"accepts", "responds"})
_PARAMETERS = {"query_params_schema": "query", "headers_schema": "headers"}


class FlaskAccepts(Webargs):
    """Reads the two decorators of flask-accepts."""

    def declared(
        self, route: Route, handler: FunctionTarget, decorations: list[Decoration]
    ) -> Declared | None:
        """See `Extension.declared`."""
        return self.told(decorations, bodiless=False)

    def told(self, decorations: list[Decoration], bodiless: bool) -> Declared | None:
        """What the decorators of a handler declare; None where none is flask-accepts's."""
        found = [each for each in decorations if each.name in _NAMES and each.call is not None]
        if not found:
            return None
        declared = Declared("flask", guarded=True, plain=True)
        for each in found:
            assert each.call is not None, "only calls were taken"
            if each.name == "accepts":
                self._accepted(declared, each.call, each.scope)
            else:
                self._answered(declared, each.call, each.scope)
        return declared

    def _accepted(self, declared: Declared, call: ast.Call, scope: Scope) -> None:
        place = self.program.place(call, scope)
        declared.framework_answers(place, "400")
        if has_stars(call) or any(not isinstance(each, ast.Constant) for each in call.args):
            declared.complete = False
        for name, location in _PARAMETERS.items():
            node = argument(call, None, name)
            use = self.marshmallow.use(node, scope)
            found = parameters_of(self.marshmallow, use, location, place) if node is not None else []
            declared.complete = declared.complete and found is not None
            declared.parameters += found or []
        for name, media_type in (
            ("schema", "application/json"),
            ("form_schema", "application/x-www-form-urlencoded"),
        ):
            if (node := argument(call, None, name)) is not None:
                use = self.marshmallow.use(node, scope)
                body = body_of(self.marshmallow, use, media_type, True, place)
                declared.bodies = joined(declared.bodies, body)

    def _answered(self, declared: Declared, call: ast.Call, scope: Scope) -> None:
        place = self.program.place(call, scope)
        written = argument(call, None, "status_code")
        status = 200 if written is None else status_of(self.program, written, scope)
        if status is None or has_stars(call):
            declared.doubts.append((place, "the status of the answer is not constant"))
            return
        # The documentation is made as for `marshal_with`, whose mask nothing reads here.
        declared.taken.append("header.x-fields")
        declared.success = Success(str(status), place, {"application/json": self._written(call, scope)})

    def _written(self, call: ast.Call, scope: Scope) -> Schema:
        """The form of what `responds` writes."""
        node = argument(call, None, "schema")
        use = self.marshmallow.use(node, scope)
        many = argument(call, None, "many")
        told = many is None or constant(self.program, many, scope) is False
        others = ("envelope", "alt_schemas", "skip_none")
        if use is None or not told or any(argument(call, None, each) is not None for each in others):
            return unknown("the schema of the answer is not known")
        return self.marshmallow.schema(use)
