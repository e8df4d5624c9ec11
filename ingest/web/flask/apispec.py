"""flask-apispec: what `use_kwargs` takes, and the schema with which `marshal_with` writes what a handler gives."""

from __future__ import annotations

import ast

from graph.schema_algebra import Schema, unknown
from ingest.web.constants.constants import constant, elements, text_of
from ingest.web.flask.declared import Declared, Decoration, Success
from ingest.web.flask.tree import Route
from ingest.web.flask.webargs import Webargs
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.targets import FunctionTarget
from ingest.web.records.operations import Response
from ingest.web.syntax.scopes import Scope

_READ = frozenset({"use_kwargs", "marshal_with", "doc"})


class FlaskApispec(Webargs):
    """Reads the decorators of flask-apispec; those of webargs are read too."""

    def declared(
        self, route: Route, handler: FunctionTarget, decorations: list[Decoration]
    ) -> Declared | None:
        """See `Extension.declared`."""
        bodiless = route.event.method in ("get", "delete") or _names_bodiless(route)
        return self.told(decorations, bodiless) or super().declared(route, handler, decorations)

    def told(self, decorations: list[Decoration], bodiless: bool) -> Declared | None:
        """What the decorators of a handler declare; None where none is flask-apispec's."""
        found = [each for each in decorations if each.name in _READ and each.call is not None]
        if not any(each.name in ("use_kwargs", "marshal_with") for each in found):
            return None
        declared = Declared("flask", guarded=True, plain=True)
        for each in found:
            assert each.call is not None, "only calls were taken"
            if each.name == "use_kwargs":
                self._taken(declared, each.call, each.scope, bodiless)
            elif each.name == "marshal_with":
                self._written(declared, each.call, each.scope)
        return declared

    def _taken(self, declared: Declared, call: ast.Call, scope: Scope, bodiless: bool) -> None:
        """What `use_kwargs` takes. Without a place, older versions look in the query too, which GET and DELETE mean."""
        listed = argument(call, None, "locations")
        places = elements(self.program, listed, scope) if listed is not None else None
        if listed is not None:
            names = [text_of(self.program, node, inner) for node, inner in places or []]
            if len(names) != 1 or names[0] is None:
                declared.complete = False
                return
            call = ast.copy_location(
                ast.Call(call.func, call.args[:1], [ast.keyword("location", ast.Constant(names[0]))]), call
            )
        elif bodiless and argument(call, 1, "location") is None:
            declared.complete = False
            return
        self._read(declared, call, scope)

    def _written(self, declared: Declared, call: ast.Call, scope: Scope) -> None:
        """The answer that `marshal_with(schema, code=201)` writes; without a code it is whatever is answered."""
        place = self.program.place(call, scope)
        node, written = argument(call, 0, "schema"), argument(call, 1, "code")
        status = "200" if written is None else constant(self.program, written, scope)
        if has_stars(call) or isinstance(status, bool) or not isinstance(status, int | str):
            declared.doubts.append((place, "the status of the answer is not constant"))
            return
        use = self.marshmallow.use(node, scope) if node is not None else None
        schema: Schema = (
            self.marshmallow.schema(use) if use is not None else unknown("the schema is not known")
        )
        content = {"application/json": schema}
        status = "200" if status == "default" else str(status)
        if status < "400" and declared.success is None:
            declared.success = Success(status, place, content)
        else:
            declared.responses.append(Response(status, "declared", place, content))


def _names_bodiless(route: Route) -> bool:
    """Whether a route names only methods without a body: `methods=("GET",)`, or none."""
    if route.event.method != "route":
        return False
    written = argument(route.event.call, None, "methods")
    if written is None:
        return True
    names = [each.value for each in ast.walk(written) if isinstance(each, ast.Constant)]
    return bool(names) and all(str(name).upper() in ("GET", "DELETE", "HEAD") for name in names)
