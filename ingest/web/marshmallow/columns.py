"""Fields of marshmallow's schemas that are made from the columns of SQLAlchemy's models."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

import msgspec

from graph.schema_algebra import Schema, unknown
from graph.schemas import is_unknown, nullable
from ingest.web.constants.constants import constant, enum_members
from ingest.web.constants.enums import is_enum, members_of_class
from ingest.web.program.calls import argument
from ingest.web.program.shapes import Shape, ShapeKind
from ingest.web.program.targets import ClassTarget, External, ValueTarget
from ingest.web.schemas.sqlalchemy_columns import is_column, kind_of
from ingest.web.schemas.sqlalchemy_tables import referred
from ingest.web.syntax.bindings import Bound
from ingest.web.syntax.naming import uncalled
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotations import shape_of
from ingest.web.values.instances import Instances

_INTEGER: Final[Schema] = {"type": "integer"}
_TEXT: Final[Schema] = {"type": "string"}
_FLAG: Final[Schema] = {"type": "boolean"}
_NUMBER: Final[Schema] = {"type": "number"}
_MOMENT: Final[Schema] = {"type": "string", "format": "date-time"}
_DAY: Final[Schema] = {"type": "string", "format": "date"}
_UUID: Final[Schema] = {"type": "string", "format": "uuid"}
_KINDS: Final[dict[str, Schema]] = {
    **dict.fromkeys(("Integer", "BigInteger", "SmallInteger", "int"), _INTEGER),
    **dict.fromkeys(("String", "Text", "Unicode", "UnicodeText", "VARCHAR", "CHAR", "str"), _TEXT),
    **dict.fromkeys(("Boolean", "bool"), _FLAG),
    **dict.fromkeys(("Float", "Double", "float"), _NUMBER),
    **dict.fromkeys(("DateTime", "datetime"), _MOMENT),
    **dict.fromkeys(("Date", "date"), _DAY),
    **dict.fromkeys(("Uuid", "UUID", "UUIDType"), _UUID),
}
_DEPTH = 4
_DEFAULTS = ("default", "server_default", "insert_default", "default_factory")


class Column(msgspec.Struct, frozen=True):
    """One column: its name, the schema of its field, and whether requests must name it."""

    name: str
    node: ast.expr
    schema: Schema
    required: bool


def columns_of(instances: Instances, model: ClassTarget, foreign: bool = False) -> Iterator[Column]:
    """The columns that a model declares itself or inherits from the project's classes; foreign keys if asked for."""
    seen: set[str] = set()
    for owner in instances.program.ancestry(model):
        if not isinstance(owner, ClassTarget):
            continue
        for name, bindings in owner.body.bindings.items():
            if name not in seen and [each.how for each in bindings] == [Bound.VALUE]:
                seen.add(name)
                found = column_of(instances, model, name)
                if found is not None and (foreign or _foreign_key(instances, found.node, owner.body) is None):
                    yield found


def column_of(instances: Instances, model: ClassTarget, name: str) -> Column | None:
    """The column of this name; None where the model has none."""
    found = instances.program.class_member(model, name)
    if not isinstance(found, ValueTarget) or not is_column(instances, found.node, found.scope):
        return None
    node, scope = found.node, found.scope
    assert isinstance(node, ast.Call), "only calls make columns"
    shape = shape_of(instances.program, found.annotation, scope) if found.annotation is not None else None
    schema = _schema(instances, node, scope, shape)
    key = constant(instances.program, argument(node, None, "primary_key"), scope) is True
    said = argument(node, None, "nullable")
    null = constant(instances.program, said, scope) is not False if said is not None else not key
    if said is None and shape is not None:
        null = shape.nullable
    filled = key or any(argument(node, None, each) is not None for each in _DEFAULTS)
    schema = nullable(schema) if null and not key and not is_unknown(schema) else schema
    return Column(name, node, {**schema, "x-always": True}, not null and not filled)


def _schema(
    instances: Instances, node: ast.Call, scope: Scope, shape: Shape | None, depth: int = 0
) -> Schema:
    kind = kind_of(instances, node, scope)
    key = _foreign_key(instances, node, scope) if kind is None else None
    held = referred(instances, key, scope) if key is not None and depth < _DEPTH else None
    other = instances.program.class_member(*held) if held is not None else None
    if isinstance(other, ValueTarget) and is_column(instances, other.node, other.scope):
        assert isinstance(other.node, ast.Call), "only calls make columns"
        inner = shape_of(instances.program, other.annotation, other.scope) if other.annotation else None
        return _schema(instances, other.node, other.scope, inner, depth + 1)
    if kind is not None:
        called = uncalled(kind)
        target = instances.callee(called, scope)
        name = target.name if isinstance(target, External) else ""
        if name == "Enum" and isinstance(kind, ast.Call) and kind.args:
            return _chosen(instances, instances.program.resolve(kind.args[0], scope))
        length = (
            constant(instances.program, argument(kind, 0, "length"), scope)
            if isinstance(kind, ast.Call)
            else None
        )
        made = dict(_KINDS.get(name, unknown("the kind of the column is not known")))
        sized = made == _TEXT and isinstance(length, int) and not isinstance(length, bool)
        return {**made, "maxLength": length} if sized else made
    only = shape.members[0] if shape is not None and len(shape.members) == 1 else None
    if only is not None and only.kind is ShapeKind.CLASS:
        return _chosen(instances, only.target)
    name = only.target.name if only is not None and isinstance(only.target, External) else ""
    return dict(_KINDS.get(name, unknown("the kind of the column is not known")))


def _chosen(instances: Instances, target: object) -> Schema:
    """The names of an enumeration's members, as marshmallow writes them."""
    known = isinstance(target, ClassTarget) and is_enum(instances.program, target)
    members = None
    if known and isinstance(target, ClassTarget):
        members = enum_members(instances.program, target)
        # Of the members only the names are written, whatever they hold.
        members = members or members_of_class(instances.program, target, lambda node, _: ast.unparse(node))
    return {"enum": list(members)} if members else unknown("the members of the enum are not constant")


def _foreign_key(instances: Instances, node: ast.expr, scope: Scope) -> ast.Call | None:
    for each in node.args if isinstance(node, ast.Call) else []:
        target = instances.callee(each.func, scope) if isinstance(each, ast.Call) else None
        if isinstance(each, ast.Call) and isinstance(target, External) and target.name == "ForeignKey":
            return each
    return None
