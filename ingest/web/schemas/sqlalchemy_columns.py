"""What the columns of SQLAlchemy's models hold, as JSON: by their kind, their choices and whether they may be null."""

from __future__ import annotations

import ast
from typing import Final

from graph.schema_algebra import Schema
from ingest.web.constants.constants import constant
from ingest.web.program.calls import argument
from ingest.web.program.targets import ClassTarget, External
from ingest.web.syntax.naming import uncalled
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

_ROOTS = frozenset({"sqlalchemy", "flask_sqlalchemy", "sqlmodel"})
_COLUMNS = frozenset({"Column", "mapped_column"})
_KINDS: Final[dict[str, str]] = {
    **dict.fromkeys(("Integer", "BigInteger", "SmallInteger", "INTEGER", "BIGINT"), "integer"),
    **dict.fromkeys(("String", "Text", "Unicode", "UnicodeText", "VARCHAR", "CHAR", "TEXT"), "string"),
    **dict.fromkeys(("Boolean", "BOOLEAN"), "boolean"),
    **dict.fromkeys(("Float", "Double", "REAL"), "number"),
    **dict.fromkeys(("DateTime", "Date", "Time", "Uuid", "UUID", "UUIDType"), "string"),
}

_AS_SENT = frozenset(
    name for name in _KINDS if name not in ("DateTime", "Date", "Time", "Uuid", "UUID", "UUIDType")
)
"""The kinds of columns that hold what JSON has: all others want a value of a class of Python's."""


def is_column(instances: Instances, node: ast.expr | None, scope: Scope) -> bool:
    """Whether an expression declares a column of a model."""
    target = instances.callee(node.func, scope) if isinstance(node, ast.Call) else None
    return isinstance(target, External) and target.root in _ROOTS and target.name in _COLUMNS


def column_schema(instances: Instances, node: ast.expr | None, scope: Scope) -> Schema | None:
    """The schema of what a column holds; None where it is no column, or one of another kind."""
    if not isinstance(node, ast.Call) or not is_column(instances, node, scope):
        return None
    kind = kind_of(instances, node, scope)
    schema = _schema(instances, kind, scope) if kind is not None else None
    if schema is None:
        return None
    key = constant(instances.program, argument(node, None, "primary_key"), scope) is True
    filled = constant(instances.program, argument(node, None, "nullable"), scope) is False
    # A column that may be null by the database need never be so.
    return schema if key or filled else {**schema, "x-implied": ["null"]}


def kind_of(instances: Instances, node: ast.Call, scope: Scope) -> ast.expr | None:
    """The argument that tells of what kind a column is."""
    for each in (*node.args[:2], *(k.value for k in node.keywords if k.arg == "type_")):
        if isinstance(each, ast.Constant):
            continue
        called = uncalled(each)
        if _name(instances, called, scope) == "ForeignKey":
            return None
        return each
    return None


def _name(instances: Instances, node: ast.expr, scope: Scope) -> str:
    target = instances.callee(node, scope)
    return target.name if isinstance(target, External) and target.root in _ROOTS else ""


def _schema(instances: Instances, node: ast.expr, scope: Scope) -> Schema | None:
    name = _name(instances, uncalled(node), scope)
    if name in _KINDS:
        return {"type": _KINDS[name]}
    if name in ("Enum", "SAEnum") and isinstance(node, ast.Call) and node.args:
        values = [constant(instances.program, each, scope) for each in node.args]
        return {"type": "string", "enum": values} if all(isinstance(v, str) for v in values) else None
    return None


def held_type(instances: Instances, node: ast.expr | None, scope: Scope) -> tuple[str, bool] | None:
    """The JSON type that a column takes as it is sent, and whether its length is limited; None for any other."""
    if not isinstance(node, ast.Call) or not is_column(instances, node, scope):
        return None
    kind = kind_of(instances, node, scope)
    made = kind.func if isinstance(kind, ast.Call) else kind
    name = _name(instances, made, scope) if made is not None else ""
    if name not in _AS_SENT:
        return None
    return _KINDS[name], isinstance(kind, ast.Call) and bool(kind.args or kind.keywords)


def choices_of(instances: Instances, node: ast.expr | None, scope: Scope) -> ClassTarget | None:
    """The enumeration of which a column holds members."""
    kind = (
        kind_of(instances, node, scope)
        if isinstance(node, ast.Call) and is_column(instances, node, scope)
        else None
    )
    if not isinstance(kind, ast.Call) or not kind.args:
        return None
    found = instances.program.resolve(kind.args[0], scope)
    return found if isinstance(found, ClassTarget) else None
