"""What FastAPI takes from one request, and how the parts of a body are joined."""

from __future__ import annotations

import msgspec

from graph.facts import Json, Location
from graph.schema_algebra import Schema
from graph.schemas import normalise
from ingest.web.program.shapes import Shape, ShapeKind
from ingest.web.program.targets import FunctionTarget
from ingest.web.records.operations import Body, Parameter
from ingest.web.schemas.facets import Facets

_PASSWORD_FORM: dict[str, tuple[Schema, bool]] = {
    "grant_type": ({"type": ["null", "string"], "pattern": "^password$", "x-by-framework": True}, False),
    "username": ({"type": "string"}, True),
    "password": ({"type": "string", "format": "password"}, True),
    "scope": ({"type": "string", "default": ""}, False),
    "client_id": ({"type": ["null", "string"]}, False),
    "client_secret": ({"type": ["null", "string"], "format": "password"}, False),
}


class Part(msgspec.Struct, frozen=True):
    """One parameter that comes from the body: a model or value, or a form field or file.

    `spread` is the schema of a model whose fields are fields of the form, None where the part is one field itself;
    `absent` is what a form fits that has none of these fields, where the model may be left out. It is `renamed` where
    FastAPI writes the model's fields into the form by the names that it takes, instead of naming the model.
    """

    name: str
    kind: str
    shape: Shape
    facets: Facets
    schema: Schema
    place: Location
    spread: Schema | None = None
    absent: Schema | None = None
    renamed: bool = False

    @property
    def identity(self) -> tuple[str, str]:
        """What two parts have in common that are one and the same, asked for twice."""
        return self.name, "" if self.spread is None else repr(self.spread)

    @property
    def is_optional(self) -> bool:
        """Whether this is a form model that may be left out with all of its fields."""
        return self.absent is not None and self.facets.optional

    @property
    def stated(self) -> Schema:
        """How the schema of a form states a model in it."""
        return self.spread if self.renamed and self.spread is not None else self.schema

    @property
    def conditions(self) -> list[Schema]:
        """What a form has to fit for the sake of a model that may be left out, or null, beside the model itself."""
        if self.absent is None:
            return []
        return [{"anyOf": [self.absent, self.stated]}] if self.facets.optional else [{"not": self.absent}]


class Inputs(msgspec.Struct):
    """Everything that one operation takes from a request, its dependencies flattened."""

    parameters: dict[str, Parameter] = msgspec.field(default_factory=dict)
    parts: list[Part] = msgspec.field(default_factory=list)
    schemes: dict[str, Json] = msgspec.field(default_factory=dict)
    scopes: dict[str, set[str]] = msgspec.field(default_factory=dict)
    called: list[FunctionTarget] = msgspec.field(default_factory=list)
    unknown: list[tuple[str, Location, str]] = msgspec.field(default_factory=list)
    complete: bool = True
    read_by_hand: set[str] = msgspec.field(default_factory=set)
    """Where in the request something is read in a way that declares nothing: `query`, `header`, `cookie`, `body`."""
    traced: bool = True
    """Whether everything that runs before the handler was found."""
    guarded: bool = False
    """Whether credentials may be asked for in a way that cannot be read."""
    refuses: bool = False
    """Whether a security scheme of the framework answers 401 or 403 by itself."""
    own: bool = False
    """Whether what is added now is taken by the handler itself, not by what it depends on."""

    def doubt(self, place: Location, reason: str) -> None:
        """Note that something is taken here which cannot be known."""
        self.complete = self.traced = False
        self.unknown.append(("parameters", place, reason))

    def add(self, found: Parameter) -> None:
        """Adds a parameter. Of several of one name FastAPI exports one that is required, else that of the dependency
        which it comes to last."""
        before = self.parameters.get(found.key)
        if before is None or (bool(found.required), not self.own) > (bool(before.required), False):
            self.parameters[found.key] = found

    @property
    def any(self) -> bool:
        """Whether the framework validates anything."""
        return bool(self.parameters or self.parts)


def bodies_of(inputs: Inputs) -> list[Body]:
    """The request body that the parts make together, in the way FastAPI joins them."""
    forms = [part for part in inputs.parts if part.kind in ("form", "file")]
    # A body that a dependency asks for by the same name is one and the same.
    parts = list({part.identity: part for part in reversed(inputs.parts)}.values())[::-1]
    if not parts:
        return []
    media_type = "application/json"
    if forms:
        files = any(part.kind == "file" for part in forms)
        media_type = "multipart/form-data" if files else "application/x-www-form-urlencoded"
    first = parts[0]
    media_type = next((p.facets.media_type for p in parts if p.facets.media_type), media_type)
    if len(parts) == 1 and not first.facets.embed and first.absent is None:
        return [Body(media_type, not first.facets.optional, first.schema, first.place)]
    schema = _joined(parts)
    return [Body(media_type, any(not part.facets.optional for part in parts), schema, first.place)]


def _joined(parts: list[Part]) -> Schema:
    """The object that several parts make: a field for each, and the fields of form models beside them."""
    single = [part for part in parts if part.spread is None]
    models = [part for part in parts if part.spread is not None]
    properties = {part.name: {**part.schema, "x-line": part.place.line} for part in single}
    required = sorted({part.name for part in single if not part.facets.optional})
    whole: Schema = {"type": "object", "properties": properties}
    if required:
        whole["required"] = required
    if not models:
        return normalise(whole)
    named = [part for part in models if not part.is_optional]
    spread = [part.spread for part in named]
    conditions = [condition for part in models for condition in part.conditions]
    joined = normalise({**whole, "allOf": [*spread, *conditions]})
    if "allOf" in joined:
        return normalise({**whole, "allOf": [*(part.stated for part in named), *conditions]})
    return {**joined, "x-merged": [part.stated["$ref"] for part in named if "$ref" in part.stated]}


def password_form(place: Location, strict: bool) -> list[Part]:
    """The form fields of FastAPI's `OAuth2PasswordRequestForm`, or of its strict variant."""
    found = []
    for name, (schema, required) in _PASSWORD_FORM.items():
        needed = strict and name == "grant_type"
        own = normalise({**schema, "type": "string"} if needed else schema)
        facets = Facets(optional=not (required or needed))
        found.append(Part(name, "form", Shape(ShapeKind.SCALAR), facets, own, place))
    return found
