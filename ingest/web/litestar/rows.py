"""Rows of SQLAlchemy's declarative classes as Litestar's plugin for them transfers them: the fields that they have."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Final

from graph.facts import Location
from graph.schema_algebra import Schema
from ingest.web.constants.constants import MISSING, Missing, constant
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.shapes import Shape, ShapeKind
from ingest.web.program.targets import ClassTarget, External, unsubscripted
from ingest.web.schemas.facets import Facets
from ingest.web.schemas.model_fields import ModelField
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotations import shape_of

PLUGINS: Final = frozenset({"SQLAlchemyPlugin", "SQLAlchemySerializationPlugin"})
ROOTS: Final = frozenset({"litestar", "advanced_alchemy"})
"""The packages by which the plugin, its data transfer objects and its classes are imported."""
_UUID: Schema = {"type": "string", "format": "uuid"}
_TIME: Schema = {"type": "string", "format": "date-time"}
_TEXT: Schema = {"type": "string"}
_IDS = {"UUID": _UUID, "UUIDv6": _UUID, "UUIDv7": _UUID, "NanoID": _TEXT}
_PLAIN = frozenset(
    {"DeclarativeBase", "AsyncAttrs", "CommonTableAttributes", "BasicAttributes", "AdvancedDeclarativeBase"}
    | {"DefaultBase", "object", "ABC", "Protocol", "ModelProtocol"}
)
_COLUMNS = frozenset({"mapped_column", "column_property", "relationship"})
_HIDDEN = frozenset({"__tablename__", "__table_args__", "__mapper_args__"})
_COMPUTED = frozenset({"property", "cached_property", "hybrid_property", "declared_attr"})


def is_row(program: Program, target: ClassTarget) -> bool:
    """Whether a class is a table of the declarative kind, with a base that is known."""
    above = program.ancestry(target)
    known = [base for base in above if isinstance(base, External)]
    declared = any(
        (base.root == "sqlalchemy" and base.name == "DeclarativeBase")
        or (base.root in ROOTS and (_of_base(base.name) is not None or base.name == "DefaultBase"))
        for base in known
    )
    return declared and None not in above


def row_fields(
    program: Program, target: ClassTarget, schema: Callable[[Shape], Schema]
) -> list[ModelField] | None:
    """The fields of a row in the order of their classes; None where they cannot all be known."""
    found: dict[str, ModelField] = {}
    for base in reversed(program.ancestry(target)):
        if isinstance(base, External):
            own = _of_base(base.name)
            if base.root in ROOTS and own is not None:
                place = program.place(target.node, target.scope)
                found.update({name: _given(name, made, place) for name, made in own.items()})
            elif base.name not in _PLAIN:
                return None
        elif not isinstance(base, ClassTarget) or _computes(base):
            return None
        else:
            found.update({field.attribute: field for field in _declared(program, base, schema)})
    return list(found.values())


def uses_plugin(program: Program) -> bool:
    """Whether the project's application has the plugin that transfers rows without being told of each."""

    def judged() -> bool:
        texts = [program.text(name) for name in program.importers_named(sorted(ROOTS))]
        return any(f"{name}(" in text for text in texts for name in PLUGINS)

    return program.remember(("rows are transferred",), judged)


def _of_base(name: str) -> dict[str, Schema] | None:
    """The fields of one of the plugin's own bases and mixins; None for what is none, or whose key is not known."""
    if name in ("AuditColumns", "AuditMixin"):
        return {"created_at": _TIME, "updated_at": _TIME}
    if name == "UniqueMixin":
        return {}
    for kind, made in _IDS.items():
        if name in (f"{kind}Base", f"{kind}PrimaryKey"):
            return {"id": made}
        if name == f"{kind}AuditBase":
            return {"id": made, "created_at": _TIME, "updated_at": _TIME}
    return None


def _given(name: str, schema: Schema, place: Location) -> ModelField:
    shape = Shape(ShapeKind.SCALAR, schema=schema)
    return ModelField(name, name, {**schema, "x-always": True}, False, shape, Facets(), place)


def _computes(owner: ClassTarget) -> bool:
    """Whether a class has attributes that are worked out, of which some become fields and some do not."""
    return any(
        isinstance(node, Function)
        and node.name not in _HIDDEN
        and any(name in _COMPUTED for each in node.decorator_list for name in _words(each))
        for node in owner.node.body
    )


def _words(node: ast.expr) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name | ast.Attribute):
            yield str(getattr(part, "id", getattr(part, "attr", "")))


def _declared(
    program: Program, owner: ClassTarget, schema: Callable[[Shape], Schema]
) -> Iterator[ModelField]:
    for statement in owner.node.body:
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
            continue
        if not _is_mapped(program, statement.annotation, owner.body):
            continue
        name = statement.target.id
        shape = shape_of(program, statement.annotation, owner.body)
        made = {**schema(shape), "x-always": True}
        default = _default(program, statement.value, owner.body)
        if default is not None and not isinstance(default, Missing):
            made["default"] = default
        required = default is None and not (
            shape.nullable or _is_nullable(program, statement.value, owner.body)
        )
        place = program.place(statement, owner.scope)
        yield ModelField(name, name, made, required, shape, Facets(), place)


def _is_mapped(program: Program, node: ast.expr, scope: Scope) -> bool:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value.startswith(("Mapped[", "orm.Mapped[", "sqlalchemy.orm.Mapped["))
    target = program.resolve(unsubscripted(node), scope) if isinstance(node, ast.Subscript) else None
    return isinstance(target, External) and target.root == "sqlalchemy" and target.name == "Mapped"


def _default(program: Program, node: ast.expr | None, scope: Scope) -> object:
    """The default of a column; Missing where only a run makes it, None where there is none."""
    if not isinstance(node, ast.Call):
        return None
    written = argument(node, None, "default") or argument(node, None, "insert_default")
    if written is None or is_none(written):
        # What is spread out may hold one.
        return MISSING if has_stars(node) else None
    return constant(program, written, scope)


def _is_nullable(program: Program, node: ast.expr | None, scope: Scope) -> bool:
    written = argument(node, None, "nullable") if isinstance(node, ast.Call) else None
    return written is not None and constant(program, written, scope) is True
