"""What annotations say: the kind of type that one names, with the types and limits that it is given."""

from __future__ import annotations

import ast
from enum import StrEnum

import msgspec

from graph.facts import Json
from graph.schema_algebra import Schema
from ingest.web.program.targets import ClassTarget, External
from ingest.web.syntax.scopes import Scope


class ShapeKind(StrEnum):
    """The families of types that schemas tell apart."""

    SCALAR = "scalar"
    NONE = "none"
    ANY = "any"
    ARRAY = "array"
    SET = "set"
    TUPLE = "tuple"
    MAPPING = "mapping"
    UNION = "union"
    LITERAL = "literal"
    CLASS = "class"
    EXTERNAL = "external"
    UNKNOWN = "unknown"


class Shape(msgspec.Struct, frozen=True):
    """One annotation. `metadata` are the further arguments of `Annotated`, each with the scope it stands in.

    `constraints` are keywords of a call such as `conint(gt=0)`; `marks` are `Required`, `NotRequired`, `ClassVar`.
    """

    kind: ShapeKind
    arguments: tuple[Shape, ...] = ()
    target: ClassTarget | External | None = None
    schema: Schema = msgspec.field(default_factory=dict)
    values: tuple[Json, ...] = ()
    metadata: tuple[tuple[ast.expr, Scope], ...] = ()
    constraints: tuple[tuple[ast.Call, Scope], ...] = ()
    marks: frozenset[str] = frozenset()
    reason: str = ""

    @property
    def nullable(self) -> bool:
        """Whether None is among the values."""
        return self.kind in (ShapeKind.NONE, ShapeKind.ANY) or any(
            part.kind is ShapeKind.NONE for part in self.arguments if self.kind is ShapeKind.UNION
        )

    @property
    def members(self) -> tuple[Shape, ...]:
        """The parts of a union but None; of any other shape, itself."""
        if self.kind is not ShapeKind.UNION:
            return (self,)
        return tuple(part for part in self.arguments if part.kind is not ShapeKind.NONE)


ANY = Shape(ShapeKind.ANY)
NONE = Shape(ShapeKind.NONE)


def unknown_shape(reason: str) -> Shape:
    """The shape of an annotation that cannot be read."""
    return Shape(ShapeKind.UNKNOWN, reason=reason)
