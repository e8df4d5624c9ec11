"""Answers of Django Ninja that name the fields of classes by their aliases (`by_alias=True`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graph.facts import Kind, Tag, fact_id
from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.program.targets import ClassTarget
from ingest.web.records.operations import Operation
from ingest.web.schemas.model_fields import Family
from ingest.web.serializers.serializers import SerializerModels

_PREFIX = fact_id(Tag.CODE, Kind.SCHEMA, "")
_DEPTH = 12


def by_alias(models: SerializerModels, schema: Schema) -> Schema:
    """A schema of which each class is written by its aliases; unknown where such a class holds itself."""
    return _written(models, schema, ())


def called_differently(models: SerializerModels, operations: Iterable[Operation]) -> set[str]:
    """The classes that are both taken and answered, and whose fields have other names in answers than in requests.

    Ninja documents such a class under one name, in one of its two forms.
    """
    asked: set[str] = set()
    given: set[str] = set()
    for operation in operations:
        for body in operation.bodies:
            _reached(models, body.schema, asked)
        for response in operation.responses:
            _reached(models, response.content, given)
    both = {name: models.classes[name] for name in asked & given}
    return {
        name
        for name, target in both.items()
        if models.family(target) is Family.PYDANTIC and any(f.answered for f in models.fields(target) or [])
    }


def _reached(models: SerializerModels, value: object, found: set[str]) -> None:
    """Adds the names of all classes that a schema leads to."""
    for target in list(_classes(models, value)):
        if target.qualified not in found:
            found.add(target.qualified)
            _reached(models, models.whole(target), found)


def _written(models: SerializerModels, schema: Schema, around: tuple[str, ...]) -> Schema:
    target = _class(models, schema)
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


def _class(models: SerializerModels, schema: Schema) -> ClassTarget | None:
    return models.classes.get(str(schema.get("$ref", "")).removeprefix(_PREFIX))


def _has_aliases(models: SerializerModels, target: ClassTarget, seen: set[str]) -> bool:
    if target.qualified in seen:
        return False
    seen.add(target.qualified)
    fields = models.fields(target) or []
    return any(each.answered for each in fields) or any(
        _has_aliases(models, inner, seen) for each in fields for inner in _classes(models, each.schema)
    )


def _classes(models: SerializerModels, value: object) -> Iterator[ClassTarget]:
    """All classes that a schema refers to."""
    if isinstance(value, dict):
        target = _class(models, value)
        if target is not None:
            yield target
        for part in value.values():
            yield from _classes(models, part)
    elif isinstance(value, list):
        for part in value:
            yield from _classes(models, part)
