"""What of a response model is answered where `response_model_include` or `response_model_exclude` leave fields out."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from types import EllipsisType
from typing import TypeAlias

from graph.schema_algebra import Schema, unknown
from graph.schemas import is_unknown, normalise
from ingest.web.constants.constants import constant, elements, entries
from ingest.web.program.calls import argument
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.shapes import Shape, ShapeKind
from ingest.web.program.targets import ClassTarget
from ingest.web.schemas.model_fields import Family, ModelField
from ingest.web.schemas.models import Models
from ingest.web.syntax.scopes import Scope

Parts: TypeAlias = "Mapping[str, Parts | EllipsisType]"
_DEPTH = 8
_EACH = "__all__"
_UNREAD = "only a part of the response model is answered"


def answered(models: Models, shape: Shape, whole: Schema, call: ast.Call, scope: Scope) -> Schema:
    """The schema of what a route answers of its response model, of which `whole` is the schema.

    A field that is left out stays in the schema, since FastAPI exports it all the same, but no contract has to have it.
    """
    sides: list[Parts | EllipsisType] = [..., {}]
    for position, name in enumerate(("response_model_include", "response_model_exclude")):
        written = argument(call, None, name)
        if written is None or is_none(written):
            continue
        parts = _parts(models.program, written, scope, 0)
        if parts is None or parts is ...:
            return unknown(_UNREAD)
        sides[position] = parts
    include, exclude = sides
    if include is ... and exclude == {}:
        return whole
    return _reduced(models, shape, include, exclude, 0)


def _parts(program: Program, node: ast.expr, scope: Scope, depth: int) -> Parts | EllipsisType | None:
    """The names that a set or dictionary of constants names, with what each asks for; None where it is not known."""
    if depth > _DEPTH:
        return None
    if isinstance(node, ast.Constant) and node.value in (..., True):
        return ...
    table = entries(program, node, scope)
    if table is None:
        named = constant(program, node, scope)
        listed = elements(program, node, scope) is not None or isinstance(named, list)
        known = listed and isinstance(named, list) and all(isinstance(name, str | int) for name in named)
        return {str(name): ... for name in named} if known and isinstance(named, list) else None
    found: dict[str, Parts | EllipsisType] = {}
    for key, value, inner in table:
        name, below = constant(program, key, inner), _parts(program, value, inner, depth + 1)
        if not isinstance(name, str | int) or below is None:
            return None
        found[str(name)] = below
    return found


def _reduced(
    models: Models, shape: Shape, include: Parts | EllipsisType, exclude: Parts | EllipsisType, depth: int
) -> Schema:
    if depth > _DEPTH or exclude is ...:
        return unknown(_UNREAD)
    if include is ... and not exclude:
        return models.schema(shape)
    match shape.kind:
        case ShapeKind.UNION if len(shape.members) == 1:
            inner = _reduced(models, shape.members[0], include, exclude, depth + 1)
            return inner if is_unknown(inner) else normalise({"anyOf": [inner, {"type": "null"}]})
        case ShapeKind.ARRAY if include is ... and not any(k == _EACH or k.isdigit() for k in exclude):
            # The items of a list are called by their numbers: names leave nothing out.
            return models.schema(shape)
        case ShapeKind.ARRAY if shape.arguments and _of_each(include) and _of_each(exclude):
            wanted = include if include is ... else include[_EACH]
            unwanted = exclude.get(_EACH, {})
            items = _reduced(models, shape.arguments[0], wanted, unwanted, depth + 1)
            return unknown(_UNREAD) if is_unknown(items) else normalise({"type": "array", "items": items})
        case ShapeKind.CLASS if isinstance(shape.target, ClassTarget):
            return _of_model(models, shape, shape.target, include, exclude, depth)
    return unknown(_UNREAD)


def _of_each(parts: Parts | EllipsisType) -> bool:
    return parts is ... or set(parts) <= {_EACH}


def _of_model(
    models: Models,
    shape: Shape,
    target: ClassTarget,
    include: Parts | EllipsisType,
    exclude: Parts,
    depth: int,
) -> Schema:
    whole = models.schema(shape) if shape.arguments else models.whole(target)
    fields = None if shape.arguments else models.fields(target)
    if models.family(target) is not Family.PYDANTIC or fields is None or is_unknown(whole):
        return unknown(_UNREAD)
    properties = dict(whole.get("properties", {}))
    for found in fields:
        wanted = include if include is ... else include.get(found.attribute)
        unwanted = exclude.get(found.attribute, {})
        for name in _names(found, properties):
            if wanted is None or unwanted is ... or found.facets.excluded:
                shown = {key: value for key, value in properties[name].items() if key != "x-always"}
                properties[name] = {**shown, "x-hidden": True}
            elif wanted is not ... or unwanted:
                inner = _reduced(models, found.shape, wanted, unwanted, depth + 1)
                properties[name] = {**inner, **_said(properties[name])}
    return normalise({**whole, "properties": properties, "x-complete": True})


def _names(field: ModelField, properties: Mapping[str, Schema]) -> Iterable[str]:
    return [name for name in dict.fromkeys((field.name, field.answered)) if name in properties]


def _said(schema: Schema) -> Schema:
    """Where a property was read and whether every answer has it."""
    return {key: value for key, value in schema.items() if key in ("x-line", "x-path", "x-always")}
