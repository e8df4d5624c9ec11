"""Data classes as Litestar documents them: which limits it enforces and leaves out of its contract."""

from __future__ import annotations

import ast

from graph.schema_algebra import Schema
from ingest.web.litestar_names import SCALARS
from ingest.web.model_fields import Family
from ingest.web.models import Models
from ingest.web.program import Program
from ingest.web.shapes import Shape
from ingest.web.targets import External

_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_SIZES = ("minItems", "maxItems")
_LIMITS = (*_NUMBERS, *_SIZES, "minLength", "maxLength", "multipleOf", "pattern")


class LitestarModels(Models):
    """Gives each type the schema that Litestar makes of it."""

    def __init__(self, program: Program) -> None:
        super().__init__(program, SCALARS, loose=True)

    def shown(self, schema: Schema, family: Family, shape: Shape) -> Schema:
        """See `Models.shown`."""
        lost = {"pattern"} if family is Family.PYDANTIC else set()
        if family is Family.PYDANTIC and shape.nullable:
            lost |= set(_SIZES)
        if family in (Family.DATACLASS, Family.ATTRS) and self._is_by_msgspec(shape):
            lost |= set(_LIMITS)
        return undocumented(schema, shape.nullable, lost)

    def _is_by_msgspec(self, shape: Shape) -> bool:
        """Whether limits are stated by `Meta(…)`, which is enforced but documented for structs alone."""
        parts = (shape, *shape.arguments)
        calls = [(n.func, scope) for part in parts for n, scope in part.metadata if isinstance(n, ast.Call)]
        made = [self.program.resolve(function, scope) for function, scope in calls]
        return any(isinstance(target, External) and target.root == "msgspec" for target in made)


def undocumented(schema: Schema, nullable: bool, lost: set[str] | frozenset[str] = frozenset()) -> Schema:
    """The schema with the limits marked (`x-implied`) that the export leaves out: limits of inner values, those of
    nothing on what may be null, and others that are `lost`."""
    found = dict(schema)
    for keyword in ("items", "additionalProperties"):
        if isinstance(found.get(keyword), dict) and "$ref" not in found[keyword]:
            found[keyword] = undocumented(found[keyword], nullable, frozenset(_LIMITS))
    silent = {k for k in _LIMITS if k in found and (k in lost or (nullable and found[k] == 0))}
    if not silent:
        return found
    return {**found, "x-implied": sorted({*found.get("x-implied", ()), *silent})}
