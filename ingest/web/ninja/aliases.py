"""Answers of Django Ninja that name the fields of classes by their aliases (`by_alias=True`)."""

from __future__ import annotations

from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.program.targets import ClassTarget
from ingest.web.records.directions import class_of, classes_of
from ingest.web.serializers.serializers import SerializerModels

_DEPTH = 12


def by_alias(models: SerializerModels, schema: Schema) -> Schema:
    """A schema of which each class is written by its aliases; unknown where such a class holds itself."""
    return _written(models, schema, ())


def _written(models: SerializerModels, schema: Schema, around: tuple[str, ...]) -> Schema:
    target = class_of(models, schema)
    if target is None:
        return {key: _inner(models, value, around) for key, value in schema.items()}
    if not _has_aliases(models, target, set()):
        return schema
    if target.qualified in around or len(around) > _DEPTH:
        return unknown("a class that is written by its aliases holds itself")
    fields = models.fields(target) or []
    inside = (*around, target.qualified)
    properties = {
        each.name: {
            **_written(models, each.schema, inside),
            "x-line": each.place.line,
            "x-path": each.place.path,
        }
        for each in fields
    }
    required = sorted(each.name for each in fields if each.required)
    return normalise({"type": "object", "properties": properties, "required": required})


def _inner(models: SerializerModels, value: object, around: tuple[str, ...]) -> object:
    if isinstance(value, dict):
        return _written(models, value, around)
    return [_inner(models, part, around) for part in value] if isinstance(value, list) else value


def _has_aliases(models: SerializerModels, target: ClassTarget, seen: set[str]) -> bool:
    if target.qualified in seen:
        return False
    seen.add(target.qualified)
    fields = models.fields(target) or []
    return any(each.answered for each in fields) or any(
        _has_aliases(models, inner, seen) for each in fields for inner in classes_of(models, each.schema)
    )
