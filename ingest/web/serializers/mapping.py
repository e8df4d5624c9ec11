"""Serializers that say for themselves which fields are made of which columns."""

from __future__ import annotations

import ast
from typing import Final

from ingest.web.django.columns import RELATIONS
from ingest.web.django.tables import Column
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget
from ingest.web.serializers.building import adds_nothing
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope

_FIELDS: Final = "serializer_field_mapping"
_STANDARD: Final = "*standard"
_CHOICES: Final = "*choices"
_RELATIONS: Final = "*relations"
_OTHERS: Final = "*others"
"""What stands among the names of columns' classes for all plain columns, all with choices, all relations, and whatever
has no column: properties, relations from the other side, addresses."""
_MAPPING: Final[dict[str, frozenset[str]]] = {
    _FIELDS: frozenset({_STANDARD}),
    "build_standard_field": frozenset({_STANDARD}),
    "serializer_choice_field": frozenset({_CHOICES}),
    "serializer_related_field": frozenset({_RELATIONS, _OTHERS}),
    "serializer_related_to_field": frozenset({_RELATIONS, _OTHERS}),
    "build_relational_field": frozenset({_RELATIONS, _OTHERS}),
    "build_nested_field": frozenset({_RELATIONS, _OTHERS}),
    "build_property_field": frozenset({_OTHERS}),
    "build_unknown_field": frozenset({_OTHERS}),
    "build_url_field": frozenset({_OTHERS}),
    "serializer_url_field": frozenset({_OTHERS}),
}


def mapped(program: Program, serializer: ClassTarget) -> frozenset[str]:
    """The classes of columns, and the kinds of them, of which a serializer says for itself, or with its bases, what
    fields are made."""
    named: set[str] = set()
    for owner in program.ancestry(serializer):
        for name in _MAPPING.keys() & owner.body.bindings.keys() if isinstance(owner, ClassTarget) else ():
            assert isinstance(owner, ClassTarget), "only classes of the project have bodies"
            added = _added(owner) if name == _FIELDS else None
            found = program.class_member(owner, name) if added is None else None
            if added is None and (not isinstance(found, FunctionTarget) or not adds_nothing(found)):
                added = set(_MAPPING[name])
            named |= added or set()
    return frozenset(named)


def is_made_otherwise(program: Program, name: str, column: Column | None, names: frozenset[str]) -> bool:
    """Whether the field of a name is, or may be, made of a column or a property of one of these classes or kinds."""
    if column is None or column.call is None or column.scope is None:
        return (_STANDARD if column is not None or name in ("id", "pk") else _OTHERS) in names
    if column.kind in RELATIONS:
        kinds = {_RELATIONS}
    elif column.given("choices") is not None:
        kinds = {_CHOICES, _STANDARD}
    else:
        kinds = {_STANDARD}
    return bool(kinds & names) or _is_of(program, column.call, column.scope, names)


def _is_of(program: Program, call: ast.Call, scope: Scope, names: frozenset[str]) -> bool:
    """Whether a column is, or may be, of one of these classes."""
    if not {each for each in names if not each.startswith("*")}:
        return False
    made = program.resolve(call.func, scope)
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
