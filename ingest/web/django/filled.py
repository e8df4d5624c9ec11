"""What a settings module puts into a dictionary after it was made (`REST_FRAMEWORK["PAGE_SIZE"] = 5`)."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final, TypeAlias

import msgspec

from ingest.web.syntax.blocks import blocks
from ingest.web.syntax.walks import nodes_of

_READING: Final = frozenset({"get", "items", "keys", "values", "copy"})
_CHANGING: Final = frozenset({"setdefault", "pop"})


class Put(msgspec.Struct, frozen=True):
    """One key of the dictionary; `value` is None where it is not known what it is given, or whether it is."""

    key: ast.expr
    value: ast.expr | None


_Puts: TypeAlias = list[Put]


def put_in(body: Sequence[ast.stmt], name: str, certain: bool = True) -> _Puts | None:
    """What statements put into the dictionary of this name, in order; None where they change it in a way that keys do
    not tell."""
    found: _Puts = []
    for statement in body:
        if isinstance(statement, ast.Assign) and _is_named(statement.targets, name):
            if not certain:
                return None
            # What was put in before is gone.
            found = []
            continue
        inner = _of_statement(statement, name, certain)
        if inner is None:
            return None
        found += inner
    return found


def keys_filled(tree: ast.AST, table: str) -> set[str] | None:
    """The keys that a module puts into a dictionary of the project's settings (`settings.REST_FRAMEWORK.update({…})`);
    None where these are not all known."""
    found: set[str] = set()
    for part in ast.walk(tree):
        match part:
            case ast.Attribute(attr=name, ctx=ast.Store()) if name == table:
                return None
            case ast.Subscript(value=ast.Attribute(attr=name), slice=key, ctx=ast.Store()) if name == table:
                keys: Sequence[ast.expr | None] = [key]
            case ast.Call(
                func=ast.Attribute(attr="update", value=ast.Attribute(attr=name)),
                args=[ast.Dict(keys=keys)],
                keywords=[],
            ) if name == table:
                pass
            case ast.Call(
                func=ast.Attribute(attr="setdefault", value=ast.Attribute(attr=name)), args=[key, *_]
            ) if name == table:
                keys = [key]
            case ast.Call(func=ast.Attribute(attr="update", value=ast.Attribute(attr=name))) if name == table:
                return None
            case _:
                continue
        named = {key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}
        if len(named) < len(keys):
            return None
        found |= named
    return found


def _of_statement(statement: ast.stmt, name: str, certain: bool) -> _Puts | None:
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return []
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=used), slice=key)], value=value) if (
            used == name
        ):
            return [Put(key, value if certain else None), *(_of_calls(value, name) or [])]
        case ast.AugAssign(target=ast.Name(id=used), op=ast.BitOr(), value=ast.Dict() as table) if (
            used == name
        ):
            return _entries(table, certain)
        case ast.AugAssign(target=ast.Name(id=used)) if used == name:
            return None
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(attr="update", value=ast.Name(id=used)), args=args, keywords=given
            )
        ) if used == name:
            if any(each.arg is None for each in given) or not all(
                isinstance(each, ast.Dict) for each in args
            ):
                return None
            whole = [_entries(each, certain) for each in args if isinstance(each, ast.Dict)]
            named = [Put(ast.Constant(value=k.arg), k.value if certain else None) for k in given]
            return None if None in whole else [put for each in whole for put in each or []] + named
    within = [block for block in blocks(statement) if block]
    if not within:
        return _of_parts(statement, name)
    found: _Puts = []
    for block in within:
        inner = put_in(block, name, certain and isinstance(statement, ast.With))
        if inner is None:
            return None
        found += inner
    return found


def _of_parts(statement: ast.stmt, name: str) -> _Puts | None:
    """The keys that a plain statement changes in whatever way."""
    found = [Put(key, None) for part in nodes_of(statement) if (key := _changed(part, name)) is not None]
    inner = _of_calls(statement, name)
    return None if inner is None else found + inner


def _of_calls(node: ast.AST, name: str) -> _Puts | None:
    found: _Puts = []
    for part in nodes_of(node):
        match part:
            case ast.Call(func=ast.Attribute(attr=method, value=ast.Name(id=used)), args=args) if (
                used == name
            ):
                if method in _CHANGING and args:
                    found.append(Put(args[0], None))
                elif method not in _READING:
                    return None
            case ast.Call(func=ast.Attribute(value=ast.Subscript(value=ast.Name(id=used), slice=key))):
                found += [Put(key, None)] if used == name else []
    return found


def _changed(part: ast.AST, name: str) -> ast.expr | None:
    """The key of the dictionary that an expression changes, be it within what stands there."""
    if not isinstance(part, ast.Subscript) or isinstance(part.ctx, ast.Load):
        return None
    while isinstance(part.value, ast.Subscript):
        part = part.value
    return part.slice if isinstance(part.value, ast.Name) and part.value.id == name else None


def _entries(table: ast.Dict, certain: bool) -> _Puts | None:
    found = [
        Put(key, value if certain else None)
        for key, value in zip(table.keys, table.values, strict=True)
        if key is not None
    ]
    return found if len(found) == len(table.keys) else None


def _is_named(targets: Sequence[ast.expr], name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in targets)
