"""Options that a class of fields gives itself: `kwargs.setdefault("read_only", True)` in its `__init__`."""

from __future__ import annotations

import ast
from typing import Final

from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope

_OPTIONS: Final = frozenset({"read_only", "write_only", "required", "allow_null"})


def with_presets(program: Program, call: ast.Call, scope: Scope) -> ast.Call:
    """The call of a field with the options that its class, or one above, gives where the call gives none."""
    made = program.resolve(call.func, scope)
    if not isinstance(made, ClassTarget):
        return call
    return program.remember(("with presets", call), lambda: _with_presets(program, call, made))


def _with_presets(program: Program, call: ast.Call, made: ClassTarget) -> ast.Call:
    found: dict[str, ast.Constant] = {}
    for base in program.ancestry(made):
        for statement in base.node.body if isinstance(base, ClassTarget) else ():
            if isinstance(statement, Function) and statement.name == "__init__":
                found = {**_preset(statement), **found}
    given = {keyword.arg for keyword in call.keywords}
    added = [ast.keyword(name, value) for name, value in sorted(found.items()) if name not in given]
    if not added:
        return call
    return ast.copy_location(ast.Call(call.func, call.args, [*call.keywords, *added]), call)


def _preset(init: Function) -> dict[str, ast.Constant]:
    """The constants that an `__init__` puts among its options, or hands on itself."""
    options = init.args.kwarg.arg if init.args.kwarg is not None else ""
    found: dict[str, ast.Constant] = {}
    for statement in init.body:
        match statement:
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=name), attr="setdefault"),
                    args=[ast.Constant(value=str(key)), ast.Constant() as value],
                )
            ) if name == options:
                found[key] = value
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key)))],
                value=ast.Constant() as value,
            ) if name == options:
                found[key] = value
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="__init__"), keywords=keywords)):
                handed = {k.arg: k.value for k in keywords if k.arg and isinstance(k.value, ast.Constant)}
                found |= {key: value for key, value in handed.items() if isinstance(value, ast.Constant)}
    return {key: value for key, value in found.items() if key in _OPTIONS}
