"""Converters of a project's own for Werkzeug's rules: `app.url_map.converters["name"] = NameConverter`."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from graph.schema_algebra import Schema
from ingest.web.constants.constants import text_of
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget, ValueTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope

_MAP = "converters"
_PACKAGES = ("flask", "werkzeug")
_ROOTS = frozenset({"werkzeug", "flask"})
_TEXTS = frozenset({"BaseConverter", "UnicodeConverter", "PathConverter"})
_MATCHED: Schema = {"x-implied": ["enum", "format", "maxLength", "minLength", "pattern"]}
"""What an expression of the converter's own may demand, which contracts need not repeat."""


def own_converters(program: Program) -> Mapping[str, Schema]:
    """What the converters let through that a project registers and that turn nothing into other values, by name."""
    return program.remember(("converters",), lambda: dict(_registered(program)))


def _registered(program: Program) -> list[tuple[str, Schema]]:
    found: list[tuple[str, Schema]] = []
    for name in program.importers_named(_PACKAGES):
        module = program.module(name) if f".{_MAP}" in program.text(name) else None
        for scope in module.scope.descend() if module is not None else ():
            body = scope.node.body if isinstance(scope.node, Function | ast.Module) else []
            for statement in body:
                found += _set_by(program, statement, scope)
    return found


def _set_by(program: Program, statement: ast.stmt, scope: Scope) -> list[tuple[str, Schema]]:
    rows: list[tuple[ast.expr | None, ast.expr]] = []
    match statement:
        case ast.Assign(targets=[ast.Subscript(value=ast.Attribute(attr=kept), slice=key)], value=value) if (
            kept == _MAP
        ):
            rows.append((key, value))
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=ast.Attribute(attr=kept), attr="update"), args=[ast.Dict() as table]
            )
        ) if kept == _MAP:
            rows += zip(table.keys, table.values, strict=True)
    found: list[tuple[str, Schema]] = []
    for named, given in rows:
        name = text_of(program, named, scope)
        target = program.resolve(given, scope)
        if name is not None and isinstance(target, ClassTarget) and _passes_texts(program, target):
            found.append(
                (name, {"type": "string", **_MATCHED} if _has_regex(program, target) else {"type": "string"})
            )
    return found


def _passes_texts(program: Program, target: ClassTarget) -> bool:
    """Whether a converter gives the text on that stands in the path."""
    changed = isinstance(program.class_member(target, "to_python"), FunctionTarget)
    return not changed and program.is_a(target, _ROOTS, _TEXTS)


def _has_regex(program: Program, target: ClassTarget) -> bool:
    return isinstance(program.class_member(target, "regex"), ValueTarget)
