"""Types as schemas: scalars, lists, mappings, unions and literals, with the limits that annotations put on them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Final

from graph.schema_algebra import Schema, unknown
from graph.schemas import is_unknown, normalise, nullable, union
from ingest.web.constants.constants import Missing
from ingest.web.program.program import Program
from ingest.web.program.shapes import Shape, ShapeKind
from ingest.web.program.targets import External
from ingest.web.schemas.facets import Facets, facets_of, keywords_of, limited
from ingest.web.schemas.model_fields import type_of_values

DEPTH: Final = 12
"""How deeply types may be nested in one another to be read."""


class TypeSchemas(ABC):
    """Gives each type its schema; what the schema of a class is, the one who inherits says.

    `scalars` are the types, by dotted name, to which a framework gives another schema than Pydantic does; `loose`
    tells that it takes and documents sets and tuples as plain lists.
    """

    def __init__(
        self, program: Program, scalars: Mapping[str, Schema] | None = None, loose: bool = False
    ) -> None:
        self.program = program
        self.scalars = scalars or {}
        self.loose = loose

    def schema(self, shape: Shape, facets: Facets | None = None, depth: int = 0) -> Schema:
        """The schema of a type, with the limits that are put on it; classes are referred to by fact id."""
        if depth > DEPTH:
            return unknown("the type is nested too deeply")
        found = self._plain(shape, depth)
        for call, scope in shape.constraints:
            found = limited(found, keywords_of(self.program, call, scope))
        if shape.metadata:
            found = self._described(
                found, shape, facets_of(self.program, shape.metadata, None, shape.metadata[0][1])
            )
        if facets is not None:
            found = self._described(found, shape, facets)
        return found

    @abstractmethod
    def _class(self, shape: Shape, depth: int) -> Schema:
        """The schema of a class of the project, or the reference to it."""

    def _plain(self, shape: Shape, depth: int) -> Schema:
        match shape.kind:
            case ShapeKind.SCALAR:
                own = self.scalars.get(shape.target.dotted) if isinstance(shape.target, External) else None
                return normalise(own if own is not None else shape.schema)
            case ShapeKind.NONE:
                return {"type": "null"}
            case ShapeKind.ANY:
                return {}
            case ShapeKind.ARRAY | ShapeKind.SET:
                unique = {"uniqueItems": True} if shape.kind is ShapeKind.SET and not self.loose else {}
                items = self.schema(shape.arguments[0], depth=depth + 1) if shape.arguments else {}
                return normalise({"type": "array", "items": items, **unique})
            case ShapeKind.TUPLE if self.loose:
                return {"type": "array", "items": unknown("the items of a tuple differ")}
            case ShapeKind.TUPLE:
                prefix = [self.schema(part, depth=depth + 1) for part in shape.arguments]
                size = {"minItems": len(prefix), "maxItems": len(prefix)}
                return normalise({"type": "array", "prefixItems": prefix, **size})
            case ShapeKind.MAPPING:
                values = self.schema(shape.arguments[1], depth=depth + 1) if len(shape.arguments) == 2 else {}
                return normalise({"type": "object", "additionalProperties": values})
            case ShapeKind.UNION:
                return self._union(shape, depth)
            case ShapeKind.LITERAL:
                return normalise({"enum": list(shape.values), **type_of_values(shape.values)})
            case ShapeKind.CLASS:
                return self._class(shape, depth)
            case ShapeKind.EXTERNAL if isinstance(shape.target, External) and (
                shape.target.dotted in self.scalars
            ):
                return self.scalars[shape.target.dotted]
        return unknown(shape.reason or "the type is not known")

    def _union(self, shape: Shape, depth: int) -> Schema:
        told = [part for part in shape.arguments if "hidden" not in part.marks and not is_unset(part)]
        parts = [self.schema(part, depth=depth + 1) for part in told if part.kind is not ShapeKind.NONE]
        if any(is_unknown(part) for part in parts):
            return unknown("a part of the union is not known")
        whole = union(*parts)
        return nullable(whole) if len(parts) < len(told) else whole

    def _described(self, schema: Schema, shape: Shape, facets: Facets) -> Schema:
        found = limited(schema, facets)
        if facets.discriminator and "anyOf" in found:
            found = {**found, "discriminator": {"propertyName": facets.discriminator}}
        if not isinstance(facets.default, Missing) and facets.default is not None:
            found = {**found, "default": facets.default}
        return {**found, "deprecated": True} if facets.deprecated else found


def is_unset(shape: Shape) -> bool:
    """Whether this is msgspec's mark for a value that is left out."""
    return isinstance(shape.target, External) and shape.target.dotted == "msgspec.UnsetType"
