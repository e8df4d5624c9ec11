"""Data classes as Litestar documents them: which limits it enforces and leaves out of its contract."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from graph.schema_algebra import Schema, implied, unknown
from ingest.web.litestar.names import PACKAGE, SCALARS
from ingest.web.litestar.rows import is_row, row_fields
from ingest.web.program.program import Program
from ingest.web.program.shapes import Shape
from ingest.web.program.targets import ClassTarget, External
from ingest.web.schemas.model_fields import Family, ModelField, named_in_answers
from ingest.web.schemas.models import Models

_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_SIZES = ("minItems", "maxItems")
_ALIASES = re.compile(r"\bprefer_alias\s*=\s*(?!False\b)(\w+)")
_LIMITS = (*_NUMBERS, *_SIZES, "minLength", "maxLength", "multipleOf", "pattern")


class LitestarModels(Models):
    """Gives each type the schema that Litestar makes of it."""

    def __init__(self, program: Program) -> None:
        super().__init__(program, SCALARS, loose=True)

    def family(self, target: ClassTarget) -> Family | None:
        """See `Models.family`; rows of SQLAlchemy belong to the plugin that transfers them."""
        found = super().family(target)
        return found or (Family.ROW if is_row(self.program, target) else None)

    def fields(
        self, target: ClassTarget, variables: Mapping[str, Shape] | None = None
    ) -> list[ModelField] | None:
        """See `Models.fields`."""
        if self.family(target) is not Family.ROW:
            return super().fields(target, variables)
        return self.program.remember(
            ("fields", target.node), lambda: row_fields(self.program, target, self.schema)
        )

    def _fields(
        self,
        target: ClassTarget,
        variables: Mapping[str, Shape],
        depth: int,
        heir: ClassTarget | None = None,
    ) -> list[ModelField] | None:
        own = super()._fields(target, variables, depth, heir)
        if (
            own is None
            or self.family(target) is not Family.PYDANTIC
            or not any(f.answered or f.name != f.attribute for f in own)
        ):
            return own
        aliased = self._answers_by_alias()
        if aliased is None:
            return None
        return own if aliased else named_in_answers(own)

    def _answers_by_alias(self) -> bool | None:
        """Whether the plugin for Pydantic is told to answer by aliases, not by the fields' names; None if unknown."""

        def judged() -> bool | None:
            texts = map(self.program.text, self.program.importers_named(sorted(PACKAGE)))
            told = {match[1] for text in texts for match in _ALIASES.finditer(text)}
            return bool(told) if told <= {"True"} else None

        return self.program.remember(("answers are by alias",), judged)

    def _class(self, shape: Shape, depth: int) -> Schema:
        target = shape.target
        if isinstance(target, ClassTarget) and self.family(target) is Family.ROW:
            return unknown("a row has the form that what transfers it gives it")
        return super()._class(shape, depth)

    def shown(self, schema: Schema, family: Family, shape: Shape, owner: ClassTarget) -> Schema:
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
    return implied(found, *silent)
