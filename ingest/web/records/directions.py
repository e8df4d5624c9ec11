"""Classes that requests and answers call by different names, where a framework documents them under one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graph.facts import Kind, Tag, fact_id
from graph.schema_algebra import Schema
from ingest.web.program.targets import ClassTarget
from ingest.web.records.operations import Operation
from ingest.web.schemas.model_fields import Family
from ingest.web.schemas.models import Models

_PREFIX = fact_id(Tag.CODE, Kind.SCHEMA, "")


def called_differently(models: Models, operations: Iterable[Operation]) -> set[str]:
    """The classes that are both taken and answered, and whose fields have other names in answers than in requests.

    The frameworks document such a class under one name, in one of its two forms.
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


def class_of(models: Models, schema: Schema) -> ClassTarget | None:
    """The class that a schema refers to, None where it is no reference."""
    return models.classes.get(str(schema.get("$ref", "")).removeprefix(_PREFIX))


def classes_of(models: Models, value: object) -> Iterator[ClassTarget]:
    """All classes that a schema refers to."""
    if isinstance(value, dict):
        target = class_of(models, value)
        if target is not None:
            yield target
        for part in value.values():
            yield from classes_of(models, part)
    elif isinstance(value, list):
        for part in value:
            yield from classes_of(models, part)


def _reached(models: Models, value: object, found: set[str]) -> None:
    """Adds the names of all classes that a schema leads to."""
    for target in list(classes_of(models, value)):
        if target.qualified not in found:
            found.add(target.qualified)
            _reached(models, models.whole(target), found)
