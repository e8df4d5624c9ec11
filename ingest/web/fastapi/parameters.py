"""Where FastAPI looks for the value of one parameter, and the schema it then has."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from graph.facts import Location
from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.fastapi.parts import Inputs, Part
from ingest.web.program.shapes import Shape, ShapeKind
from ingest.web.program.targets import ClassTarget, External
from ingest.web.records.operations import Parameter
from ingest.web.schemas.aliases import UNKNOWN_GENERATOR
from ingest.web.schemas.configs import config_of
from ingest.web.schemas.facets import Facets
from ingest.web.schemas.model_fields import Family, ModelField
from ingest.web.schemas.models import Models

_KINDS = {Family.ENUM: "query", Family.NAMED_TUPLE: "file"}
"""Where values of classes come from that are no bodies; a named tuple is a list that does not say what it holds."""


class Taken(msgspec.Struct, frozen=True):
    """One parameter of a function as it is written; `shape` is None where it has no annotation."""

    name: str
    shape: Shape | None
    facets: Facets
    place: Location
    keeps_underscores: bool = False


class ParameterReader:
    """Adds single parameters to what a request gives."""

    def __init__(self, models: Models) -> None:
        self.models = models

    def unmarked(self, inputs: Inputs, taken: Taken) -> None:
        """Adds a parameter that nothing but its type says where to look for."""
        kind = self.kind(taken.shape)
        if kind == "query":
            self.placed(inputs, taken, "query")
        elif kind:
            self.part(inputs, taken, kind)
        else:
            reason = taken.shape.reason if taken.shape is not None else ""
            inputs.doubt(
                taken.place, f"what {taken.name} is read from cannot be known: {reason}".rstrip(": ")
            )

    def placed(self, inputs: Inputs, taken: Taken, where: str) -> None:
        """Adds a parameter of the path, query, header or cookies; a model stands for its fields."""
        members = taken.shape.members if taken.shape is not None else ()
        target = members[0].target if len(members) == 1 and members[0].kind is ShapeKind.CLASS else None
        if (
            where != "path"
            and isinstance(target, ClassTarget)
            and self.models.family(target) is Family.PYDANTIC
        ):
            self._fields(inputs, where, target, taken)
            return
        facets = taken.facets
        name = facets.validation_alias or facets.alias
        if name in (None, taken.name):
            # An alias that is the parameter's own name is no other name to FastAPI.
            hyphens = where == "header" and not taken.keeps_underscores
            name = taken.name.replace("_", "-") if hyphens else taken.name
        schema = self._schema(taken.shape, replace(facets, deprecated=False))
        required = where == "path" or not facets.optional
        self._add(inputs, Parameter(where, name, required, schema, taken.place, facets.deprecated), facets)

    def part(self, inputs: Inputs, taken: Taken, kind: str) -> None:
        """Adds a part of the body: a model or value (`body`), a form field (`form`) or a file (`file`)."""
        shape, facets = taken.shape or Shape(ShapeKind.ANY), taken.facets
        modelled = kind != "body" and self._is_model(shape)
        absent = None
        if modelled and shape.nullable:
            # A form is left out by leaving out its fields; it is never null.
            members = shape.members
            shape = members[0] if len(members) == 1 else replace(shape, arguments=members)
            taken, absent = replace(taken, shape=shape), self._absent(members)
        elif kind != "body" and not modelled:
            facets = replace(facets, embed=True)
        schema = self._schema(taken.shape, facets)
        name = facets.validation_alias or facets.alias or taken.name
        spread, renamed = self._spread(shape) if modelled else (None, False)
        inputs.parts.append(Part(name, kind, shape, facets, schema, taken.place, spread, absent, renamed))

    def _is_model(self, shape: Shape) -> bool:
        """Whether these are Pydantic models, which alone may be all of a form."""
        return all(
            isinstance(part.target, ClassTarget) and self.models.family(part.target) is Family.PYDANTIC
            for part in shape.members
        )

    def _spread(self, shape: Shape) -> tuple[Schema, bool]:
        """The schema of a form model with its fields, which are fields of the form where others stand beside them.

        There FastAPI requires of a field that may be given by several names one of these, in words of its own.
        """
        members = shape.members
        target = members[0].target if len(members) == 1 and not members[0].arguments else None
        if not isinstance(target, ClassTarget):
            return self.models.schema(shape), False
        whole = self.models.whole(target)
        several = {
            found.name: names
            for found in self.models.fields(target) or []
            if found.name in whole.get("required", ()) and len(names := self._names(target, found)) > 1
        }
        if not several:
            return whole, False
        own = whole["properties"]
        properties = own | {name: {**own[name], "x-implied": ["required"]} for name in several}
        required = [name for name in whole["required"] if name not in several]
        told = [{"anyOf": [{"required": [name]} for name in names]} for names in several.values()]
        return normalise({**whole, "properties": properties, "required": required, "allOf": told}), True

    def _names(self, target: ClassTarget, found: ModelField) -> list[str]:
        """The names by which a form may give a field of a model."""
        names = list(found.facets.choices) or [found.name]
        by_name = config_of(self.models.program, target).by_name
        return [*names, found.attribute] if by_name and found.attribute not in names else names

    def _absent(self, members: tuple[Shape, ...]) -> Schema:
        """What a form fits that has no field of any of these models."""
        targets = [part.target for part in members if isinstance(part.target, ClassTarget)]
        if any(config_of(self.models.program, target).extra is not None for target in targets):
            return {"maxProperties": 0}
        names = {
            name
            for target in targets
            for found in self.models.fields(target) or []
            if not found.computed
            for name in self._names(target, found)
        }
        return {"not": {"anyOf": [{"required": [name]} for name in sorted(names)]}} if names else {}

    def kind(self, shape: Shape | None) -> str:
        """`query`, `body` or `file`, by the type alone; empty where that cannot be known."""
        if shape is None:
            return "query"
        match shape.kind:
            case ShapeKind.SCALAR:
                return "file" if _is_file(shape) else "query"
            case ShapeKind.ANY | ShapeKind.LITERAL | ShapeKind.NONE:
                return "query"
            case ShapeKind.ARRAY if shape.arguments and _is_file(shape.arguments[0]):
                return "file"
            case ShapeKind.ARRAY | ShapeKind.SET if not shape.arguments:
                # FastAPI asks whether all that such a list holds are files, and it says nothing of what it holds.
                return "file"
            case ShapeKind.ARRAY | ShapeKind.SET | ShapeKind.TUPLE | ShapeKind.MAPPING:
                return "body"
            case ShapeKind.UNION:
                kinds = {self.kind(part) for part in shape.members}
                return next((kind for kind in ("", "body", "file") if kind in kinds), "query")
            case ShapeKind.CLASS:
                family = self.models.family(shape.target) if isinstance(shape.target, ClassTarget) else None
                return _KINDS.get(family, "body") if family is not None else ""
        return ""

    def _add(self, inputs: Inputs, found: Parameter, facets: Facets) -> None:
        if facets.unread.startswith(("the value of alias", "limits are given as **")):
            inputs.doubt(found.source, facets.unread)
        elif not facets.hidden:
            inputs.add(found)
        if found.place == "header" and found.name.lower() == "authorization":
            inputs.guarded = True

    def _schema(self, shape: Shape | None, facets: Facets) -> Schema:
        if shape is not None:
            return self.models.schema(shape, facets)
        schema = unknown("the parameter has no annotation")
        plain = isinstance(facets.default, str | int | float | bool)
        return {**schema, "default": facets.default} if plain else schema

    def _fields(self, inputs: Inputs, where: str, target: ClassTarget, taken: Taken) -> None:
        """Adds the fields of a model; none is required where the model itself has a default."""
        fields = self.models.fields(target)
        if fields is None:
            inputs.doubt(taken.place, "the bases of the model are not known")
            return
        renamed = config_of(self.models.program, target).renamed
        if renamed or any(found.unnamed for found in fields):
            inputs.doubt(taken.place, renamed or UNKNOWN_GENERATOR)
            return
        for found in fields:
            if found.computed:
                continue
            name = found.name
            if where == "header" and name == found.attribute and not taken.keeps_underscores:
                name = name.replace("_", "-")
            schema = {k: v for k, v in found.schema.items() if k not in ("x-always", "deprecated")}
            required = found.required and not taken.facets.optional
            parameter = Parameter(where, name, required, schema, found.place, found.facets.deprecated)
            self._add(inputs, parameter, found.facets)


def _is_file(shape: Shape) -> bool:
    return isinstance(shape.target, External) and shape.target.name == "UploadFile"
