"""Django Ninja's schemas: Pydantic classes, and those whose fields come from a model's columns."""

from __future__ import annotations

import ast
from typing import Final

from graph.facts import Location
from graph.schema_algebra import Schema, unknown
from graph.schemas import nullable
from ingest.web.constants.constants import Missing, constant, text_of
from ingest.web.django.columns import RELATIONS
from ingest.web.django.declarations import is_marked
from ingest.web.django.models import DjangoModels
from ingest.web.django.tables import Column, ModelClass
from ingest.web.program.program import Program
from ingest.web.program.shapes import ANY
from ingest.web.program.targets import ClassTarget, External, Target, unsubscripted
from ingest.web.schemas.facets import Facets
from ingest.web.schemas.model_fields import ModelField
from ingest.web.syntax.scopes import Scope

_ROOTS = frozenset({"ninja", "ninja_extra", "ninja_schema"})
_TEXT: Schema = {"type": "string"}
_INTEGER: Schema = {"type": "integer"}
_TYPES: Final[dict[str, Schema]] = {
    **dict.fromkeys(("AutoField", "BigAutoField", "SmallAutoField", "IntegerField"), _INTEGER),
    **dict.fromkeys(("BigIntegerField", "SmallIntegerField", "PositiveIntegerField"), _INTEGER),
    **dict.fromkeys(("PositiveSmallIntegerField", "PositiveBigIntegerField"), _INTEGER),
    **dict.fromkeys(
        ("CharField", "TextField", "SlugField", "EmailField", "URLField", "FileField", "ImageField"), _TEXT
    ),
    "BooleanField": {"type": "boolean"},
    "DateField": {"type": "string", "format": "date"},
    "DateTimeField": {"type": "string", "format": "date-time"},
    "TimeField": {"type": "string", "format": "time"},
    "DurationField": {"type": "string", "format": "duration"},
    "FloatField": {"type": "number"},
    "UUIDField": {"type": "string", "format": "uuid"},
    "JSONField": {"type": "object"},
    "GenericIPAddressField": {"type": "string", "format": "ipvanyaddress"},
    "IPAddressField": {"type": "string", "format": "ipvanyaddress"},
}
_UNSAID: Final = {"SlugField": 50, "URLField": 200, "FileField": 100, "ImageField": 100}
"""The sizes that Django takes anyway, so that neither it nor Ninja repeats them."""


def is_ninja_schema(program: Program, target: Target | None) -> bool:
    """Whether this is one of Ninja's classes of data."""
    return program.is_a(target, _ROOTS, {"Schema", "FilterSchema", "ModelSchema"})


def declared_names(node: ast.ClassDef) -> set[str]:
    """The names of the fields that a class itself declares by hints."""
    return {
        statement.target.id
        for statement in node.body
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
    }


def model_fields(program: Program, tables: DjangoModels, target: ClassTarget) -> list[ModelField] | None:
    """The fields that a `ModelSchema` itself takes from its model; None where they cannot all be known."""
    bases = [program.resolve(unsubscripted(base), target.scope) for base in target.node.bases]
    if not any(isinstance(base, External) and base.name == "ModelSchema" for base in bases):
        return []
    said = _said(target)
    node, scope = said.get("model", (None, target.body))
    model = tables.model(node, scope)
    if model is None:
        return None
    table = tables.table(model)
    names = _names(program, said)
    left_out = constant(program, *said["exclude"]) if "exclude" in said else []
    loosened = constant(program, *said["fields_optional"]) if "fields_optional" in said else []
    if names is None or not table.complete or isinstance(left_out, Missing) or isinstance(loosened, Missing):
        return None
    columns = dict(table.columns)
    if not any(tables.flag(column, "primary_key") for column in columns.values()):
        place = program.place(target.node, target.scope)
        columns = {"id": Column("id", "AutoField", place, fixed={"primary_key": True}), **columns}
    wanted = list(columns) if names == "__all__" else names
    found = (
        _above(program, tables, model, program.place(target.node, target.scope)) if names == "__all__" else []
    )
    found = [field for field in found if field.attribute not in (left_out or [])]
    for name in wanted:
        if name not in columns:
            return None
        if name not in (left_out or []):
            free = loosened == "__all__" or name in (loosened or [])
            column = columns[name]
            found.append(
                _relation(tables, column, free) if column.kind in RELATIONS else _field(tables, column, free)
            )
    return found


