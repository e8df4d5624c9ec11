"""webargs on plain Flask routes: `@use_args(schema, location=…)` and `@use_kwargs(…)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec.structs import replace

from ingest.web.constants.constants import text_of
from ingest.web.flask.declared import Declared, Decoration
from ingest.web.flask.tree import Route
from ingest.web.marshmallow.inputs import body_of, joined, parameters_of
from ingest.web.marshmallow.schemas import Marshmallow
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget
from ingest.web.records.operations import Body
from ingest.web.schemas.named_schemas import NamedSchema
from ingest.web.syntax.scopes import Scope

_NAMES = frozenset({"use_args", "use_kwargs"})
_FORM = "application/x-www-form-urlencoded"
_BODIES: dict[str, tuple[str, ...]] = {
    "json": ("application/json",),
    "form": (_FORM,),
    "files": ("multipart/form-data",),
    "json_or_form": ("application/json", _FORM),
}


class Webargs:
    """Reads the arguments that webargs takes out of requests; what handlers answer is Flask's affair."""

    def __init__(self, program: Program, marshmallow: Marshmallow) -> None:
        self.program = program
        self.marshmallow = marshmallow

    def named(self) -> Iterator[NamedSchema]:
        """See `Extension.named`."""
        return self.marshmallow.named()

    def declared(
        self, route: Route, handler: FunctionTarget, decorations: list[Decoration]
    ) -> Declared | None:
        """See `Extension.declared`."""
        found = [each for each in decorations if each.name in _NAMES and each.call is not None]
        if not found:
            return None
        # Credentials are nothing that webargs knows of.
        declared = Declared("flask", guarded=True, plain=True)
        for decoration in found:
            assert decoration.call is not None, "only calls were taken"
            self._read(declared, decoration.call, decoration.scope)
        return declared

    def _read(self, declared: Declared, call: ast.Call, scope: Scope) -> None:
        place = self.program.place(call, scope)
        declared.framework_answers(place, "400", "415", "422")
        written = argument(call, None, "location")
        location = "json" if written is None else text_of(self.program, written, scope)
        use = None if has_stars(call) else self.marshmallow.use(argument(call, 0, "argmap"), scope)
        if location in _BODIES:
            # A body that is missing is read as one without fields, which only a field that must be there refuses.
            fields = self.marshmallow.fields(use) if use is not None else None
            demanded = any(field.loaded and field.required for field in fields or ())
            for media_type in _BODIES[location]:
                body = _open(body_of(self.marshmallow, use, media_type, demanded or None, place))
                several = location == "json_or_form"
                declared.bodies = [*declared.bodies, body] if several else joined(declared.bodies, body)
            return
        parameters = parameters_of(self.marshmallow, use, location, place)
        if parameters is None:
            declared.complete = False
        else:
            declared.parameters += parameters


def _open(body: Body) -> Body:
    """The body without that other fields are refused, which few contracts by hand care to say."""
    if body.schema.get("additionalProperties") is not False:
        return body
    kept = {k: v for k, v in body.schema.items() if k not in ("additionalProperties", "x-implied")}
    return replace(body, schema={**kept, "x-complete": True})
