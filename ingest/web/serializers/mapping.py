"""Serializers that say for themselves which fields are made of which columns."""

from __future__ import annotations

import ast
from typing import Final

from ingest.web.django.tables import Column
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget
from ingest.web.serializers.building import adds_nothing
from ingest.web.syntax.naming import last_name

_FIELDS: Final = "serializer_field_mapping"
_MAPPING: Final = frozenset(
    {
        *(_FIELDS, "serializer_related_field", "serializer_related_to_field"),
        *("serializer_url_field", "serializer_choice_field", "build_standard_field", "build_url_field"),
        *("build_relational_field", "build_nested_field", "build_property_field", "build_unknown_field"),
    }
)


def mapped(program: Program, serializer: ClassTarget) -> frozenset[str] | None:
    """The classes of columns of which a serializer says for itself, or with its bases, what fields are made; None where
    that may be any."""
    named: set[str] = set()
    for owner in program.ancestry(serializer):
        for name in _MAPPING & set(owner.body.bindings) if isinstance(owner, ClassTarget) else ():
            assert isinstance(owner, ClassTarget), "only classes of the project have bodies"
            added = _added(owner) if name == _FIELDS else None
            found = program.class_member(owner, name) if added is None else None
            if added is None and (not isinstance(found, FunctionTarget) or not adds_nothing(found)):
                return None
            named |= added or set()
    return frozenset(named)


def is_of(program: Program, column: Column | None, names: frozenset[str]) -> bool:
    """Whether a column is, or may be, of one of these classes."""
    if column is None or column.call is None or column.scope is None:
        return False
    made = program.resolve(column.call.func, column.scope)
    return any(
        base is None
        or (
            base.node.name
            if isinstance(base, ClassTarget)
            else base.name
            if isinstance(base, External)
            else ""
        )
        in names
        for base in (program.ancestry(made) if isinstance(made, ClassTarget) else [made])
    )


def _added(owner: ClassTarget) -> set[str] | None:
    """The classes of columns that a class adds to the framework's own table of fields; None where it may say more."""
    found: set[str] = set()
    for statement in owner.node.body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ) if name == _FIELDS:
                keys = _keys(value)
                if keys is None:
                    return None
                found |= keys
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=key)]) if name == _FIELDS:
                found.add(last_name(key))
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=name), attr="update"), args=[ast.Dict() as more]
                )
            ) if name == _FIELDS:
                found |= {last_name(key) for key in more.keys}
    return None if "" in found else found


def _keys(value: ast.expr) -> set[str] | None:
    """The keys that a table has beside those of the framework's own; None where it is not made of that one."""
    match value:
        case ast.Attribute(attr=name) if name == _FIELDS:
            return set()
        case (
            ast.Call(func=ast.Attribute(value=inner, attr="copy"), args=[])
            | ast.Call(func=ast.Name(id="dict"), args=[inner], keywords=[])
        ):
            return _keys(inner)
        case ast.Dict(keys=[None, *more], values=[inner, *_]) if _keys(inner) is not None:
            return {last_name(key) for key in more}
        case ast.BinOp(left=inner, op=ast.BitOr(), right=ast.Dict(keys=more)) if _keys(inner) is not None:
            return {last_name(key) for key in more}
    return None