def _above(program: Program, tables: DjangoModels, model: ModelClass, place: Location) -> list[ModelField]:
    """The links to the rows of the models that a model extends in a table of its own."""
    if not isinstance(model, ClassTarget) or is_marked(program, model, "proxy"):
        return []
    if any(tables.flag(column, "parent_link") for column in tables.table(model).columns.values()):
        return []
    found: list[ModelField] = []
    for node in model.node.bases:
        base = program.resolve(node, model.scope)
        if not isinstance(base, ClassTarget) or not tables.is_model(base):
            continue
        if is_marked(program, base, "abstract"):
            found += _above(program, tables, base, place)
            continue
        name = f"{base.node.name.lower()}_ptr"
        schema = {**_key(tables, base), "x-always": True}
        found.append(ModelField(f"{name}_id", name, schema, True, ANY, Facets(), place, name))
    return found


def _relation(tables: DjangoModels, column: Column, loosened: bool) -> ModelField:
    """The field of a relation: the key, or keys, of the other rows. Requests call it by the column's name in the
    database, answers by the model's."""
    optional = tables.flag(column, "null") or loosened
    # Django's own models have plain numbers as keys.
    key = _key(tables, tables.related(column)) if column.call is not None else dict(_INTEGER)
    many = column.kind == "ManyToManyField"
    if many and "type" in key:
        # Of many keys Ninja says nothing but whether they are numbers or texts.
        key = {"type": key["type"]}
    schema: Schema = {"type": "array", "items": key} if many else key
    schema = nullable(schema) if optional and "x-unknown" not in key else dict(schema)
    schema["x-always"] = True
    name = column.name if many else f"{column.name}_id"
    answered = column.name if name != column.name else ""
    return ModelField(name, column.name, schema, not optional, ANY, Facets(), column.place, answered)


def _key(tables: DjangoModels, model: ModelClass | None) -> Schema:
    """The schema of a model's primary key, as Ninja writes it."""
    if model is None:
        return unknown("the related model is not known")
    table = tables.table(model)
    keys = [column for column in table.columns.values() if tables.flag(column, "primary_key")]
    if not keys:
        return dict(_INTEGER) if table.complete else unknown("a base of the related model is not known")
    if keys[0].kind in RELATIONS:
        return _key(tables, tables.related(keys[0]))
    return {name: value for name, value in _typed(tables, keys[0]).items() if name != "maxLength"}


def _typed(tables: DjangoModels, column: Column) -> Schema:
    """The schema of a plain column without null."""
    schema = dict(_TYPES.get(column.kind, unknown("the column's type is not known")))
    size = tables.constant(column, "max_length")
    if schema.get("type") != "string" or "format" in schema:
        return schema
    if isinstance(size, int) and size != _UNSAID.get(column.kind):
        schema["maxLength"] = size
    elif column.kind == "EmailField" and not tables.has(column, "max_length"):
        schema["maxLength"] = 254
    elif tables.has(column, "max_length") and not isinstance(size, int):
        schema["x-implied"] = ["maxLength"]
    return schema


def _field(tables: DjangoModels, column: Column, loosened: bool) -> ModelField:
    schema = _typed(tables, column)
    optional = any(tables.flag(column, name) for name in ("primary_key", "blank", "null")) or loosened
    if optional and "x-unknown" not in schema:
        schema = nullable(schema)
    default = tables.constant(column, "default")
    if tables.has(column, "default") and not isinstance(default, Missing) and default is not None:
        schema["default"] = default
    optional = optional or tables.has(column, "default")
    if column.call is None and not column.fixed:
        return ModelField(column.name, column.name, schema, False, ANY, Facets(), column.place)
    schema["x-always"] = True
    return ModelField(column.name, column.name, schema, not optional, ANY, Facets(), column.place)


def _said(target: ClassTarget) -> dict[str, tuple[ast.expr, Scope]]:
    """What the inner `Meta` or `Config` of a class says."""
    found: dict[str, tuple[ast.expr, Scope]] = {}
    for statement in target.node.body:
        if isinstance(statement, ast.ClassDef) and statement.name in ("Meta", "Config"):
            scope = target.body.child(statement)
            for inner in statement.body:
                if isinstance(inner, ast.Assign) and isinstance(inner.targets[0], ast.Name):
                    name = (
                        inner.targets[0].id.removeprefix("model_")
                        if inner.targets[0].id != "model"
                        else "model"
                    )
                    found[name] = (inner.value, scope)
    return found


def _names(program: Program, said: dict[str, tuple[ast.expr, Scope]]) -> list[str] | str | None:
    if "fields" not in said:
        return "__all__" if "exclude" in said else None
    if text_of(program, *said["fields"]) == "__all__":
        return "__all__"
    value = constant(program, *said["fields"])
    return [str(name) for name in value] if isinstance(value, list) else None
